import { createTerminal } from '@rostergate/config/command';
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';
import type { Outcome } from './run-promise.ts';

const outcome: Outcome = {
  ...{ number: 4, name: 'Every way to save a file is noticed', target: 'x', figure: '', figures: [] },
  ...{ state: 'fail', isLateOnly: false, note: 'no response', tookSeconds: 61 },
};

function report(isTTY: boolean): string {
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

test('a file gets a line per message with the time', () => {
  expect(report(false).split('\n')).toEqual([
    '0 s  4 Every way to save a file is noticed',
    '1:01  4 in place done',
    '1:01  fail       4  Every way to save a file is noticed, 1:01: no response',
    '',
  ]);
});

test('a terminal shows progress, time and running trials in a last line that fits its width', () => {
  const shown = report(true).replaceAll('\r\x1b[K', '\n').split('\n').filter(Boolean);
  expect(shown).toEqual([
    '0 of 2 done, 0 s  4 Every way to save a',
    '0 of 2 done, 1:01  4 in place done',
    'fail       4  Every way to save a file is noticed, 1:01: no response',
    '1 of 2 done, 1:01',
  ]);
});
