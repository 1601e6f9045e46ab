import { Readable } from 'node:stream';
import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { type Headers, shown, startCache, streamOf } from '../../test/start-cache.ts';
import type { CachedRequest } from './index.ts';

const epoch = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** A cache whose upstream sends the same headers with every response, and the count as its body. */
const startDeclaring = (declared: Headers, status = 200) => startCache((n) => streamOf(`${n}`, declared, status));

/** The bodies of successive requests, `ms` apart. */
async function bodiesOf({ get, time }: ReturnType<typeof startCache>, requests: Headers[], ms = 0): Promise<string[]> {
  const bodies = [];
  for (const headers of requests) {
    bodies.push((await shown(get(headers))).body);
    time.pass(ms);
  }
  return bodies;
}

describe('§3 storing', () => {
  it.each([200, 203, 204, 300, 301, 302, 307, 308, 404, 405, 410, 414, 501, 503])(
    'reuses a fresh %i',
    async (status) => {
      const { get, asked } = startDeclaring({ 'Cache-Control': 'max-age=9' }, status);
      for (let i = 0; i < 2; i++) expect(await shown(get())).toMatchObject({ status, body: '1' });
      expect(asked).toHaveLength(1);
    },
  );

  it.each([206, 412, 416])('does not store a %i', async (status) => {
    expect(await bodiesOf(startDeclaring({ 'Cache-Control': 'max-age=9' }, status), [{}, {}])).toEqual(['1', '2']);
  });

  it('reads names of response headers in any case', async () => {
    expect(await bodiesOf(startDeclaring({ 'cache-control': 'no-store' }), [{}, {}])).toEqual(['1', '2']);
    expect(await bodiesOf(startDeclaring({ vary: '*' }), [{}, {}])).toEqual(['1', '2']);
  });

  it('sends the fields that private and no-cache name only to the caller who fetched them', async () => {
    for (const declared of ['private="x-a", max-age=9', 'no-cache="x-a", max-age=9']) {
      const { get } = startDeclaring({ 'Cache-Control': declared, 'X-A': 'mine', 'X-B': 'all' });
      expect((await shown(get())).headers).toMatchObject({ 'X-A': 'mine', 'X-B': 'all' });
      const { body, headers } = await shown(get());
      expect([body, headers['X-A'], headers['X-B']]).toEqual(['1', undefined, 'all']);
    }
  });

  it('stores nothing for a caller who has left, or for an aborted call', async () => {
    let hasLeft = false;
    const { get, asked, cache } = startCache(async (n) => {
      hasLeft = n === 1;
      return streamOf(`${n}`);
    });
    await get({}, { hasLeft: () => hasLeft });
    expect(cache.bytes).toBe(0);
    hasLeft = false;
    expect((await shown(get())).body).toBe('2');
    expect(asked).toHaveLength(2);
  });

  it('shares no response that was fetched for a caller who has left', async () => {
    let hasLeft = false;
    const { get } = startCache(async (n) => {
      await new Promise(setImmediate);
      if (n === 1) hasLeft = true;
      return streamOf(n === 1 ? 'partial' : 'whole');
    });
    const first = shown(get({}, { hasLeft: () => hasLeft }));
    const others = [shown(get()), shown(get())];
    expect((await first).body).toBe('partial');
    expect((await Promise.all(others)).map(({ body }) => body)).toEqual(['whole', 'whole']);
  });
});

