import { expect, it } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import { formatFailures, listFailures } from './list-failures.mjs';
import { createFailureNames } from './name-failures.ts';

const error = (message: string) => ({ name: 'Error', message, stacks: [{ file: '/w/a.test.ts', line: 7 }] });
const test = (fullName: string, state: string, errors: unknown[], flaky = false) => ({
  fullName,
  result: () => ({ state, errors }),
  diagnostic: () => ({ flaky }),
});

it('finds in the log of all packages each test that failed or was tried twice, and its first error', () => {
  const module = {
    relativeModuleId: 'src/a.test.ts',
    errors: () => [],
    children: {
      allSuites: () => [{ fullName: 'a server', errors: () => [error('did not come')] }],
      allTests: () => [
        test('a > fails', 'failed', [error('no answer\n\nIt said:')]),
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
  expect(failures[1]?.lines).toEqual(['Error: no answer', 'It said:', 'at /w/a.test.ts:7']);
});

it('shows no more names than a reader takes in, and says how many are left', () => {
  const failures = ['a', 'b', 'c'].map((name) => ({ verdict: 'failed' as const, name, lines: ['why'] }));
  expect(formatFailures(failures, 2)).toBe('a\n    why\nb\n    why\nand 1 more');
});

function run(reporter: Reporter, modules: unknown[], errors: unknown[]): void {
  type End = NonNullable<Reporter['onTestRunEnd']>;
  reporter.onTestRunEnd?.(modules as readonly TestModule[], errors as Parameters<End>[1], 'failed');
}
