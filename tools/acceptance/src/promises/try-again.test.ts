import { expect, test } from 'vitest';
import { listFailures } from '../../../workspace/test-logs.mjs';
import type { Outcome } from './run-promise.ts';
import { listTries, tryAgainIfLate } from './try-again.ts';

const held: Outcome = {
  ...{ number: 7, name: 'A worker’s death is survived', target: 'x', figure: '', figures: [] },
  ...{ state: 'held', isLateOnly: false, note: '', tookSeconds: 1 },
};
const late: Outcome = { ...held, state: 'short', isLateOnly: true, note: 'until it is back: ≤ 2000 ms' };
const wrong: Outcome = { ...held, state: 'short', note: 'requests failed: ≤ 0 (ECONNRESET)\nat the gateway' };
const notRun: Outcome = { ...held, state: 'not-run', note: 'There is no redis-server.' };

async function tries(...outcomes: readonly Outcome[]) {
  let made = 0;
  const outcome = await tryAgainIfLate(async () => outcomes[made++] as Outcome);
  return { made, outcome };
}

test('makes a trial once where it is held, counted a fault, or was not run', async () => {
  for (const outcome of [held, wrong, notRun]) expect(await tries(outcome)).toEqual({ made: 1, outcome });
});

test('makes a trial twice where times alone were above their bounds, and keeps why', async () => {
  expect(await tries(late, held)).toMatchObject({
    made: 2,
    outcome: { state: 'held', firstNote: late.note, note: `at the first try ${late.note}` },
  });
  expect(await tries(late, late, held)).toMatchObject({ made: 2, outcome: { state: 'short' } });
  expect((await tries(late, wrong)).outcome).toMatchObject({ state: 'short', firstNote: late.note });
});

test('lists for CI what failed and what passed at the second try', async () => {
  const outcomes = [held, (await tries(late, held)).outcome, (await tries(wrong)).outcome];
  const listed = listFailures(listTries(outcomes, ({ state }) => state === 'short'));
  expect(listed).toEqual([
    { verdict: 'passed at the second try', name: 'promises:test 7 A worker’s death is survived', lines: [late.note] },
    { verdict: 'failed', name: 'promises:test 7 A worker’s death is survived', lines: wrong.note.split('\n') },
  ]);
});