describe('§4.1 Vary', () => {
  it('matches what is sent upstream, not what the caller sent', async () => {
    const { get } = startDeclaring({ Vary: 'X-Forwarded-For' });
    const bodies = [];
    for (const [forged, address] of [
      ['9.9.9.9', '1.1.1.1'],
      ['9.9.9.9', '2.2.2.2'],
      ['8.8.8.8', '1.1.1.1'],
    ] as const) {
      const sent: CachedRequest['sent'] = (name) => (name === 'x-forwarded-for' ? address : undefined);
      bodies.push((await shown(get({ 'x-forwarded-for': forged }, { sent }))).body);
    }
    expect(bodies).toEqual(['1', '2', '1']);
  });

  it('refreshes one variant and leaves the others', async () => {
    const run = startDeclaring({ Vary: 'Accept', 'Cache-Control': 'max-age=9' });
    const all = Array.from({ length: 16 }, (_, i) => ({ accept: `${i}` }));
    await bodiesOf(run, all);
    expect(await bodiesOf(run, [{ accept: '3', 'cache-control': 'no-cache' }])).toEqual(['17']);
    const expected = all.map((_, i) => (i === 3 ? '17' : `${i + 1}`));
    expect(await bodiesOf(run, all)).toEqual(expected);
  });

  it('removes only the variant that an unstorable response replaces', async () => {
    let declared = 'max-age=9';
    const run = startCache((n) => streamOf(`${n}`, { Vary: 'Accept', 'Cache-Control': declared }));
    await bodiesOf(run, [{ accept: 'a' }, { accept: 'b' }]);
    declared = 'no-store';
    expect(
      await bodiesOf(run, [{ accept: 'a', 'cache-control': 'no-cache' }, { accept: 'a' }, { accept: 'b' }]),
    ).toEqual([...['3', '4', '2']]);
  });

  it('coalesces the requests of each variant once Vary is known', async () => {
    const { get, asked, time } = startCache(async (n) => {
      await new Promise(setImmediate);
      return streamOf(`${n}`, { Vary: 'Accept', 'Cache-Control': 'max-age=9' });
    });
    await get({ accept: 'a' });
    time.pass(9_000);
    const bodies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => shown(get({ accept: ['a', 'b', 'c'][i % 3] as string }))),
    );
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(3);
    expect(asked).toHaveLength(4);
  });
});

describe('§4.2 freshness', () => {
  it('sends the Age of the upstream to the first caller, and counts it', async () => {
    const { get, asked, time } = startDeclaring({ 'Cache-Control': 'max-age=30', Age: '25', Date: epoch });
    expect((await shown(get())).headers.Age).toBe('25');
    time.pass(4_000);
    expect((await shown(get())).headers.Age).toBe('29');
    time.pass(1_000);
    await get();
    expect(asked).toHaveLength(2);
  });

  it('adds the Date of receipt when the upstream sends none', async () => {
    const { get, time } = startDeclaring({});
    await get();
    time.pass(10_000);
    expect((await shown(get())).headers.Date).toBe(epoch);
  });

  it.each([
    [{ Expires: 'Thu, 01 Jan 1970 00:00:30 GMT' }, { Expires: 'Thu, 01 Jan 1970 00:00:30 GMT', 'Cache-Control': '' }],
    [{ 'Cache-Control': 'public' }, { 'Cache-Control': 'public' }],
    [{ 'Cache-Control': 'max-age=3600' }, { 'Cache-Control': 'max-age=3600' }],
    [{}, { 'Cache-Control': '' }],
  ] as [Headers, Headers][])('%j is sent as %j', async (declared, leaving) => {
    const { get } = startDeclaring({ ...declared, Date: epoch });
    for (let i = 0; i < 2; i++) {
      const { Age: _, Date: __, ...headers } = (await shown(get())).headers;
      expect(headers).toEqual(leaving);
    }
  });
});

