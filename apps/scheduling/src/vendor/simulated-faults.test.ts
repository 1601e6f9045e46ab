import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createSimulatedFaults, type SimulatedFaultsOptions } from './simulated-faults.ts';

function setUp(options: Partial<SimulatedFaultsOptions>) {
  const time = { nowMs: 0 };
  const waits: number[] = [];
  const simulate = createSimulatedFaults({
    random_seed: '1',
    clock: () => time.nowMs,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  const ask = (authorization?: string, remoteAddress = '192.0.2.1') =>
    simulate(
      { headers: { authorization }, socket: { remoteAddress } } as IncomingMessage,
      new AbortController().signal,
    );
  const statuses = async (count: number) => {
    const found: (number | undefined)[] = [];
    for (let n = 0; n < count; n++) found.push((await ask())?.status);
    return found;
  };
  return { time, waits, ask, statuses };
}

test('the share of failing requests is that of the setting, each with its status', async () => {
  const { statuses } = setUp({ fail: { share: 0.25, status: 502 } });
  const found = await statuses(2_000);
  const failed = found.filter((status) => status !== undefined);
  expect(new Set(failed)).toEqual(new Set([502]));
  expect(failed.length).toBeGreaterThan(400);
  expect(failed.length).toBeLessThan(600);
});

test('0 and 100 percent are none and all', async () => {
  expect(await setUp({ fail: { share: 0, status: 500 } }).statuses(50)).toEqual(Array(50).fill(undefined));
  expect(await setUp({ fail: { share: 1, status: 500 } }).statuses(50)).toEqual(Array(50).fill(500));
});

test('the same seed gives the same delays and failures, and another one others', async () => {
  const latency = { minMs: 50, maxMs: 400 };
  const [one, again, other, alone] = await Promise.all(
    [{}, {}, { random_seed: '2' }, { latency: undefined }].map(async (more) => {
      const { statuses, waits } = setUp({ latency, fail: { share: 0.5, status: 500 }, ...more });
      return { statuses: await statuses(50), waits };
    }),
  );
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  // A setting does not shift what the other selects.
  expect(alone?.statuses).toEqual(one?.statuses);
});

test('delays use the whole range, its ends included', async () => {
  const { statuses, waits } = setUp({ latency: { minMs: 5, maxMs: 8 } });
  await statuses(200);
  expect(new Set(waits)).toEqual(new Set([5, 6, 7, 8]));
});

test('each token, and each address without one, has its own limit, with the time until the next request', async () => {
  const { ask, time, waits } = setUp({ requests_per_minute_max: 2, latency: { minMs: 9, maxMs: 9 } });
  for (const token of ['bearer a', 'bearer b', undefined]) {
    expect([await ask(token), await ask(token)]).toEqual([undefined, undefined]);
    time.nowMs += 500;
    expect(await ask(token)).toMatchObject({ status: 429, retryAfter: '60' });
  }
  expect(await ask(undefined, '192.0.2.2')).toBeUndefined();
  // Rejections are not delayed.
  expect(waits).toHaveLength(7);
  time.nowMs = 60_000;
  expect(await ask('bearer a')).toBeUndefined();
});

test('an outage or a limit says when to come back', async () => {
  expect(await setUp({ fail: { share: 1, status: 503 } }).ask()).toMatchObject({ retryAfter: '1' });
  expect(await setUp({ fail: { share: 1, status: 500 } }).ask()).toMatchObject({ retryAfter: undefined });
});
