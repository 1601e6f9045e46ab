import { expect, test } from 'vitest';
import { createCompanyChanges } from './company-changes.ts';

function start() {
  let nowMs = 1_000;
  const changes = createCompanyChanges(() => nowMs);
  const begin = (account = 'a', company = 'C') => ({
    stamp: changes.stampOf(account, company),
    startedMs: nowMs,
  });
  return { ...changes, changes, read: begin, pass: (ms: number) => (nowMs += ms) };
}

test('a read is settled while nothing is written', () => {
  const { read, isSettled, begin } = start();
  const before = read();
  expect(isSettled('a', 'C', before)).toBe(true);
  const end = begin('b', 'C');
  const during = read();
  expect([isSettled('a', 'C', before), isSettled('a', 'C', during)]).toEqual([false, false]);
  end('answered');
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
])('tracks a write of %s', (_of, account, company, changesIt) => {
  const { read, stampOf, begin } = start();
  const { stamp } = read();
  begin(account, company)('answered');
  expect(stampOf('a', 'C') !== stamp).toBe(changesIt);
});

test('no read is settled while a write without a response may still take effect', () => {
  const { read, isSettled, begin, pass } = start();
  begin('a', 'C')('lost');
  pass(29_999);
  const early = read();
  expect(isSettled('a', 'C', early)).toBe(false);
  pass(1);
  expect([isSettled('a', 'C', early), isSettled('a', 'C', read())]).toEqual([false, true]);
});
