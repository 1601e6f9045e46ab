import { describe, expect, it } from 'vitest';
import { type UsageCount, UsageCounter } from './usage-counter.ts';

const hourMs = 3_600_000;
const web = { name: 'web', owner: 'shop' };

function create({ seriesMax = 100 } = {}) {
  const time = { ms: 10 * hourMs };
  return { time, counter: new UsageCounter({ clock: () => time.ms, seriesMax }) };
}

function takeAll(counter: UsageCounter): UsageCount[] {
  const taken = counter.take();
  return [...{ [Symbol.iterator]: () => taken }];
}

describe('UsageCounter', () => {
  it('counts each hour, key, operation and class of status apart, and 429 apart from the other 4xx', () => {
    const { counter, time } = create();
    for (const status of [200, 204, 304, 404, 429, 499, 500, 503, 101]) counter.count(web, 'getA', status);
    counter.count(null, 'getA', 200);
    counter.count(web, 'getB', 200);
    time.ms = 11 * hourMs - 1;
    counter.count(web, 'getB', 200);
    time.ms += 1;
    counter.count(web, 'getB', 200);
    const taken = takeAll(counter).map(({ hour, owner, key, operation, status, requests }) =>
      [hour, owner, key, operation, status, requests].join(' '),
    );
    expect(taken.sort()).toEqual([
      '10   getA 2xx 1',
      '10 shop web getA 1xx 1',
      '10 shop web getA 2xx 2',
      '10 shop web getA 3xx 1',
      '10 shop web getA 429 1',
      '10 shop web getA 4xx 2',
      '10 shop web getA 5xx 2',
      '10 shop web getB 2xx 2',
      '11 shop web getB 2xx 1',
    ]);
    expect(takeAll(counter)).toEqual([]);
  });

  it('keeps keys of the same name apart by their owner', () => {
    const { counter } = create();
    for (const owner of ['a', 'b', 'a', 'c']) counter.count({ name: 'web', owner }, 'getA', 200);
    expect(Object.fromEntries(takeAll(counter).map(({ owner, requests }) => [owner, requests]))).toEqual({
      ...{ a: 2, b: 1, c: 1 },
    });
  });

  it('counts in the hour of the clock when it is set back', () => {
    const { counter, time } = create();
    counter.count(web, 'getA', 200);
    time.ms -= 1;
    counter.count(web, 'getA', 200);
    time.ms += 1;
    counter.count(web, 'getA', 200);
    expect(takeAll(counter).map(({ hour, requests }) => [hour, requests])).toEqual([
      [10, 2],
      [9, 1],
    ]);
  });

  it('counts requests of further keys together once the bound is reached, and those of known keys as before', () => {
    const { counter } = create({ seriesMax: 3 });
    for (let i = 0; i < 1_000; i++) counter.count({ name: `k${i}`, owner: 'a' }, 'getA', 200);
    counter.count({ name: 'k1', owner: 'a' }, 'getA', 200);
    expect([counter.counted, counter.overflowed, counter.series]).toEqual([1_001, 997, 4]);
    const taken = takeAll(counter).map(({ key, operation, requests }) => `${key} ${operation} ${requests}`);
    expect(taken).toEqual(['k0 getA 1', 'k1 getA 2', 'k2 getA 1', ' (overflow) 997']);
    counter.count({ name: 'k9', owner: 'a' }, 'getA', 200);
    expect(takeAll(counter)).toMatchObject([{ key: 'k9', operation: 'getA' }]);
  });
});
