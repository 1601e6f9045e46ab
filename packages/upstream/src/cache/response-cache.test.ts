import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { type Headers, shown, startCache as start, streamOf } from '../../test/start-cache.ts';

describe('a stored response', () => {
  it('is reused with its age until it is stale', async () => {
    const { get, asked, time } = start((n) => streamOf(`${n}`, { 'X-A': 'b' }));
    const first = await shown(get());
    expect(first).toMatchObject({ status: 200, body: '1', headers: { 'X-A': 'b' } });
    expect(first.headers).not.toHaveProperty('Age');
    time.pass(59_999);
    expect(await shown(get())).toMatchObject({ body: '1', headers: { Age: '59', 'X-A': 'b' } });
    time.pass(1);
    expect((await shown(get())).body).toBe('2');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['back', -3_600_000],
    ['forwards', 3_600_000],
  ])('is reused as long as before when the clock of the machine is set %s', async (_, stepMs) => {
    let steadyMs = Date.UTC(2026, 0, 1);
    let aheadMs = 0;
    const clock = () => steadyMs + aheadMs;
    const { get, asked } = start(
      (n) => streamOf(`${n}`, { 'Cache-Control': 'max-age=50', Date: new Date(clock()).toUTCString() }),
      { clock, steadyClock: () => steadyMs },
    );
    await shown(get());
    aheadMs = stepMs;
    steadyMs += 49_000;
    expect(await shown(get())).toMatchObject({ body: '1', headers: { Age: '49' } });
    steadyMs += 1_000;
    expect((await shown(get())).body).toBe('2');
    steadyMs += 49_000;
    expect(await shown(get())).toMatchObject({ body: '2', headers: { Age: '49' } });
    steadyMs += 1_000;
    expect((await shown(get())).body).toBe('3');
    expect(asked).toHaveLength(3);
  });

  it('is as old as it took to arrive by the steady clock', async () => {
    let [steadyMs, wallMs] = [0, Date.UTC(2026, 0, 1)];
    const { get } = start(
      (n) => {
        steadyMs += 10_000;
        wallMs -= 3_600_000;
        return streamOf(`${n}`, { 'Cache-Control': 'max-age=50' });
      },
      { clock: () => wallMs, steadyClock: () => steadyMs },
    );
    await shown(get());
    steadyMs += 39_000;
    expect(await shown(get())).toMatchObject({ body: '1', headers: { Age: '49' } });
    steadyMs += 1_000;
    expect((await shown(get())).body).toBe('2');
  });

  it('of a local service is JSON with the configured max-age and an ETag', async () => {
    const { get, asked } = start((n) => ({ status: 200, body: { n } }));
    const local = { isOrigin: true };
    const { headers } = await shown(get({}, local));
    expect(headers.ETag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(await shown(get({}, local))).toMatchObject({ body: '{"n":1}', headers: { 'Cache-Control': 'max-age=60' } });
    expect((await shown(get({ 'if-none-match': headers.ETag as string }, local))).status).toBe(304);
    expect(asked).toHaveLength(1);
  });

  it('is separate for each key owner and query', async () => {
    const { get } = start((n) => streamOf(`${n}`));
    const bodies = [];
    for (const key of ['a', 'b', 'a', 'b']) bodies.push((await shown(get({}, { uri: key }))).body);
    expect(bodies).toEqual(['1', '2', '1', '2']);
  });

  it('is reused for other callers only if the Vary headers match', async () => {
    const { get } = start((n) => streamOf(`${n}`, { Vary: 'Accept' }));
    const bodies = [];
    for (const accept of ['x', 'y', 'x', 'y']) bodies.push((await shown(get({ accept }))).body);
    expect(bodies).toEqual(['1', '2', '1', '2']);
  });

  it('is found in time independent of blanks in the Vary headers', async () => {
    const { get, asked } = start((n) => streamOf(`${n}`, { Vary: 'Accept' }));
    for (let i = 0; i < 16; i++) await shown(get({ accept: `${i}` }));
    const startedMs = performance.now();
    for (const length of [2_000, 150_000]) await shown(get({ accept: `a,b${' '.repeat(length)}c` }));
    // Quadratic time would be minutes.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(asked).toHaveLength(18);
  });

  it('is found with one read of each Vary header', async () => {
    const { get, asked } = start((n) => streamOf(`${n}`, { Vary: 'Accept' }));
    for (let i = 0; i < 16; i++) await shown(get({ accept: `${i}` }));
    const read: string[] = [];
    const sent = (name: string) => {
      read.push(name);
      return 'new';
    };
    await shown(get({}, { sent }));
    expect(asked).toHaveLength(17);
    expect(read).toEqual(['accept']);
  });

  it('is private for downstream caches when it is for one caller', async () => {
    for (const [declared, leaving] of [
      [{}, 'private'],
      [{ Expires: 'Thu, 01 Jan 1970 00:01:00 GMT' }, 'private'],
      [{ 'Cache-Control': 'public, s-maxage=60, max-age=30' }, 'private, max-age=30'],
    ] as [Headers, string][]) {
      const { get } = start(() => streamOf('a', declared));
      for (let i = 0; i < 2; i++) {
        expect((await shown(get({}, { isPrivate: true }))).headers['Cache-Control']).toBe(leaving);
      }
    }
  });

  it('is a 304 for a caller that has it, with the fields that caches use', async () => {
    const { get } = start(() =>
      streamOf('a', { ETag: '"v1"', Vary: 'Accept', 'X-A': 'b', 'Cache-Control': 'max-age=9' }),
    );
    for (let i = 0; i < 2; i++) {
      const { status, body, headers } = await shown(get({ 'if-none-match': '"v0", W/"v1"' }));
      expect([status, body]).toEqual([304, '']);
      expect(headers).toEqual({
        ETag: '"v1"',
        Vary: 'Accept',
        'Cache-Control': 'max-age=9',
        Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
        // The length of the 200.
        'Content-Length': '1',
        ...(i === 0 ? {} : { Age: '0' }),
      });
    }
    expect((await shown(get({ 'if-none-match': '"v0"' }))).status).toBe(200);
  });

  it('serves HEAD, but HEAD stores none', async () => {
    const { get, asked } = start(() => streamOf('abc'));
    await get({}, { method: 'HEAD' });
    await get();
    expect(asked).toEqual([undefined, {}]);
    expect((await shown(get({}, { method: 'HEAD' }))).status).toBe(200);
    expect(asked).toHaveLength(2);
  });

  it('is bypassed when the caller requires a fresh or younger one', async () => {
    const { get, time } = start((n) => streamOf(`${n}`));
    await get();
    time.pass(10_000);
    expect((await shown(get({ 'cache-control': 'max-age=10' }))).body).toBe('1');
    expect((await shown(get({ 'cache-control': 'max-age=9' }))).body).toBe('2');
    expect((await shown(get({ 'cache-control': 'no-cache' }))).body).toBe('3');
    expect((await shown(get({ pragma: 'no-cache' }))).body).toBe('4');
    expect((await shown(get({ 'cache-control': 'no-store' }))).body).toBe('5');
    expect((await shown(get())).body).toBe('4');
  });

  it('does not serve a request for several ranges, which goes upstream with its own conditions', async () => {
    const { get, asked } = start((n) => streamOf(`${n}`, {}, n === 1 ? 200 : 206));
    await get();
    expect(await shown(get({ range: 'bytes=0-1,3-4' }))).toMatchObject({ status: 206, body: '2' });
    expect(asked).toEqual([{}, undefined]);
    expect((await shown(get())).body).toBe('1');
  });
});

describe('a stale response', () => {
  it('is validated, and served with updated headers after a 304', async () => {
    const { get, asked, time } = start((n) =>
      n === 1
        ? streamOf('a', { ETag: '"v1"', 'Cache-Control': 'max-age=5', 'X-A': '1' })
        : streamOf('', { 'Cache-Control': 'max-age=7', 'X-A': '2' }, 304),
    );
    await get();
    time.pass(5_000);
    expect(await shown(get())).toMatchObject({ status: 200, body: 'a', headers: { ETag: '"v1"', 'X-A': '2' } });
    expect(asked).toEqual([{}, { 'If-None-Match': '"v1"' }]);
    time.pass(6_999);
    expect(await shown(get())).toMatchObject({ body: 'a', headers: { Age: '6' } });
    expect(asked).toHaveLength(2);
  });

  it('is validated each time with no-cache', async () => {
    const { get, asked } = start((n) =>
      streamOf(n === 1 ? 'a' : '', { ETag: '"v"', 'Cache-Control': 'no-cache' }, n === 1 ? 200 : 304),
    );
    for (let i = 0; i < 3; i++) expect(await shown(get())).toMatchObject({ status: 200, body: 'a' });
    expect(asked).toHaveLength(3);
  });

  it('is replaced by a new one', async () => {
    const { get, time } = start((n) => streamOf(`${n}`, { ETag: `"${n}"` }));
    await get();
    time.pass(60_000);
    expect(await shown(get())).toMatchObject({ body: '2', headers: { ETag: '"2"' } });
    expect((await shown(get())).body).toBe('2');
  });

  it('never replaces a failure', async () => {
    const { get, time } = start((n) => {
      if (n > 1) throw new Problem('upstream_failed', 'down');
      return streamOf('a');
    });
    await get();
    time.pass(60_000);
    await expect(get()).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('concurrent requests', () => {
  it('are coalesced into one fetch when identical', async () => {
    const { get, asked } = start(async (n) => {
      await new Promise(setImmediate);
      return streamOf(`${n}`);
    });
    const answers = await Promise.all(Array.from({ length: 100 }, () => shown(get())));
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['1']));
    expect(asked).toHaveLength(1);
  });

  it('do not share a response for one caller, nor wait a second time', async () => {
    for (const declared of [
      { 'Cache-Control': 'private' },
      { 'Cache-Control': 'no-cache', ETag: '"a"' },
      { 'Set-Cookie': 'a' },
    ]) {
      const { get, asked } = start(async (n) => {
        await new Promise(setImmediate);
        return streamOf(`${n}`, declared);
      });
      const answers = await Promise.all(Array.from({ length: 10 }, () => shown(get())));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(10);
      expect(asked).toHaveLength(10);
    }
  });

  it('share a failure', async () => {
    const { get, asked } = start(async () => {
      await new Promise(setImmediate);
      throw new Problem('upstream_timeout', 'late');
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => get()));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('share the failure of a call that is aborted because it is late', async () => {
    let isAborted = false;
    const { get, asked } = start(async () => {
      await new Promise(setImmediate);
      isAborted = true;
      throw new Problem('unavailable', 'late');
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => get({}, { hasLeft: () => isAborted })));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('fetch again when the call of a revalidation in the background is aborted', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { get, asked, time } = start(async (n) => {
      if (n === 2) {
        await released;
        throw new Problem('upstream_failed', 'cancelled');
      }
      return streamOf(`${n}`, { 'Cache-Control': 'max-age=10, stale-while-revalidate=10' });
    });
    await shown(get());
    time.pass(15_000);
    expect((await shown(get({}, { hasLeft: () => true }))).body).toBe('1');
    time.pass(15_000);
    const later = shown(get());
    release();
    expect((await later).body).toBe('3');
    expect(asked).toHaveLength(3);
  });

  it('continue when the first caller leaves', async () => {
    const gone = new Error('gone');
    const { get, asked } = start(async (n) => {
      await new Promise(setImmediate);
      if (n === 1) throw gone;
      return streamOf(`${n}`);
    });
    const first = get({}, { isGone: (error) => error === gone });
    const others = Array.from({ length: 10 }, () => shown(get()));
    await expect(first).rejects.toBe(gone);
    expect(new Set((await Promise.all(others)).map(({ body }) => body))).toEqual(new Set(['2']));
    expect(asked).toHaveLength(2);
  });
});

describe('a response that is not stored', () => {
  it('streams when it exceeds the limit, with or without Content-Length', async () => {
    const large = Buffer.alloc(3_000, 'x');
    for (const headers of [{}, { 'Content-Length': '3000' }] as Headers[]) {
      const { get, cache, asked } = start(
        () => ({
          ...streamOf('', headers),
          raw: Readable.from([large.subarray(0, 900), large.subarray(900, 1_800), large.subarray(1_800)]),
        }),
        { responseBytesMax: 1_000 },
      );
      for (let i = 0; i < 2; i++) {
        const reply = (await get()) as RawReply;
        expect(await buffer(reply.raw as Readable)).toEqual(large);
      }
      expect([asked.length, cache.bytes]).toEqual([2, 0]);
    }
  });

  it('streams when it ends late', async () => {
    const body = new Readable({ read() {} });
    body.push('begun');
    let beLate = () => {};
    const wait = () => new Promise<void>((resolve) => (beLate = resolve));
    const { get } = start(() => ({ ...streamOf(''), raw: body }), { wait });
    const pending = get();
    await new Promise(setImmediate);
    beLate();
    const reply = (await pending) as RawReply;
    body.push(' and ended');
    body.push(null);
    expect(await text(reply.raw as Readable)).toBe('begun and ended');
  });

  it('is a failure when it is truncated before it is served', async () => {
    const { get, cache } = start(() => {
      const body = new Readable({ read() {} });
      body.push('half');
      setImmediate(() => body.destroy(new Problem('upstream_failed', 'broke off')));
      return { ...streamOf(''), raw: body };
    });
    await expect(get()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(cache.bytes).toBe(0);
  });

  it('is a 304 for a caller that has it', async () => {
    const { get } = start(() => streamOf('a', { 'Cache-Control': 'private', ETag: '"a"' }));
    expect((await shown(get({ 'if-none-match': '"a"' }))).status).toBe(304);
  });

  it('is one to a request with credentials, unless it is public', async () => {
    for (const [headers, isPrivate, declared, fetches] of [
      [{ cookie: 'a=1' }, true, 'max-age=60', 2],
      [{ cookie: 'a=1' }, true, 'public, max-age=60', 1],
      [{ authorization: 'Basic x' }, false, 'max-age=60', 2],
      [{ authorization: 'Bearer key' }, true, 'max-age=60', 1],
    ] as const) {
      const { get, asked } = start(() => streamOf('a', { 'Cache-Control': declared }));
      for (let i = 0; i < 2; i++) await shown(get(headers, { isPrivate }));
      expect(asked).toHaveLength(fetches);
    }
  });
});

it('stays within bytesMax', async () => {
  const { get, cache } = start(() => streamOf(Buffer.alloc(1_000)), { bytesMax: 10_000 });
  for (let i = 0; i < 100; i++) await get({}, { uri: `${i}` });
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
  expect(cache.bytes).toBeGreaterThan(5_000);
});
