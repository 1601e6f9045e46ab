import { stripVTControlCharacters, styleText } from 'node:util';
import { expect, test } from 'vitest';
import { definePromise } from './define-promise.ts';
import { countStates, createPromiseTable, formatSeconds } from './promise-table.ts';
import type { Outcome } from './run-promise.ts';

const promise = (number: number | 'soak') =>
  definePromise({
    number,
    title: `Title ${number}`,
    done: 'what is done '.repeat(9),
    target: 'x',
    run: async () => [],
  });
const outcome = (number: number | 'soak', state: Outcome['state'], note = ''): Outcome => ({
  ...{ number, name: `Title ${number}`, target: 'x', state, note, figures: [], isLateOnly: false, tookSeconds: 69 },
  figure: '0 requests failed, '.repeat(12),
});
const outcomes = [outcome('soak', 'held'), outcome(10, 'not-run', 'no Redis'), outcome(9, 'short', '2 failed')];
const table = (style = (_: unknown, text: string) => text) =>
  createPromiseTable(outcomes, [promise(9), promise(10), promise('soak')], { style });

test('says of each promise by number what was done, its figure, its state and its time, within 100 columns', () => {
  const lines = table().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  const firsts = lines.filter((line) => line.includes('Title'));
  expect(firsts.map((line) => line.split(/ {2,}/))).toEqual([
    [' 9', 'Title 9', '0 requests failed, 0 requests', 'short', '1:09'],
    ['10', 'Title 10', '0 requests failed, 0 requests', 'not-run', '1:09'],
    ['soak', 'Title soak', '0 requests failed, 0 requests', 'held', '1:09'],
  ]);
  expect(table().match(/what is done|requests\sfailed,/g)?.length).toBeGreaterThan(30);
});

test('says why below it where a promise was not held', () => {
  expect(table().split('\n\n').at(-1)).toBe('9 short: 2 failed\n10 not-run: no Redis');
});

test('is as wide with colours', () => {
  const coloured = table((style, text) => styleText(style as 'red', text, { validateStream: false }));
  expect(coloured).not.toBe(table());
  expect(stripVTControlCharacters(coloured).replaceAll(/ +$/gm, '')).toBe(table());
});

test('counts the states', () => {
  expect(countStates(outcomes)).toBe('1 held, 1 short, 1 not run');
});

test('tells times below a minute in seconds', () => {
  expect([9, 60, 725].map(formatSeconds)).toEqual(['9 s', '1:00', '12:05']);
});
