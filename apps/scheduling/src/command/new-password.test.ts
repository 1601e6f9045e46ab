import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { askHidden } from './new-password.ts';

function setUp(questions = ['Password: ']) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    ...{ setEncoding: () => stdin, resume: () => stdin, pause: () => stdin },
    setRawMode: (isRaw: boolean) => {
      modes.push(isRaw);
      return stdin;
    },
  });
  let shown = '';
  const output = {
    write(text: string) {
      shown += text;
    },
  };
  const answers = askHidden({ stdin: stdin as never, output, questions });
  return { stdin, modes, answers, shown: () => shown };
}

it('shows nothing of what is typed, and restores the terminal', async () => {
  const { stdin, modes, answers, shown } = setUp();
  for (const key of 'sécret') stdin.emit('data', key);
  stdin.emit('data', '\r');
  expect(await answers).toEqual(['sécret']);
  expect(shown()).toBe('Password: \n');
  expect(modes).toEqual([true, false]);
});

it('deletes characters and whole lines', async () => {
  const { stdin, answers } = setUp();
  stdin.emit('data', 'wrong\u0015secrat\u007f\u007fet\n');
  expect(await answers).toEqual(['secret']);
});

it('ends on Ctrl-C like any command', async () => {
  const { stdin, answers, modes } = setUp();
  stdin.emit('data', 'sec\u0003');
  await expect(answers).rejects.toMatchObject({ exitCode: 130 });
  expect(modes.at(-1)).toBe(false);
});

it('uses pasted and typed-ahead lines as the next answer', async () => {
  const { stdin, answers, modes, shown } = setUp(['Password: ', 'Again: ']);
  stdin.emit('data', 'secret\rsecr');
  stdin.emit('data', 'et\r');
  expect(await answers).toEqual(['secret', 'secret']);
  expect({ shown: shown(), modes }).toEqual({ shown: 'Password: \nAgain: \n', modes: [true, false] });
});