describe('§4.2.4 and RFC 5861: stale responses', () => {
  it.each([
    ['max-age=5', 'max-stale', '1'],
    ['max-age=5', 'max-stale=3', '1'],
    ['max-age=5', 'max-stale=1', '2'],
    ['max-age=5', 'max-stale=x', '2'],
    ['max-age=5', 'max-stale, min-fresh=0', '2'],
    ['max-age=5, must-revalidate', 'max-stale', '2'],
    ['max-age=5, proxy-revalidate', 'max-stale', '2'],
    ['s-maxage=5', 'max-stale', '2'],
    ['no-cache', 'max-stale', '2'],
  ])('%s, two seconds too old, for a request with %s: %s', async (declared, wanted, body) => {
    const run = startDeclaring({ 'Cache-Control': declared, ETag: '"a"' });
    expect(await bodiesOf(run, [{}, { 'cache-control': wanted }], 7_000)).toEqual(['1', body]);
  });

  it('serves a stale response while one validation is in flight', async () => {
    const run = startDeclaring({ 'Cache-Control': 'max-age=5, stale-while-revalidate=5' });
    await bodiesOf(run, [{}], 6_000);
    expect(await bodiesOf(run, [{}, {}])).toEqual(['1', '1']);
    await new Promise(setImmediate);
    expect(await bodiesOf(run, [{}])).toEqual(['2']);
    run.time.pass(10_000);
    expect(await bodiesOf(run, [{}])).toEqual(['3']);
    expect(run.asked).toHaveLength(3);
  });

  it.each([
    ['max-age=5, stale-if-error=5', {}, '1'],
    ['max-age=5', { 'cache-control': 'stale-if-error=5' }, '1'],
    ['max-age=5, stale-if-error=1', {}, '2'],
    ['max-age=5', {}, '2'],
    ['max-age=5, must-revalidate, stale-if-error=5', {}, '2'],
    ['max-age=5, stale-if-error=5', { 'cache-control': 'no-cache' }, '2'],
  ] as [string, Headers, string][])('%s with %j and a 503: %s', async (declared, wanted, body) => {
    const run = startCache((n) => streamOf(`${n}`, { 'Cache-Control': declared }, n === 1 ? 200 : 503));
    expect(await bodiesOf(run, [{}, wanted], 7_000)).toEqual(['1', body]);
  });

  it('serves no stale response in place of an error that the request causes', async () => {
    const { get, time } = startCache((n) => {
      if (n > 1) throw new Problem('validation_failed', 'no');
      return streamOf('a', { 'Cache-Control': 'max-age=5, stale-if-error=5' });
    });
    await get();
    time.pass(6_000);
    await expect(get()).rejects.toMatchObject({ status: 400 });
  });

  it('serves a stale response in place of an error only with stale-if-error', async () => {
    for (const declared of ['max-age=5, stale-if-error=5', 'max-age=5']) {
      const { get, time } = startCache((n) => {
        if (n > 1) throw new Error('down');
        return streamOf('a', { 'Cache-Control': declared });
      });
      await get();
      time.pass(6_000);
      const outcome = await shown(get()).then(
        ({ headers }) => headers.Age,
        () => 'failed',
      );
      expect(outcome).toBe(declared.includes('error') ? '6' : 'failed');
    }
  });
});

