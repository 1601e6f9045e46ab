import { expect, it } from 'vitest';
import { createProgressBar } from './progress-bar.ts';

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
