import { expect, test } from 'vitest';
import { judge } from '../../../benchmark/src/figure.ts';
import { definePromise, type KeptPromise, NotRun } from './define-promise.ts';
import { judgeLateness } from './judge-lateness.ts';
import { runPromise } from './run-promise.ts';

const inCi = { scale: 'ci', seed: 7, say: () => {} } as const;
const failed = (figure: number) => judge({ name: 'requests failed', unit: '', max: 0 }, figure, 'ECONNRESET');
const outcomeOf = (run: KeptPromise['run']) =>
  runPromise(definePromise({ number: 1, title: 'Nothing fails', done: 'x', target: '0 failed', run }), inCi);

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
  expect(await runPromise(promise, { ...inCi, scale: 'full' })).toMatchObject({ state: 'short' });
});

test('may be tried again when times alone are above their bounds', async () => {
  const late = judge({ name: 'slowest', unit: 'ms', max: 20 }, 500);
  expect(await outcomeOf(async () => [late, failed(0)])).toMatchObject({ state: 'short', isLateOnly: true });
  const others: readonly KeptPromise['run'][] = [
    async () => [late, failed(1)],
    async () => [late, judge({ name: 'for twice of it', unit: '×', max: 3 }, 4)],
    async () => [late, judge({ name: 'more heap', unit: 'MiB', max: 3 }, 4)],
    async () => [judge({ name: 'fast', unit: 'ms', min: 20 }, 1)],
    async () => [judgeLateness({ name: 'late', unit: 'ms', max: 20 }, -1)],
    async () => [],
    () => Promise.reject(new Error('no answer')),
    () => Promise.reject(new NotRun('There is no redis-server.')),
    async ({ atEnd }) => {
      atEnd(() => Promise.reject(new Error('still there')));
      return [late];
    },
  ];
  for (const run of others) expect(await outcomeOf(run)).toMatchObject({ isLateOnly: false });
});

test('draws the same random input from the same seed, and another for another promise or seed', async () => {
  const drawn = async (number: number, seed: number) => {
    const numbers: number[] = [];
    const run: KeptPromise['run'] = async (trial) => {
      numbers.push(trial.seed, trial.random.next(), trial.random.next());
      return [failed(0)];
    };
    await runPromise(definePromise({ number, title: 'x', done: 'x', target: 'x', run }), { ...inCi, seed });
    return numbers;
  };
  expect(await drawn(1, 7)).toEqual(await drawn(1, 7));
  expect((await drawn(1, 7))[1]).not.toBe((await drawn(2, 7))[1]);
  expect((await drawn(1, 7))[1]).not.toBe((await drawn(1, 8))[1]);
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