describe('§4.3 validation', () => {
  it.each([
    [{ ETag: '"a"' }, { 'If-None-Match': '"a"' }],
    [{ ETag: 'W/"a"' }, { 'If-None-Match': 'W/"a"' }],
    [{ 'Last-Modified': epoch }, { 'If-Modified-Since': epoch }],
    [
      { ETag: '"a"', 'Last-Modified': epoch },
      { 'If-None-Match': '"a"', 'If-Modified-Since': epoch },
    ],
    [{}, {}],
  ] as [Headers, Headers][])('of a response with %j asks with %j', async (declared, conditions) => {
    for (const isOrigin of [false, true]) {
      const { get, asked, time } = startDeclaring(declared);
      await get({}, { isOrigin });
      time.pass(60_000);
      await get({ 'if-none-match': '"mine"', 'if-modified-since': epoch }, { isOrigin });
      expect(asked).toEqual([{}, conditions]);
    }
  });

  it('replaces the headers that a 304 has, except those that describe the stored bytes', async () => {
    const { get, time } = startCache((n) =>
      n === 1
        ? streamOf('abc', { ETag: '"a"', 'Cache-Control': 'max-age=5', 'X-A': '1', 'X-B': '1', Age: '3', Date: epoch })
        : streamOf(
            '',
            { 'Cache-Control': 'max-age=7', 'X-A': '2', 'Content-Length': '0', 'Content-Encoding': 'gzip' },
            304,
          ),
    );
    await get();
    time.pass(5_000);
    const { status, body, headers } = await shown(get());
    expect([status, body]).toEqual([200, 'abc']);
    expect(headers).toEqual({
      ETag: '"a"',
      'Cache-Control': 'max-age=7',
      'X-A': '2',
      'X-B': '1',
      Date: new Date(5_000).toUTCString(),
    });
    time.pass(6_999);
    expect((await shown(get())).headers.Age).toBe('6');
  });

  it.each([[{ ETag: '"b"' }], [{ 'Last-Modified': 'Fri, 02 Jan 1970 00:00:00 GMT' }]] as [Headers][])(
    'fetches again after a 304 with %j, which names another version',
    async (update) => {
      const { get, asked, time } = startCache((n) => {
        const declared = { ETag: '"a"', 'Last-Modified': epoch, 'Cache-Control': 'max-age=5' };
        return n === 2 ? streamOf('', update, 304) : streamOf(`${n}`, declared);
      });
      await get();
      time.pass(5_000);
      expect(await shown(get())).toMatchObject({ status: 200, body: '3' });
      expect(asked[2]).toEqual({});
    },
  );

  it('serves a response whose 304 forbids storing, and does not store it', async () => {
    const { get, asked, time } = startCache((n) =>
      n === 1
        ? streamOf('a', { ETag: '"a"', 'Cache-Control': 'max-age=5' })
        : streamOf(n === 2 ? '' : 'b', { 'Cache-Control': 'no-store' }, n === 2 ? 304 : 200),
    );
    await get();
    time.pass(5_000);
    expect(await shown(get())).toMatchObject({ body: 'a', headers: { 'Cache-Control': 'no-store' } });
    expect((await shown(get())).body).toBe('b');
    expect(asked[2]).toEqual({});
  });

  it('evaluates conditions of the caller on the new response, and stores all of it', async () => {
    const { get, asked } = startDeclaring({ ETag: '"a"', 'Cache-Control': 'max-age=9' });
    expect((await shown(get({ 'if-none-match': '"a"' }))).status).toBe(304);
    expect(await shown(get())).toMatchObject({ status: 200, body: '1' });
    expect(asked).toEqual([{}]);
  });

  it('evaluates no condition on a response other than 200', async () => {
    const { get } = startDeclaring({ ETag: '"a"', 'Cache-Control': 'max-age=9' }, 404);
    for (let i = 0; i < 2; i++) expect((await shown(get({ 'if-none-match': '"a"' }))).status).toBe(404);
  });

  it('passes If-Match and If-Unmodified-Since on, with the other conditions of the caller', async () => {
    const { get, asked } = startDeclaring({ 'Cache-Control': 'max-age=9' });
    await get();
    await get({ 'if-match': '"a"' });
    await get({ 'if-unmodified-since': epoch });
    expect(asked).toEqual([{}, undefined, undefined]);
  });

  it.each([
    [{ ETag: '"a"', 'Content-Length': '1' }, '1', 1],
    [{ ETag: '"b"' }, '3', 2],
    [{ ETag: '"a"', 'Content-Length': '2' }, '3', 2],
  ] as [Headers, string, number][])(
    'HEAD with %j updates or removes a stale response (§4.3.5): then GET is %s',
    async (head, body, gets) => {
      const { get, asked, time } = startCache((n) =>
        streamOf(n === 2 ? '' : `${n}`, { ...(n === 2 ? head : { ETag: '"a"' }), 'Cache-Control': 'max-age=5' }),
      );
      await get();
      time.pass(5_000);
      expect((await shown(get({}, { method: 'HEAD' }))).status).toBe(200);
      expect((await shown(get())).body).toBe(body);
      expect(asked).toHaveLength(gets + 1);
    },
  );

  it('HEAD has the headers of GET on a miss', async () => {
    for (const declared of [{}, { ETag: '"a"' }, { Expires: epoch }, { 'Cache-Control': 'max-age=5' }]) {
      for (const isOrigin of [false, true]) {
        const headersOf = async (method: string) =>
          (await shown(startDeclaring({ ...declared, Date: epoch }).get({}, { method, isOrigin }))).headers;
        expect(await headersOf('HEAD')).toEqual(await headersOf('GET'));
      }
    }
  });
});

