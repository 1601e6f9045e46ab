import { expect, it } from 'vitest';
import { withProgress } from './progress.ts';

function outputOf(isTerminal: boolean) {
  const written: string[] = [];
  return { written, isTerminal, write: (text: string) => void written.push(text) };
}

it('tells at a terminal what takes long, and takes the line back', async () => {
  const output = outputOf(true);
  const told = Promise.withResolvers<number>();
  const write = (text: string) => {
    output.write(text);
    told.resolve(5);
  };
  expect(await withProgress({ output: { ...output, write }, text: 'Reading', afterMs: 1 }, told.promise)).toBe(5);
  expect(output.written).toEqual(['Reading…', '\r\x1b[K']);
});

it('takes the line back before a failure is told', async () => {
  const output = outputOf(true);
  const told = Promise.withResolvers<number>();
  const write = (text: string) => {
    output.write(text);
    told.reject(new Error('no'));
  };
  await expect(withProgress({ output: { ...output, write }, text: 'R', afterMs: 1 }, told.promise)).rejects.toThrow(
    'no',
  );
  expect(output.written.at(-1)).toBe('\r\x1b[K');
});

it.each([
  ['what is done at once', true],
  ['anything where nobody looks', false],
])('says nothing of %s', async (_, isTerminal) => {
  const output = outputOf(isTerminal);
  await withProgress({ output, text: 'Reading' }, Promise.resolve());
  expect(output.written).toEqual([]);
});
