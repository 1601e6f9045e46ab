import { describe, expect, it } from 'vitest';
import { createCacheStore, type KeptAnswer } from './cache-store.ts';

const answer = (bytes: number): KeptAnswer => ({
  status: 200,
  contentType: 'text/plain',
  headers: {},
  bytes: Buffer.alloc(bytes),
  etag: undefined,
  lastModified: undefined,
  bornMs: 0,
  freshUntilMs: 1,
});

describe('createCacheStore', () => {
  it('stays within its bytes, whatever is put in, and gives up what was asked for longest ago', () => {
    const store = createCacheStore({ bytesMax: 20_000 });
    for (let i = 0; i < 1_000; i++) {
      store.set(`key ${i}`, [], {}, answer(1_000));
      store.get('key 0', {});
      expect(store.bytes).toBeLessThanOrEqual(20_000);
    }
    expect(store.get('key 0', {})).toBeDefined();
    expect(store.get('key 999', {})).toBeDefined();
    expect(store.get('key 500', {})).toBeUndefined();
  });

  it('counts nothing when it holds nothing', () => {
    const store = createCacheStore({ bytesMax: 100_000 });
    store.set('a', ['accept'], { accept: 'x' }, answer(10));
    store.set('a', ['accept'], { accept: 'y' }, answer(500));
    store.set('a', ['accept'], { accept: 'y' }, answer(50));
    store.set('a', ['origin'], { origin: 'z' }, answer(50));
    store.delete('a');
    expect([store.bytes, store.size]).toEqual([0, 0]);
  });

  it('tells requests apart by the headers that an answer depends on', () => {
    const store = createCacheStore({ bytesMax: 100_000 });
    const [x, y] = [answer(1), answer(2)];
    store.set('a', ['accept'], { accept: 'x' }, x);
    store.set('a', ['accept'], { accept: 'y, z' }, y);
    expect(store.get('a', { accept: 'x' })).toBe(x);
    expect(store.get('a', { accept: 'y ,z' })).toBe(y);
    expect(store.get('a', {})).toBeUndefined();
    expect(store.get('b', { accept: 'x' })).toBeUndefined();
  });

  it('bounds the answers to one address', () => {
    const store = createCacheStore({ bytesMax: 10_000_000, variantsMax: 4 });
    for (let i = 0; i < 100; i++) store.set('a', ['x'], { x: String(i) }, answer(1_000));
    expect(store.bytes).toBeLessThan(8_000);
    expect(store.get('a', { x: '99' })).toBeDefined();
  });
});
