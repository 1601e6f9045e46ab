import { compressRepeated } from '@rostergate/server/edge';
import { describe, expect, it } from 'vitest';
import { createCacheStore, type StoredResponse } from './cache-store.ts';
import { selectingHeaders } from './fields.ts';

const response = (bytes: number | Buffer, headers = {}): StoredResponse => ({
  status: 200,
  contentType: 'text/plain',
  upstreamHeaders: headers,
  headers,
  bytes: typeof bytes === 'number' ? Buffer.alloc(bytes) : bytes,
  bornMs: 0,
  freshUntilMs: 1,
  mayBeStale: true,
  staleWhileRevalidateMs: 0,
  staleIfErrorMs: 0,
});
const parts = (uri: string) => ({ uri, scope: 's', caller: '' });
const sent = (headers: Record<string, string> = {}) => selectingHeaders((name) => headers[name]);

describe('createCacheStore', () => {
  it('stays within bytesMax and evicts the least recently used', () => {
    const store = createCacheStore({ bytesMax: 20_000 });
    for (let i = 0; i < 1_000; i++) {
      store.set(`key ${i}`, parts(`key ${i}`), [], sent(), response(1_000));
      store.get('key 0', sent());
      expect(store.bytes).toBeLessThanOrEqual(20_000);
    }
    expect(store.get('key 0', sent())).toBeDefined();
    expect(store.get('key 999', sent())).toBeDefined();
    expect(store.get('key 500', sent())).toBeUndefined();
  });

  it('counts headers and compressed copies, and nothing when it is empty', async () => {
    const store = createCacheStore({ bytesMax: 1_000_000 });
    const bytes = Buffer.from('a word '.repeat(1_000));
    store.set('a', parts('/a'), [], sent(), response(bytes, { 'X-A': 'b'.repeat(1_000) }));
    const before = store.bytes;
    expect(before).toBeGreaterThan(bytes.length + 2_000);
    await compressRepeated(bytes, 'gzip');
    const copy = await compressRepeated(bytes, 'gzip');
    expect(store.bytes).toBe(before + copy.length);
    // A freshened response has the same bytes, and their compressed copy.
    store.set('a', parts('/a'), [], sent(), response(bytes, { 'X-A': 'b'.repeat(1_000) }));
    expect(store.bytes).toBe(before + copy.length);
    store.set('a', parts('/a'), ['accept'], sent({ accept: 'y' }), response(500));
    store.deleteUri('/a');
    expect([store.bytes, store.size]).toEqual([0, 0]);
  });

  it('selects by the request headers that responses vary by', () => {
    const store = createCacheStore({ bytesMax: 100_000 });
    const [x, y, both] = [response(1), response(2), response(3)];
    store.set('a', parts('/a'), ['accept'], sent({ accept: 'x' }), x);
    store.set('a', parts('/a'), ['accept'], sent({ accept: 'y, z' }), y);
    expect(store.get('a', sent({ accept: 'x' }))).toBe(x);
    expect(store.get('a', sent({ accept: 'y ,z' }))).toBe(y);
    expect(store.get('a', sent())).toBeUndefined();
    expect(store.get('a', sent({ accept: '' }))).toBeUndefined();
    expect(store.get('b', sent({ accept: 'x' }))).toBeUndefined();
    store.set('a', parts('/a'), ['accept', 'origin'], sent({ accept: 'x', origin: 'o' }), both);
    expect(store.get('a', sent({ accept: 'x', origin: 'o' }))).toBe(both);
    expect(store.get('a', sent({ accept: 'x', origin: 'p' }))).toBe(x);
  });

  it('ignores spaces and tabs around commas, and no other characters', () => {
    const store = createCacheStore({ bytesMax: 100_000 });
    const stored = response(1);
    store.set('a', parts('/a'), ['accept'], sent({ accept: 'x,y,z' }), stored);
    expect(store.get('a', sent({ accept: 'x\t , y ,\tz' }))).toBe(stored);
    for (const accept of ['x,\u00a0y,z', 'x, y z', 'x,y,z,', `x,${' '.repeat(3_000)}y,z`]) {
      expect(store.get('a', sent({ accept }))).toBeUndefined();
    }
  });

  it('replaces or removes one variant and leaves the others', () => {
    const store = createCacheStore({ bytesMax: 1_000_000, variantsMax: 4 });
    for (let i = 0; i < 4; i++) store.set('a', parts('/a'), ['x'], sent({ x: `${i}` }), response(i));
    store.set('a', parts('/a'), ['x'], sent({ x: '0' }), response(9));
    const lengths = () => [0, 1, 2, 3].map((i) => store.get('a', sent({ x: `${i}` }))?.bytes.length);
    expect(lengths()).toEqual([9, 1, 2, 3]);
    store.delete('a', sent({ x: '2' }));
    expect(lengths()).toEqual([9, 1, undefined, 3]);
  });

  it('limits the variants of one key, and removes the oldest', () => {
    const store = createCacheStore({ bytesMax: 10_000_000, variantsMax: 4 });
    for (let i = 0; i < 100; i++) store.set('a', parts('/a'), ['x'], sent({ x: String(i) }), response(1_000));
    expect(store.bytes).toBeLessThan(8_000);
    expect([95, 96, 99].map((x) => store.get('a', sent({ x: `${x}` })) !== undefined)).toEqual([false, true, true]);
  });

  it('removes every response for a URI, and those of removed scopes', () => {
    const store = createCacheStore({ bytesMax: 1_000_000 });
    for (const caller of ['a', 'b'])
      store.set(`s ${caller}`, { uri: '/a', scope: 's', caller }, [], sent(), response(1));
    for (const scope of ['s', 't']) store.set(`${scope} /b`, { uri: '/b', scope, caller: '' }, [], sent(), response(1));
    store.deleteUri('/a');
    expect(store.size).toBe(2);
    store.retain(new Set(['t']));
    expect([store.get('s /b', sent()), store.get('t /b', sent())?.status]).toEqual([undefined, 200]);
    const { bytes } = store;
    store.set('s /b', { uri: '/b', scope: 's', caller: '' }, [], sent(), response(1));
    expect([store.size, store.bytes]).toEqual([1, bytes]);
  });
});
