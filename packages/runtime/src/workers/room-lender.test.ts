import { describe, expect, it } from 'vitest';
import type { Verdict } from '../limits/index.ts';
import { RoomLender } from './room-lender.ts';

const windowMs = 60_000;
const hit = { keys: ['a'], limits: [1_000] };

/** A lender to two workers, by a clock that stands still. */
function open() {
  const time = { ms: 1_000_000 };
  const recalled: string[] = [];
  const timers: (() => void)[] = [];
  const lender = new RoomLender({
    windowMs,
    clock: () => time.ms,
    workers: 2,
    wait: () => new Promise<void>((end) => timers.push(end)),
  });
  const [ann, bob] = ['ann', 'bob'].map((name) => ({ recall: (key: string) => recalled.push(`${name} ${key}`) }));
  const hits = (count: number, one = hit) => Array.from({ length: count }, () => lender.hit(one)).at(-1) as Verdict;
  const used = () => hits(1)[0]?.used;
  return { lender, time, recalled, timers, hits, used, ann: ann as Borrower, bob: bob as Borrower };
}

type Borrower = Parameters<RoomLender['lend']>[0];

describe('a lender of room', () => {
  it('counts what it lends as used until it is given back, then only what it was used for', () => {
    const { lender, hits, used, ann } = open();
    hits(20);
    const [lease] = lender.lend(ann, [hit]);
    expect(lease).toMatchObject({ key: 'a', room: 20, used: 20 });
    expect(used()).toBe(41);
    lender.takeBack(ann, [{ id: lease?.id as number, key: 'a', uses: [5, 3, 1, 1] }]);
    expect(used()).toBe(26);
  });

  it('lends a key once to each, and what a worker lacks of the keys of a hit or nothing', () => {
    const { lender, hits, ann, bob } = open();
    const both = { keys: ['a', 'b'], limits: [1_000, 30] };
    hits(20, both);
    expect(lender.lend(ann, [both])).toEqual([]);
    expect(lender.lend(ann, [hit, hit])).toHaveLength(1);
    expect(lender.lend(ann, [hit])).toEqual([]);
    expect(lender.lend(bob, [hit])).toHaveLength(1);
    const other = { keys: ['a', 'c'], limits: [1_000, 1_000] };
    hits(20, other);
    expect(lender.lend(ann, [both, other])).toMatchObject([{ key: 'c' }]);
  });

  it('calls back all that is lent of a key before it refuses, and waits for those who are late only so long', async () => {
    const { lender, hits, recalled, timers, ann, bob } = open();
    hits(20);
    const [lease] = lender.lend(ann, [hit]);
    lender.lend(bob, [hit]);
    hits(940);
    const asked = [lender.hit(hit), lender.hit(hit)];
    expect(recalled).toEqual(['ann a', 'bob a']);
    lender.takeBack(ann, [{ id: lease?.id as number, key: 'a', uses: [1, 19] }]);
    timers[0]?.();
    expect(await Promise.all(asked)).toMatchObject([[{ isAdmitted: true }], [{ isAdmitted: false, used: 1_000 }]]);
    expect(lender.hit(hit)).not.toBeInstanceOf(Promise);
  });

  it('takes what one who has ended had for used, once', () => {
    const { lender, hits, used, ann } = open();
    hits(20);
    const [lease] = lender.lend(ann, [hit]);
    lender.forget(ann);
    lender.takeBack(ann, [{ id: lease?.id as number, key: 'a', uses: [1, 5] }]);
    expect(used()).toBe(41);
  });

  it('lends nothing to one who has ended', () => {
    const { lender, hits, used, ann } = open();
    hits(20);
    lender.forget(ann);
    expect(lender.lend(ann, [hit])).toEqual([]);
    expect(used()).toBe(21);
  });

  it('forgets what nobody gave back when a window has passed, and does not take it for what it has lent since', () => {
    const { lender, time, hits, used, ann } = open();
    hits(20);
    const [first] = lender.lend(ann, [hit]);
    time.ms += windowMs + 100;
    hits(10);
    expect(lender.lend(ann, [hit])).toMatchObject([{ room: 10, used: 10 }]);
    lender.takeBack(ann, [{ id: first?.id as number, key: 'a', uses: [1, 20] }]);
    expect(used()).toBe(21);
  });

  it('remembers nothing when it is closed, lends no more, and lets nobody wait', async () => {
    const { lender, hits, used, ann } = open();
    hits(20);
    const [lease] = lender.lend(ann, [hit]);
    hits(960);
    const asked = lender.hit(hit);
    expect(asked).toBeInstanceOf(Promise);
    await lender.close();
    expect(await asked).toMatchObject([{ isAdmitted: true, used: 1 }]);
    lender.takeBack(ann, [{ id: lease?.id as number, key: 'a', uses: [1, 20] }]);
    expect(used()).toBe(2);
    hits(20);
    expect(lender.lend(ann, [hit])).toEqual([]);
  });
});
