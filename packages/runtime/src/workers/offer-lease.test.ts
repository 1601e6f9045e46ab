import { expect, it } from 'vitest';
import { SlidingWindow } from '../limits/index.ts';
import { type LeaseRequest, offerLease } from './offer-lease.ts';

const windowMs = 60_000;
const nowMs = 1_000_000;

/** A request for room of a key that was hit at these times, by the only one who may borrow. */
function ask(times: readonly number[], more: Partial<LeaseRequest> = {}) {
  const window = new SlidingWindow({ windowMs, clock: () => nowMs });
  window.hit('a', 1);
  const log = window.logOf('a') as LeaseRequest['log'];
  log.dropExpired(nowMs + windowMs, windowMs);
  log.merge(times);
  return offerLease({ key: 'a', limit: 1_000, log, lent: 0, share: 1, nowMs, windowMs, ...more });
}

const times = (count: number, agoMs = 10) => new Array<number>(count).fill(nowMs - agoMs);

it('offers as much as was needed just now, and tells what is used and when it leaves', () => {
  expect(ask([...times(30, 500), ...times(20)], { lent: 5 })).toEqual({
    key: 'a',
    limit: 1_000,
    room: 20,
    lifeMs: 100,
    used: 55,
    leaving: [windowMs - 500, 30],
  });
});

it('offers nothing to who asks seldom', () => {
  expect(ask(times(7))).toBeUndefined();
  expect(ask(times(500, 100))).toBeUndefined();
  expect(ask(times(8))).toMatchObject({ room: 8 });
});

it('offers no more than an eighth of what is left, in equal shares, and never more than a thousand', () => {
  expect(ask(times(200), { lent: 160 })).toMatchObject({ room: 80 });
  expect(ask(times(200), { lent: 160, share: 1 / 4 })).toMatchObject({ room: 20 });
  expect(ask(times(200), { lent: 740 })).toBeUndefined();
  expect(ask(times(200), { limit: 100 })).toBeUndefined();
  expect(ask(times(2_000), { limit: 100_000 })).toMatchObject({ room: 1_000 });
});

it('ends with the last moment that it can tell of', () => {
  const leaving = Array.from({ length: 40 }, (_, i) => nowMs - windowMs + 1 + i);
  const lease = ask([...leaving, ...times(20)]);
  expect(lease?.leaving).toHaveLength(64);
  expect(lease?.lifeMs).toBe(32);
});
