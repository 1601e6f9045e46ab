import { ConfigError } from '@rostergate/config';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../settings.ts';

const load = (args: Readonly<Record<string, string>>) => loadSettings({ env: {}, args });

test.each([
  ['latency', '0', { minMs: 0, maxMs: 0 }],
  ['latency', '50-60000', { minMs: 50, maxMs: 60_000 }],
  ['fail', '5', { share: 0.05, status: 500 }],
  ['fail', '2.5:429', { share: 0.025, status: 429 }],
  ['fail', '100:503', { share: 1, status: 503 }],
  ['requests_per_minute_max', '100', 100],
])('--%s %s is %j', (name, value, parsed) => {
  expect(load({ form: 'vendor', [name]: value })).toMatchObject({ [name]: parsed });
});

describe('a fault names the setting', () => {
  test.each([
    ...['', '-1', '60001', '400-50', '50-', '1.5', 'fast', '1e3'].map((value) => ['latency', value] as const),
    ...['', '101', '-1', '5:200', '5:600', '5:', 'often', '5%'].map((value) => ['fail', value] as const),
    ...['0', '1.5', '1000001'].map((value) => ['requests_per_minute_max', value] as const),
  ])('--%s %j', (name, value) => {
    expect(faultsOf({ form: 'vendor', [name]: value })).toEqual([name]);
  });

  test('without the vendor’s form, which alone has it', () => {
    expect(faultsOf({ latency: '5', fail: '5', requests_per_minute_max: '5' })).toEqual([
      'latency',
      'fail',
      'requests_per_minute_max',
    ]);
    expect(() => load({ fail: '5' })).toThrow(/requires the setting form/);
  });
});

function faultsOf(args: Readonly<Record<string, string>>): string[] {
  try {
    load(args);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ field }) => field);
    throw error;
  }
  return [];
}
