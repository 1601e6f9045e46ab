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
const outcomes = [outcome('soak', 'pass'), outcome(10, 'not-run', 'no Redis'), outcome(9, 'fail', '2 failed')];
const table = (style = (_: unknown, text: string) => text) =>
  createPromiseTable(outcomes, [promise(9), promise(10), promise('soak')], { style });

test('lists promises by number with what is tried, figure, state and time within 100 columns', () => {
  const lines = table().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  const firsts = lines.filter((line) => line.includes('Title'));
  expect(firsts.map((line) => line.split(/ {2,}/))).toEqual([
    [' 9', 'Title 9', '0 requests failed, 0 requests', 'fail', '1:09'],
    ['10', 'Title 10', '0 requests failed, 0 requests', 'not-run', '1:09'],
    ['soak', 'Title soak', '0 requests failed, 0 requests', 'pass', '1:09'],
  ]);
  expect(table().match(/what is done|requests\sfailed,/g)?.length).toBeGreaterThan(30);
});

test('lists below the table why promises failed or were not run', () => {
  expect(table().split('\n\n').at(-1)).toBe('9 fail: 2 failed\n10 not-run: no Redis');
});

test('has the same width with colours', () => {
  const coloured = table((style, text) => styleText(style as 'red', text, { validateStream: false }));
  expect(coloured).not.toBe(table());
  expect(stripVTControlCharacters(coloured).replaceAll(/ +$/gm, '')).toBe(table());
});

test('counts the states', () => {
  expect(countStates(outcomes)).toBe('1 passed, 1 failed, 1 not run');
});

test('formats times below a minute in seconds', () => {
  expect([9, 60, 725].map(formatSeconds)).toEqual(['9 s', '1:00', '12:05']);
});