describe('§4.4 invalidation', () => {
  it('removes the responses for a URI of every caller and variant', async () => {
    const { get, cache } = startDeclaring({ Vary: 'Accept' });
    const requests = [
      [{ accept: 'a' }, { caller: 'x' }],
      [{ accept: 'b' }, { caller: 'x' }],
      [{}, { caller: 'y', scope: 't' }],
    ] as const;
    const bodies = async () => {
      const all = [];
      for (const [headers, more] of requests) all.push((await shown(get(headers, more))).body);
      return all;
    };
    await bodies();
    await get({}, { uri: '/b' });
    expect(await bodies()).toEqual(['1', '2', '3']);
    cache.invalidate('/a');
    expect(await bodies()).toEqual(['5', '6', '7']);
    expect((await shown(get({}, { uri: '/b' }))).body).toBe('4');
    cache.invalidate('/unknown');
  });

  it('prevents a response in flight from being stored or shared', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { get, cache } = startCache(async (n) => {
      if (n === 1) await promise;
      return streamOf(n === 1 ? 'old' : 'new');
    });
    const before = shown(get());
    await new Promise(setImmediate);
    cache.invalidate('/a');
    const after = shown(get());
    resolve();
    expect([(await before).body, (await after).body, (await shown(get())).body]).toEqual(['old', 'new', 'new']);
  });
});

describe('§5.2.1 request directives', () => {
  it.each([
    ['max-age=10', '1'],
    ['max-age=9', '2'],
    ['max-age=0, max-stale', '2'],
    ['max-age=x', '2'],
    ['no-cache', '2'],
    ['no-store', '2'],
    ['min-fresh=50', '1'],
    ['min-fresh=51', '2'],
    ['only-if-cached', '1'],
    ['no-transform', '1'],
  ])('%s, of a response 10 seconds old and fresh for 50: %s', async (wanted, body) => {
    expect(await bodiesOf(startDeclaring({}), [{}, { 'cache-control': wanted }], 10_000)).toEqual(['1', body]);
  });

  it('Pragma counts only without Cache-Control', async () => {
    const run = startDeclaring({});
    const requests = [{}, { pragma: 'no-cache', 'cache-control': 'max-age=9' }, { pragma: 'x, No-Cache' }];
    expect(await bodiesOf(run, requests)).toEqual(['1', '1', '2']);
  });

  it('no-cache and max-age=0 share no earlier fetch, but a later one', async () => {
    for (const wanted of ['no-cache', 'max-age=0']) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { get, asked } = startCache(async (n) => {
        if (n === 1) await promise;
        return streamOf(n === 1 ? 'old' : 'new');
      });
      const before = shown(get());
      await new Promise(setImmediate);
      const after = Array.from({ length: 5 }, () => shown(get({ 'cache-control': wanted })));
      resolve();
      expect((await before).body).toBe('old');
      expect((await Promise.all(after)).map(({ body }) => body)).toEqual(Array(5).fill('new'));
      expect(asked).toHaveLength(2);
    }
  });

  it('only-if-cached fetches nothing: 504 without a suitable stored response', async () => {
    const { get, asked, time } = startDeclaring({});
    for (const wanted of ['only-if-cached', 'only-if-cached, no-store']) {
      await expect(get({ 'cache-control': wanted })).rejects.toMatchObject({ status: 504, code: 'not_cached' });
    }
    await expect(get({ 'cache-control': 'only-if-cached' }, { method: 'HEAD' })).rejects.toMatchObject({ status: 504 });
    await get();
    time.pass(60_000);
    await expect(get({ 'cache-control': 'only-if-cached' })).rejects.toMatchObject({ status: 504 });
    expect(asked).toHaveLength(1);
  });
});

