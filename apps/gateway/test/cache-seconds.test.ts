import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { defineRawService, defineService, z } from '@rostergate/endpoints';
import type { RawReply } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { startOrigin } from './start-origin.ts';
import { waitFor } from './wait-for.ts';

const kept = (target: string, more: object = {}) => ({
  path: '/up',
  service: 'http',
  cache_seconds: 60,
  upstream: { targets: [target] },
  ...more,
});
const as = (key: string, headers: Record<string, string> = {}) => ({ headers: { 'X-API-Key': key, ...headers } });

/** Without it, fetch bypasses caches for a conditional request. */
const asBrowsersDo = { 'Cache-Control': 'max-age=60' };

/** Starts an upstream whose responses all differ. */
function startCounting(headers: Record<string, string> = {}) {
  let count = 0;
  return startOrigin((_seen, _req, res) =>
    res.writeHead(200, { 'Content-Type': 'text/plain', ...headers }).end(`${++count}`),
  );
}

describe('cache_seconds', () => {
  it('reuses a response of an upstream, with its age, or a 304 for a caller that has it', async () => {
    const origin = await startCounting({ ETag: '"v1"' });
    // The clocks are stopped, so that the age is 0 also when a second begins.
    const nowMs = Date.now();
    const clocks = { clock: () => nowMs, steadyClock: () => nowMs };
    const { fetch } = await startForwarding({ endpoints: [kept(origin.url)], ...clocks });
    const first = await fetch('/up?a=1');
    const etag = first.headers.get('etag') as string;
    expect([await first.text(), first.headers.get('age'), first.headers.get('cache-control')]).toEqual([
      '1',
      null,
      null,
    ]);
    const second = await fetch('/up?a=1');
    expect([await second.text(), second.headers.get('age')]).toEqual(['1', '0']);
    const third = await fetch('/up?a=1', { headers: { 'If-None-Match': etag, ...asBrowsersDo } });
    expect([third.status, await third.text(), third.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await fetch('/up?a=1', { method: 'HEAD' })).headers.get('content-length')).toBe('1');
    expect(await (await fetch('/up?a=2')).text()).toBe('2');
    expect(origin.seen).toHaveLength(2);
  });

  it('never shares a response between owners, also not in shared caches', async () => {
    const origin = await startCounting({ 'Cache-Control': 'public, max-age=30' });
    const settings = { api_keys: 'key-a,key-b' };
    const { fetch } = await startForwarding({ settings, endpoints: [kept(origin.url, { requires_auth: true })] });
    const bodies = [];
    for (const key of ['key-a', 'key-b', 'key-a', 'key-b']) {
      const response = await fetch('/up', as(key));
      bodies.push(await response.text());
      expect(response.headers.get('cache-control')).toBe('private, max-age=30');
    }
    expect(bodies).toEqual(['1', '2', '1', '2']);
    expect((await fetch('/up')).status).toBe(401);
  });

  it('marks every response for a key as private, cached or not', async () => {
    const origin = await startCounting({ 'Cache-Control': 'public, s-maxage=30' });
    const { fetch } = await startForwarding({
      settings: { api_keys: 'key-a' },
      endpoints: [
        kept(origin.url, { requires_auth: true, cache_seconds: 0 }),
        kept(origin.url, { path: '/open', cache_seconds: 0 }),
      ],
    });
    expect((await fetch('/up', as('key-a'))).headers.get('cache-control')).toBe('private');
    expect((await fetch('/open')).headers.get('cache-control')).toBe('public, s-maxage=30');
  });

  it('revalidates a cached response with its own condition', async () => {
    const origin = await startOrigin((seen, _req, res) => {
      const isKnown = seen.headers['if-none-match'] === '"v1"';
      res.writeHead(isKnown ? 304 : 200, { ETag: '"v1"', 'Cache-Control': 'no-cache' }).end(isKnown ? '' : 'whole');
    });
    const { fetch } = await startForwarding({ endpoints: [kept(origin.url)] });
    const mine = { headers: { 'If-None-Match': '"mine"', 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' } };
    for (let i = 0; i < 3; i++) expect(await (await fetch('/up', mine)).text()).toBe('whole');
    expect(origin.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"', '"v1"']);
    expect(origin.seen.map(({ headers }) => headers['if-modified-since'])).toEqual([undefined, undefined, undefined]);
  });

  it('coalesces concurrent requests', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const origin = await startOrigin((_seen, _req, res) => void released.then(() => res.end('one')));
    const { fetch } = await startForwarding({ endpoints: [kept(origin.url)] });
    const arrived = once(origin.server, 'request');
    const answers = Array.from({ length: 20 }, () => fetch('/up').then((response) => response.text()));
    await arrived;
    release();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['one']));
    expect(origin.seen).toHaveLength(1);
  });

  it('responds to identical requests together when the service is late', async () => {
    let calls = 0;
    const silent = defineService({
      name: 'silent',
      summary: 'Nothing',
      parameters: z.object({}),
      response: z.string(),
      handle() {
        calls++;
        return new Promise<string>(() => {});
      },
    });
    const { fetch } = await startForwarding({
      services: [silent],
      settings: { service_timeout_ms: 2_000 },
      endpoints: [{ path: '/silent', service: 'silent', cache_seconds: 60 }],
    });
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetch('/silent')));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(503));
    expect(calls).toBe(1);
  });

  it('caches the responses of a local service separately for each key', async () => {
    let count = 0;
    const counting = defineService({
      name: 'counting',
      summary: 'A count',
      parameters: z.object({ a: z.string().optional() }),
      response: z.object({ count: z.number(), caller: z.string().nullable() }),
      handle: (_input, { principal }) => ({ count: ++count, caller: principal?.name ?? null }),
    });
    const { fetch } = await startForwarding({
      settings: { api_keys: 'key-a,key-b' },
      services: [counting],
      endpoints: [{ path: '/count', service: 'counting', cache_seconds: 60 }],
    });
    const read = async (init?: RequestInit) => (await (await fetch('/count', init)).json()) as { count: number };
    const counts = [];
    for (const init of [{}, as('key-a'), as('key-b'), {}, as('key-a'), as('key-b')])
      counts.push((await read(init)).count);
    expect(counts).toEqual([1, 2, 3, 1, 2, 3]);
    expect((await fetch('/count?b=1')).status).toBe(400);
  });

  it('declares 304 in the contract', async () => {
    const { fetch } = await startForwarding({ endpoints: [{ path: '/e', service: 'echo', cache_seconds: 1 }] });
    const document = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, { get: object }> };
    expect(document.paths['/e']?.get).toHaveProperty(['responses', '304']);
  });
});

