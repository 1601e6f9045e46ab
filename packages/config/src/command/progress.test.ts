import { expect, it } from 'vitest';
import { createProgressBar, withProgress } from './progress.ts';

function outputOf(isTerminal: boolean) {
  const written: string[] = [];
  return { written, isTerminal, write: (text: string) => void written.push(text) };
}

it('shows long work on a terminal and clears the line', async () => {
  const output = outputOf(true);
  const shown = Promise.withResolvers<number>();
  const write = (text: string) => {
    output.write(text);
    shown.resolve(5);
  };
  expect(await withProgress({ output: { ...output, write }, text: 'Reading', afterMs: 1 }, shown.promise)).toBe(5);
  expect(output.written).toEqual(['Reading…', '\r\x1b[K']);
});

it('clears the line before a failure is reported', async () => {
  const output = outputOf(true);
  const shown = Promise.withResolvers<number>();
  const write = (text: string) => {
    output.write(text);
    shown.reject(new Error('no'));
  };
  await expect(withProgress({ output: { ...output, write }, text: 'R', afterMs: 1 }, shown.promise)).rejects.toThrow(
    'no',
  );
  expect(output.written.at(-1)).toBe('\r\x1b[K');
});

it.each([
  ['short work', true],
  ['any work without a terminal', false],
])('shows nothing for %s', async (_, isTerminal) => {
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

it('draws progress and the time left', () => {
  const { time, bar, text } = setUp();
  time.ms = 2_000;
  bar.show(25_000, 100_000);
  expect(text()).toBe('\r\x1b[KSeeding ━━━━━━━─────────────────────  25 %  25,000 of 100,000 people, 6 s left');
});

it('draws at most ten times a second, and clears its line', () => {
  const { time, bar, text } = setUp();
  bar.show(1, 10);
  const first = text();
  time.ms = 99;
  bar.show(2, 10);
  expect(text()).toBe(first);
  bar.clear();
  expect(text()).toBe(`${first}\r\x1b[K`);
});

it('omits the bar on a narrow terminal', () => {
  const { bar, text } = setUp({ columns: 32 });
  bar.show(1, 10);
  expect(text()).toBe('\r\x1b[KSeeding  10 %  1 of 10 people');
});

it('draws nothing without a terminal', () => {
  const { bar, text } = setUp({ isTerminal: false });
  bar.show(1, 10);
  bar.clear();
  expect(text()).toBe('');
});
