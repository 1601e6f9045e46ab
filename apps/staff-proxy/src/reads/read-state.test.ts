import { expect, test } from 'vitest';
import { createCompanyChanges } from './read-state.ts';

function start() {
  let nowMs = 1_000;
  const changes = createCompanyChanges(() => nowMs);
  const read = (account = 'a', company = 'C') => ({
    stamp: changes.stampOf(account, company),
    startedMs: nowMs,
  });
  /** Begins a write; returns the function that ends it. */
  const begin = (account: string, company: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const written = changes.during(account, company, () => promise).catch(() => {});
    return (fault?: Error) => {
      if (fault === undefined) resolve();
      else reject(fault);
      return written;
    };
  };
  return { ...changes, read, begin, pass: (ms: number) => (nowMs += ms) };
}

test('a read is settled while nothing is written', async () => {
  const { read, isSettled, begin } = start();
  const before = read();
  expect(isSettled('a', 'C', before)).toBe(true);
  const end = begin('b', 'C');
  const during = read();
  expect([isSettled('a', 'C', before), isSettled('a', 'C', during)]).toEqual([false, false]);
  await end();
  expect([isSettled('a', 'C', before), isSettled('a', 'C', during), isSettled('a', 'C', read())]).toEqual([
    false,
    false,
    true,
  ]);
});

test.each([
  ['the company, by any account', 'b', 'C', true],
  ['the company in another spelling', 'b', 'c', true],
  ['the account, in another company', 'a', 'D', true],
  ['another account and company', 'b', 'D', false],
])('tracks a write of %s', async (_of, account, company, changesIt) => {
  const { read, stampOf, begin } = start();
  const { stamp } = read();
  await begin(account, company)();
  expect(stampOf('a', 'C') !== stamp).toBe(changesIt);
});

test('no read is settled while a write without a response may still take effect', async () => {
  const { read, isSettled, begin, pass } = start();
  await begin('a', 'C')(new Error('connection reset'));
  pass(29_999);
  const early = read();
  expect(isSettled('a', 'C', early)).toBe(false);
  pass(1);
  expect([isSettled('a', 'C', early), isSettled('a', 'C', read())]).toEqual([false, true]);
});
