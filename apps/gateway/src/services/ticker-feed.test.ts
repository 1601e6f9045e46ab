import { describe, expect, it } from 'vitest';
import { createTickerFeed } from './ticker-feed.ts';
import { loadCryptoSnapshot } from './tickers.ts';

const snapshot = loadCryptoSnapshot();
const live = { data: [...snapshot.tickers.values()].map((ticker) => ({ ...ticker, price_usd: '7' })) };
const good = () => Promise.resolve(Response.json(live));

/** A feed with a manual clock and recorded requests. */
function createBench(...answers: (() => Promise<Response>)[]) {
  let nowMs = 0;
  const sleepers = new Set<{ atMs: number; wake: () => void }>();
  const signals: AbortSignal[] = [];
  const failures: unknown[] = [];
  const feed = createTickerFeed({
    url: 'http://ticker.test/',
    snapshot,
    clock: () => nowMs,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { atMs: nowMs + ms, wake: () => resolve(undefined) };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    fetch: (_url, { signal }) => {
      signals.push(signal);
      return (answers[signals.length - 1] ?? good)();
    },
    onFailure: (error) => failures.push(error),
  });
  return {
    feed,
    signals,
    failures,
    sleepers,
    source: async () => (await feed.read()).source,
    async pass(ms: number) {
      nowMs += ms;
      for (const sleeper of [...sleepers].filter(({ atMs }) => atMs <= nowMs)) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise(setImmediate);
    },
  };
}

describe('createTickerFeed', () => {
  it('makes one request for all callers, and the next one after 30 seconds', async () => {
    const bench = createBench();
    const lists = await Promise.all([bench.feed.read(), bench.feed.read(), bench.feed.read()]);
    expect(lists.map(({ source }) => source)).toEqual(['live', 'live', 'live']);
    expect(lists[0]?.tickers.get('ETH')?.price_usd).toBe(7);
    await bench.pass(29_999);
    expect(await bench.source()).toBe('live');
    expect(bench.signals).toHaveLength(1);
    await bench.pass(1);
    await bench.source();
    expect(bench.signals).toHaveLength(2);
  });

  it.each([
    ['rejects the connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['responds with an error', () => Promise.resolve(new Response('no', { status: 503 }))],
    ['responds with something else', () => Promise.resolve(new Response('<html>'))],
    ['responds without end', () => Promise.resolve(new Response('x'.repeat(5 * 1024 * 1024)))],
  ])('returns the snapshot at once, and retries after 30 seconds, when the ticker %s', async (_, answer) => {
    const bench = createBench(answer);
    expect(await bench.feed.read()).toBe(snapshot);
    expect(bench.failures).toHaveLength(1);
    await bench.pass(29_999);
    expect(bench.feed.read()).toBe(snapshot);
    expect(bench.signals).toHaveLength(1);
    await bench.pass(1);
    expect(await bench.source()).toBe('live');
  });

  it('returns the snapshot after 2 seconds if the ticker does not respond', async () => {
    const bench = createBench(() => new Promise(() => {}));
    const first = bench.feed.read();
    await bench.pass(1_500);
    const second = bench.feed.read();
    await bench.pass(500);
    expect([await first, await second]).toEqual([snapshot, snapshot]);
    expect(bench.feed.read()).toBe(snapshot);
    expect(bench.signals).toHaveLength(1);
  });

  it('aborts a request after 10 seconds, and retries 30 seconds later', async () => {
    const bench = createBench(() => new Promise(() => {}));
    const first = bench.feed.read();
    await bench.pass(2_000);
    await first;
    await bench.pass(8_000);
    expect(bench.signals[0]?.aborted).toBe(true);
    await bench.pass(29_999);
    expect(await bench.source()).toBe('snapshot');
    await bench.pass(1);
    expect(await bench.source()).toBe('live');
    expect(bench.signals).toHaveLength(2);
  });

  it('uses a late response', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const bench = createBench(() => promise);
    const first = bench.feed.read();
    await bench.pass(2_000);
    expect((await first).source).toBe('snapshot');
    resolve(await good());
    await bench.pass(0);
    expect(await bench.source()).toBe('live');
    expect(bench.signals).toHaveLength(1);
  });

  it('leaves no timer behind', async () => {
    const bench = createBench(good, () => Promise.reject(new Error('down')));
    await bench.source();
    await bench.pass(30_000);
    await bench.source();
    expect(bench.sleepers.size).toBe(0);
  });
});
