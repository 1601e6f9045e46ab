import { createTerminal } from '@rostergate/config/command';
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';
import type { Outcome } from './run-promise.ts';

const outcome: Outcome = {
  ...{ number: 4, name: 'Every edit style is noticed', target: 'x', figure: '', figures: [] },
  ...{ state: 'short', isLateOnly: false, note: 'no answer', tookSeconds: 61 },
};

function tell(isTTY: boolean): string {
  let written = '';
  let nowMs = 0;
  const stream = { write: (text: string) => (written += text), isTTY, columns: 40 };
  const { err: output } = createTerminal({ stdout: stream, stderr: stream, env: { NO_COLOR: '1' } });
  const progress = createProgress({ output, count: 2, clock: () => nowMs });
  progress.begin({ number: 4, title: outcome.name });
  nowMs = 61_000;
  progress.say(4, 'in place done');
  progress.end(outcome);
  return written;
}

test('a file gets a line for each word, with the time', () => {
  expect(tell(false).split('\n')).toEqual([
    '0 s  4 Every edit style is noticed',
    '1:01  4 in place done',
    '1:01  short      4  Every edit style is noticed, 1:01: no answer',
    '',
  ]);
});

test('a terminal has a last line with how many are done, the time and what is being done, never wider than it is', () => {
  const shown = tell(true).replaceAll('\r\x1b[K', '\n').split('\n').filter(Boolean);
  expect(shown).toEqual([
    '0 of 2 done, 0 s  4 Every edit style is',
    '0 of 2 done, 1:01  4 in place done',
    'short      4  Every edit style is noticed, 1:01: no answer',
    '1 of 2 done, 1:01',
  ]);
});