describe('ranges of a stored response (RFC 9110 §14)', () => {
  const declared = { ETag: '"a"', 'Last-Modified': epoch, 'Cache-Control': 'max-age=9' };

  it.each([
    [{ range: 'bytes=0-1' }, 206, 'ab', 'bytes 0-1/6'],
    [{ range: 'bytes=4-' }, 206, 'ef', 'bytes 4-5/6'],
    [{ range: 'bytes=-2' }, 206, 'ef', 'bytes 4-5/6'],
    [{ range: 'bytes=-99' }, 206, 'abcdef', 'bytes 0-5/6'],
    [{ range: 'bytes=2-99' }, 206, 'cdef', 'bytes 2-5/6'],
    [{ range: 'bytes=6-' }, 416, '', 'bytes */6'],
    [{ range: 'bytes=-0' }, 416, '', 'bytes */6'],
    [{ range: 'bytes=0-1', 'if-range': '"a"' }, 206, 'ab', 'bytes 0-1/6'],
    [{ range: 'bytes=0-1', 'if-range': epoch }, 206, 'ab', 'bytes 0-1/6'],
    [{ range: 'bytes=0-1', 'if-range': 'W/"a"' }, 200, 'abcdef', undefined],
    [{ range: 'bytes=0-1', 'if-range': '"b"' }, 200, 'abcdef', undefined],
    [{ range: 'bytes=0-1', 'if-none-match': '"a"' }, 304, '', undefined],
  ] as [Headers, number, string, string | undefined][])('%j: %i %s', async (wanted, status, body, range) => {
    const { get, asked } = startCache(() => streamOf('abcdef', declared));
    await get();
    const reply = await shown(get(wanted));
    expect([reply.status, reply.body, reply.headers['Content-Range']]).toEqual([status, body, range]);
    expect(asked).toHaveLength(1);
  });

  it.each(['bytes=0-0,2-2', 'bytes=5-2', 'bytes=a-b', 'bytes=-', 'lines=0-1'])(
    'leaves %s to the upstream',
    async (range) => {
      const { get, asked } = startCache(() => streamOf('abcdef', declared));
      await get();
      await get({ range });
      expect(asked).toEqual([{}, undefined]);
    },
  );

  it('ignores Range for replies of local services', async () => {
    const { get, asked } = startCache(() => ({ status: 200, body: 'abcdef' }));
    for (let i = 0; i < 2; i++) {
      expect(await shown(get({ range: 'bytes=0-1' }, { isOrigin: true }))).toMatchObject({
        status: 200,
        body: '"abcdef"',
      });
    }
    expect(asked).toHaveLength(1);
  });

  it('does not fetch the whole for an unstored range, and ignores Range of HEAD', async () => {
    const { get, asked } = startCache(() => streamOf('abcdef', declared));
    await get({ range: 'bytes=0-1' });
    expect(asked).toEqual([undefined]);
    await get();
    expect((await shown(get({ range: 'bytes=0-1' }, { method: 'HEAD' }))).status).toBe(200);
  });
});

it('closes a discarded body', async () => {
  const body = new Readable({ read() {} });
  const { get } = startCache(() => ({ ...streamOf('', { ETag: '"a"', 'Cache-Control': 'private' }), raw: body }));
  expect((await shown(get({ 'if-none-match': '"a"' }))).status).toBe(304);
  expect(body.destroyed).toBe(true);
});