describe('a custom raw service', () => {
  it('is opened for each endpoint, gets raw requests, and is closed with its configuration', async () => {
    const log: string[] = [];
    const csv = defineRawService({
      name: 'csv',
      summary: 'A table',
      open(endpoint) {
        log.push(`open ${endpoint.path}`);
        return {
          handle: ({ path, query }) => ({
            status: 206,
            raw: `${path.name},${query}\n`,
            contentType: 'text/csv',
            headers: { 'X-Rows': '1' },
          }),
          close: () => log.push(`close ${endpoint.path}`),
        };
      },
    });
    const { fetch, app, configure } = await startForwarding({
      services: [csv],
      endpoints: [{ path: '/table/{name}', service: 'csv' }],
    });
    const response = await fetch('/table/a%20b?x=1');
    expect([response.status, response.headers.get('x-rows'), await response.text()]).toEqual([206, '1', 'a b,?x=1\n']);
    await app.apply(await configure({ endpoints: [] }));
    expect(log).toEqual(['open /table/{name}', 'close /table/{name}']);
  });

  it('may read a body that takes longer to arrive than service_timeout_ms', async () => {
    const upload = defineRawService({
      name: 'upload',
      summary: 'The length of the body',
      open: () => ({
        async handle({ body }) {
          const bytes = body === undefined || body instanceof Uint8Array ? body : await buffer(body.open());
          return { status: 200, raw: String(bytes?.length), contentType: 'text/plain' };
        },
      }),
    });
    const { fetch } = await startForwarding({
      services: [upload],
      settings: { service_timeout_ms: 2_000 },
      endpoints: [{ path: '/upload', method: 'POST', service: 'upload' }],
    });
    async function* send() {
      for (let chunk = 0; chunk < 6; chunk++) {
        await wait(400);
        yield Buffer.alloc(1_000);
      }
    }
    const response = await fetch('/upload', { method: 'POST', body: Readable.from(send()), duplex: 'half' } as never);
    expect([response.status, await response.text()]).toEqual([200, '6000']);
  });

  it.each([[0], [60]])(
    'that is late is 503, its signal aborts and its stream ends (cache_seconds %i)',
    async (seconds) => {
      let signal: { readonly aborted: boolean } | undefined;
      const raw = new Readable({ read() {} });
      const { promise: reply, resolve: respond } = Promise.withResolvers<RawReply>();
      const silent = defineRawService({
        name: 'silent',
        summary: 'Nothing',
        open: () => ({
          handle(_, context) {
            signal = context.signal;
            return reply;
          },
        }),
      });
      const { fetch } = await startForwarding({
        services: [silent],
        settings: { service_timeout_ms: 200 },
        endpoints: [{ path: '/silent', service: 'silent', cache_seconds: seconds }],
      });
      const response = await fetch('/silent', { signal: AbortSignal.timeout(5_000) });
      expect([response.status, await response.json()]).toMatchObject([503, { code: 'unavailable' }]);
      expect(signal?.aborted).toBe(true);
      respond({ status: 200, raw, contentType: 'text/plain' });
      await waitFor(() => expect(raw.destroyed).toBe(true));
    },
  );
});
