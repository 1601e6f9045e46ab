import { expect, test } from 'vitest';
import { judge } from '../../../benchmark/src/figure.ts';
import { definePromise, type KeptPromise, NotRun } from './define-promise.ts';
import { runPromise } from './run-promise.ts';

const failed = (figure: number) => judge({ name: 'requests failed', unit: '', max: 0 }, figure, 'ECONNRESET');
const outcomeOf = (run: KeptPromise['run']) =>
  runPromise(definePromise({ number: 1, title: 'Nothing fails', done: 'x', target: '0 failed', run }), 'ci', () => {});

test('is held when every figure is, and what was started is ended, the last one first', async () => {
  const ended: string[] = [];
  const outcome = await outcomeOf(async ({ atEnd, often }) => {
    for (const name of ['first', 'second']) atEnd(async () => ended.push(name));
    return [failed(0), judge({ name: 'requests', unit: '', min: 5 }, often({ ci: 1_234, full: 0 }))];
  });
  expect(outcome).toMatchObject({ state: 'held', figure: '0 requests failed, 1,234 requests', note: '' });
  expect(ended).toEqual(['second', 'first']);
});

test('is short, and says why, when a figure is, when there is none, and when the trial or an end of it breaks', async () => {
  expect(await outcomeOf(async () => [failed(2)])).toMatchObject({
    state: 'short',
    note: 'requests failed: ≤ 0 (ECONNRESET)',
  });
  expect(await outcomeOf(async () => [])).toMatchObject({ state: 'short' });
  expect(await outcomeOf(() => Promise.reject(new Error('no answer')))).toMatchObject({
    state: 'short',
    note: 'no answer',
  });
  const brokenEnd = await outcomeOf(async ({ atEnd }) => {
    atEnd(() => Promise.reject(new Error('still there')));
    return [failed(0)];
  });
  expect(brokenEnd).toMatchObject({ state: 'short', note: 'still there' });
});

test('takes in CI a time that is somewhat above its bound, and tells of it', async () => {
  const late = () => [judge({ name: 'until it is told', unit: 'ms', max: 20 }, 30)];
  const ofCi = await outcomeOf(async () => late());
  expect(ofCi).toMatchObject({ state: 'held', note: expect.stringMatching(/^until it is told: ≤ 20 ms \(30\.0 ms/) });
  const promise = definePromise({ number: 1, title: 'x', done: 'x', target: 'x', run: async () => late() });
  expect(await runPromise(promise, 'full', () => {})).toMatchObject({ state: 'short' });
});

test('says of a long fault how it begins and how it ends', async () => {
  const { note } = await outcomeOf(() => Promise.reject(new Error(`no answer\n${'log '.repeat(5_000)}\nthe end`)));
  expect(note).toMatch(/^no answer\n/);
  expect(note).toMatch(/the end$/);
  expect(note.length).toBeLessThan(1_000);
});

test('was not run where something is missing', async () => {
  const outcome = await outcomeOf(() => Promise.reject(new NotRun('There is no redis-server.')));
  expect(outcome).toMatchObject({ state: 'not-run', figure: '', note: 'There is no redis-server.' });
});
