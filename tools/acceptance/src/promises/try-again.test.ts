import { expect, test } from 'vitest';
import { listFailures } from '../../../workspace/test-logs.mjs';
import type { Outcome } from './run-promise.ts';
import { listTries, tryAgainIfLate } from './try-again.ts';

const passed: Outcome = {
  ...{ number: 7, name: 'A worker’s death is survived', target: 'x', figure: '', figures: [] },
  ...{ state: 'pass', isLateOnly: false, note: '', tookSeconds: 1 },
};
const late: Outcome = { ...passed, state: 'fail', isLateOnly: true, note: 'slowest replacement: ≤ 2000 ms' };
const wrong: Outcome = { ...passed, state: 'fail', note: 'requests failed: ≤ 0 (ECONNRESET)\nat the gateway' };
const notRun: Outcome = { ...passed, state: 'not-run', note: 'There is no redis-server.' };

async function tries(...outcomes: readonly Outcome[]) {
  let made = 0;
  const outcome = await tryAgainIfLate(async () => outcomes[made++] as Outcome);
  return { made, outcome };
}

test('runs a trial once when it passes, counts a fault, or is not run', async () => {
  for (const outcome of [passed, wrong, notRun]) expect(await tries(outcome)).toEqual({ made: 1, outcome });
});

test('runs a trial twice when only times are above their limits, and keeps the reason', async () => {
  expect(await tries(late, passed)).toMatchObject({
    made: 2,
    outcome: { state: 'pass', firstNote: late.note, note: `first attempt: ${late.note}` },
  });
  expect(await tries(late, late, passed)).toMatchObject({ made: 2, outcome: { state: 'fail' } });
  expect((await tries(late, wrong)).outcome).toMatchObject({ state: 'fail', firstNote: late.note });
});

test('lists for CI the failures and what passed at the second try', async () => {
  const outcomes = [passed, (await tries(late, passed)).outcome, (await tries(wrong)).outcome];
  const listed = listFailures(listTries(outcomes, ({ state }) => state === 'fail'));
  expect(listed).toEqual([
    { verdict: 'passed at the second try', name: 'promises:test 7 A worker’s death is survived', lines: [late.note] },
    { verdict: 'failed', name: 'promises:test 7 A worker’s death is survived', lines: wrong.note.split('\n') },
  ]);
});
