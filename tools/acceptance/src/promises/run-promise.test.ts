import { expect, test } from 'vitest';
import { toFigure } from '../../../benchmark/src/figure.ts';
import { definePromise, NotRun, type PromiseTrial } from './define-promise.ts';
import { runPromise } from './run-promise.ts';
import { toLatenessFigure } from './time-figures.ts';

const inCi = { scale: 'ci', seed: 7, say: () => {} } as const;
const failed = (figure: number) => toFigure({ name: 'requests failed', unit: '', max: 0 }, figure, 'ECONNRESET');
const outcomeOf = (run: PromiseTrial['run']) =>
  runPromise(definePromise({ number: 1, title: 'Nothing fails', done: 'x', target: '0 failed', run }), inCi);

test('passes when every figure passes, and runs the cleanups in reverse order', async () => {
  const ended: string[] = [];
  const outcome = await outcomeOf(async ({ atEnd, byScale }) => {
    for (const name of ['first', 'second']) atEnd(async () => ended.push(name));
    return [failed(0), toFigure({ name: 'requests', unit: '', min: 5 }, byScale({ ci: 1_234, full: 0 }))];
  });
  expect(outcome).toMatchObject({ state: 'pass', figure: '0 requests failed, 1,234 requests', note: '' });
  expect(ended).toEqual(['second', 'first']);
});

test('fails with the reason when a figure fails or is missing, and when the trial or a cleanup throws', async () => {
  expect(await outcomeOf(async () => [failed(2)])).toMatchObject({
    state: 'fail',
    note: 'requests failed: ≤ 0 (ECONNRESET)',
  });
  expect(await outcomeOf(async () => [])).toMatchObject({ state: 'fail' });
  expect(await outcomeOf(() => Promise.reject(new Error('no response')))).toMatchObject({
    state: 'fail',
    note: 'no response',
  });
  const brokenEnd = await outcomeOf(async ({ atEnd }) => {
    atEnd(() => Promise.reject(new Error('still there')));
    return [failed(0)];
  });
  expect(brokenEnd).toMatchObject({ state: 'fail', note: 'still there' });
});

test('CI allows a time slightly above its limit and notes it', async () => {
  const late = () => [toFigure({ name: 'until reported', unit: 'ms', max: 20 }, 30)];
  const ofCi = await outcomeOf(async () => late());
  expect(ofCi).toMatchObject({ state: 'pass', note: expect.stringMatching(/^until reported: ≤ 20 ms \(30\.0 ms/) });
  const promise = definePromise({ number: 1, title: 'x', done: 'x', target: 'x', run: async () => late() });
  expect(await runPromise(promise, { ...inCi, scale: 'full' })).toMatchObject({ state: 'fail' });
});

test('may be repeated when only times are above their limits', async () => {
  const late = toFigure({ name: 'slowest', unit: 'ms', max: 20 }, 500);
  expect(await outcomeOf(async () => [late, failed(0)])).toMatchObject({ state: 'fail', isLateOnly: true });
  const others: readonly PromiseTrial['run'][] = [
    async () => [late, failed(1)],
    async () => [late, toFigure({ name: 'growth per doubled input', unit: '×', max: 3 }, 4)],
    async () => [late, toFigure({ name: 'more heap', unit: 'MiB', max: 3 }, 4)],
    async () => [toFigure({ name: 'fast', unit: 'ms', min: 20 }, 1)],
    async () => [toLatenessFigure({ name: 'late', unit: 'ms', max: 20 }, -1)],
    async () => [],
    () => Promise.reject(new Error('no response')),
    () => Promise.reject(new NotRun('There is no redis-server.')),
    async ({ atEnd }) => {
      atEnd(() => Promise.reject(new Error('still there')));
      return [late];
    },
  ];
  for (const run of others) expect(await outcomeOf(run)).toMatchObject({ isLateOnly: false });
});

test('draws the same random input from the same seed, and different input for another promise or seed', async () => {
  const drawn = async (number: number, seed: number) => {
    const numbers: number[] = [];
    const run: PromiseTrial['run'] = async (trial) => {
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

test('keeps the beginning and the end of a long error', async () => {
  const { note } = await outcomeOf(() => Promise.reject(new Error(`no response\n${'log '.repeat(5_000)}\nthe end`)));
  expect(note).toMatch(/^no response\n/);
  expect(note).toMatch(/the end$/);
  expect(note.length).toBeLessThan(1_000);
});

test('is not run when a requirement is missing', async () => {
  const outcome = await outcomeOf(() => Promise.reject(new NotRun('There is no redis-server.')));
  expect(outcome).toMatchObject({ state: 'not-run', figure: '', note: 'There is no redis-server.' });
});
