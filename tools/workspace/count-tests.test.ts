import { expect, it } from 'vitest';
import { countTests } from './count-tests.mjs';

it('sums what each package says, coloured or not, and nothing else', () => {
  const log = [
    '@rostergate/odata:test:  Test Files  9 passed (9)',
    '@rostergate/odata:test:       Tests  120 passed (120)',
    'rostergate:test: \x1b[2m      Tests \x1b[22m \x1b[31m2 failed\x1b[39m | \x1b[32m40 passed\x1b[39m (42)',
    'Tests  7 passed (7)',
    ' Tasks:    13 successful, 13 total',
  ].join('\n');
  expect(countTests(log)).toEqual({ passed: 160, failed: 2 });
});

it('takes what is not held of the promises as failed', () => {
  expect(countTests('0 s  1 Reload drops nothing\n28 held, 2 short, 1 not run, in 9:58\n')).toEqual({
    passed: 28,
    failed: 3,
  });
});
