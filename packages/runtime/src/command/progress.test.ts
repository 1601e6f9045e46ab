import { expect, it } from 'vitest';
import { createProgressBar, withProgress } from './progress.ts';

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

function setUp({ isTerminal = true, columns = 80 } = {}) {
  const time = { ms: 0 };
  let text = '';
  const output = {
    isTerminal,
    columns,
    style: (_: unknown, plain: string) => plain,
    write: (t: string) => (text += t),
  };
  const bar = createProgressBar({ output, text: 'Seeding', unit: 'people', clock: () => time.ms });
  return { time, bar, text: () => text };
}

it('draws how far the work is, and how long it will still take', () => {
  const { time, bar, text } = setUp();
  time.ms = 2_000;
  bar.show(25_000, 100_000);
  expect(text()).toBe('\r\x1b[KSeeding ━━━━━━━─────────────────────  25 %  25,000 of 100,000 people, 6 s left');
});

it('draws ten times a second at most, and takes its line back', () => {
  const { time, bar, text } = setUp();
  bar.show(1, 10);
  const first = text();
  time.ms = 99;
  bar.show(2, 10);
  expect(text()).toBe(first);
  bar.clear();
  expect(text()).toBe(`${first}\r\x1b[K`);
});

it('leaves the bar out where the terminal is narrow', () => {
  const { bar, text } = setUp({ columns: 32 });
  bar.show(1, 10);
  expect(text()).toBe('\r\x1b[KSeeding  10 %  1 of 10 people');
});

it('says nothing where nobody watches', () => {
  const { bar, text } = setUp({ isTerminal: false });
  bar.show(1, 10);
  bar.clear();
  expect(text()).toBe('');
});
