import { describe, expect, it } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import { createFailureNames } from './name-failures.ts';
import { countTests, formatFailures, formatSlowest, listFailures } from './test-logs.mjs';

const error = (message: string) => ({ name: 'Error', message, stacks: [{ file: '/w/a.test.ts', line: 7 }] });
const test = (fullName: string, state: string, errors: unknown[], flaky = false) => ({
  fullName,
  result: () => ({ state, errors }),
  diagnostic: () => ({ flaky }),
});

it('lists each test that failed or was tried twice, with its first error', () => {
  const module = {
    relativeModuleId: 'src/a.test.ts',
    errors: () => [],
    children: {
      allSuites: () => [{ fullName: 'a server', errors: () => [error('did not start')] }],
      allTests: () => [
        test('a > fails', 'failed', [error('no response\n\nIts output:')]),
        test('a > wavers', 'passed', [error('too late')], true),
        test('a > passes', 'passed', []),
      ],
    },
  };
  const lines: string[] = [];
  run(
    createFailureNames((line) => lines.push(line)),
    [module],
    [error('outside')],
  );
  const log = ['x:test: failed', ...lines.map((line) => `\x1b[31mrostergate:test: ${line}\x1b[39m`)].join('\n');
  const failures = listFailures(log);
  expect(failures.map(({ verdict, name }) => `${verdict}: ${name}`)).toEqual([
    'failed: rostergate:test src/a.test.ts > a server',
    'failed: rostergate:test src/a.test.ts > a > fails',
    'passed at the second try: rostergate:test src/a.test.ts > a > wavers',
    'failed: rostergate:test an error outside of any test',
  ]);
  expect(failures[1]?.lines).toEqual(['Error: no response', 'Its output:', 'at /w/a.test.ts:7']);
});

it('limits the names and prints how many are left', () => {
  const failures = ['a', 'b', 'c'].map((name) => ({ verdict: 'failed' as const, name, lines: ['why'] }));
  expect(formatFailures(failures, 2)).toBe('a\n    why\nb\n    why\nand 1 more');
});

it('lists the slowest tests, with file and blocks', () => {
  const of = (title: string, durationMs: number) =>
    ({ file: 'a.test.ts', blocks: ['outer'], title, state: 'passed', durationMs }) as const;
  const tests = [of('quick', 20), of('slowest', 12_340), of('slow', 2_000)];
  expect(formatSlowest(tests, 2)).toBe('  12.3 s  a.test.ts > outer > slowest\n   2.0 s  a.test.ts > outer > slow');
});

describe('countTests', () => {
  it('sums the totals of each package, coloured or not, and nothing else', () => {
    const log = [
      '@rostergate/odata:test:  Test Files  9 passed (9)',
      '@rostergate/odata:test:       Tests  120 passed (120)',
      'rostergate:test: \x1b[2m      Tests \x1b[22m \x1b[31m2 failed\x1b[39m | \x1b[32m40 passed\x1b[39m (42)',
      'Tests  7 passed (7)',
      ' Tasks:    13 successful, 13 total',
    ].join('\n');
    expect(countTests(log)).toEqual({ passed: 160, failed: 2 });
  });

  it('counts a promise that is short or was not run as failed', () => {
    expect(countTests('0 s  1 Reload drops nothing\n28 held, 2 short, 1 not run, in 9:58\n')).toEqual({
      passed: 28,
      failed: 3,
    });
  });
});

function run(reporter: Reporter, modules: unknown[], errors: unknown[]): void {
  type End = NonNullable<Reporter['onTestRunEnd']>;
  reporter.onTestRunEnd?.(modules as readonly TestModule[], errors as Parameters<End>[1], 'failed');
}
