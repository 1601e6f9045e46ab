import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startForwarding, startUpstreams } from './start-forwarding.ts';
import { goodKey, type StartOptions } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';
import { waitFor } from './wait-for.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const key = { 'X-API-Key': goodKey };

/** Starts a gateway in front of an upstream whose /events stays open, and whose other paths respond at once. */
async function start(upstream: object = { stream_idle_ms: 0 }, options: StartOptions = {}) {
  const streams = new Set<ServerResponse>();
  const origin = await startOrigin(({ url }, _req, res) => {
    if (!url.startsWith('/events')) {
      res.end('plain');
      return;
    }
    res.writeHead(200, { 'Content-Type': url.includes('lines') ? 'application/x-ndjson' : 'text/event-stream' });
    res.flushHeaders();
    streams.add(res);
    res.on('close', () => streams.delete(res));
  });
  const endpoints = [
    { path: '/events', service: 'http', requires_auth: true, upstream: { targets: [origin.url], ...upstream } },
    { path: '/plain', service: 'http', upstream: { targets: [origin.url] } },
  ];
  const { upstreams } = options;
  const gateway = await startForwarding({ endpoints, ...options, ...(upstreams === undefined ? {} : { upstreams }) });
  const apply = async (next: StartOptions) => gateway.app.apply(await gateway.configure({ endpoints, ...next }));
  const send = (event: string) => {
    for (const res of streams) res.write(event);
  };
  return { ...gateway, origin, endpoints, streams, apply, send };
}

/** Opens a stream; `text` collects what has arrived. */
async function open(url: string, headers: Record<string, string> = key) {
  const req = get(url, { headers, agent: false });
  onTestFinished(() => void req.destroy());
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const stream = { res, req, text: '', ending: undefined as string | undefined, isDecoded: false };
  const decoders = { gzip: createGunzip, br: createBrotliDecompress };
  const coding = res.headers['content-encoding'];
  const decoded = coding === undefined ? res : res.pipe(decoders[coding as keyof typeof decoders]());
  decoded.setEncoding('utf8').on('data', (chunk) => (stream.text += chunk));
  // Truncated, it has no end.
  decoded.on('end', () => (stream.isDecoded = true)).on('error', () => {});
  res.on('end', () => (stream.ending ??= 'whole')).on('error', () => (stream.ending ??= 'broken'));
  return stream;
}

describe('an event stream', () => {
  it.each([['gzip'], ['identity']])('passes the head and each event at once, encoded as %s', async (coding) => {
    const { url, send } = await start();
    const stream = await open(`${url}/events`, { ...key, 'Accept-Encoding': coding });
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      send(event);
      await waitFor(() => expect(stream.text.endsWith(event)).toBe(true));
    }
  });

  it('stays open in silence with stream_idle_ms: 0, and ends after that of another value', async () => {
    const upstreams = startUpstreams({ upstream: { bodyTimeoutMs: 100 } });
    const { url, send } = await start({ stream_idle_ms: 0, timeout_ms: 2_000 }, { upstreams });
    const [events, lines] = await Promise.all([open(`${url}/events`), open(`${url}/events?lines`)]);
    // Longer than the timeout, which a busy machine needs for the heads.
    const short = await start({ stream_idle_ms: 2_500 });
    const ended = await open(`${short.url}/events`);
    await waitFor(() => expect(ended.ending).toBe('broken'));
    send('data: late\n\n');
    await waitFor(() => expect([events.text, lines.text]).toEqual(Array(2).fill('data: late\n\n')));
  });

  it.each([[{ stream_idle_ms: 0 }], [{}]])(
    'ends when its key is removed, long before it would for silence (upstream %j)',
    async (upstream) => {
      const { url, apply, streams } = await start(upstream, { settings: { api_keys: `${goodKey},other` } });
      const [first, second] = await Promise.all([
        open(`${url}/events`),
        open(`${url}/events`, { 'X-API-Key': 'other' }),
      ]);
      await apply({ settings: { api_keys: 'other' } });
      const startedMs = performance.now();
      await waitFor(() => expect(first.ending).toBe('broken'));
      await waitFor(() => expect(streams.size).toBe(1));
      // Silence would end it after 30 s, or never.
      expect(performance.now() - startedMs).toBeLessThan(20_000);
      expect(second.ending).toBeUndefined();
    },
  );

  it.each([['gzip'], ['br'], ['identity']])('ends completely when the server stops, encoded as %s', async (coding) => {
    const { url, app, send, streams, log } = await start();
    const stream = await open(`${url}/events`, { ...key, 'Accept-Encoding': coding });
    expect(stream.res.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    send('data: 1\n\n');
    await waitFor(() => expect(stream.text).toBe('data: 1\n\n'));
    app.beginDrain();
    await waitFor(() => expect([stream.ending, stream.isDecoded]).toEqual(['whole', true]));
    await waitFor(() => expect(streams.size).toBe(0));
    await waitFor(() => expect(log()).toMatch(/"reason":"shutdown".*"msg":"stream ended"/));
  });

  it('ends at the upstream when the client leaves, and for the client when the upstream breaks off', async () => {
    const { url, streams, log, fetch } = await start();
    const [first, second] = [await open(`${url}/events`), await open(`${url}/events`)];
    await waitFor(() => expect(streams.size).toBe(2));
    first.req.destroy();
    await waitFor(() => expect(streams.size).toBe(1));
    for (const res of streams) res.destroy();
    await waitFor(() => expect(second.ending).toBe('broken'));
    await waitFor(async () =>
      expect((await (await fetch('/metrics')).text()).split('\n').filter((line) => line.startsWith('live_'))).toEqual([
        'live_connections{route="/events",kind="stream"} 0',
        'live_connections_closed_total{route="/events",kind="stream",reason="client"} 1',
        'live_connections_closed_total{route="/events",kind="stream",reason="upstream"} 1',
      ]),
    );
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'stream ended')).toEqual([
      expect.objectContaining({ reason: 'client', level: 'info' }),
      expect.objectContaining({ reason: 'upstream', level: 'warn', err: expect.objectContaining({}) }),
    ]);
  });

  it('leaves other requests to the same upstream unharmed, 200 times', async () => {
    const { url, fetch, streams } = await start();
    const opened = await Promise.all(Array.from({ length: 200 }, () => open(`${url}/events`)));
    await waitFor(() => expect(streams.size).toBe(200));
    for (let i = 0; i < 20; i++) expect(await (await fetch('/plain')).text()).toBe('plain');
    expect(opened.every(({ ending }) => ending === undefined)).toBe(true);
  });

  it('stays open across 1,000 reloads and holds no earlier generation', async () => {
    const { url, apply, app, send } = await start();
    const streams = [await open(`${url}/events`), await open(`${url}/events`, { ...key, 'Accept-Encoding': 'gzip' })];
    const earlier = [new WeakRef(app.generation().router)];
    for (let i = 0; i < 1_000; i++) {
      await apply({ settings: { rate_limit_per_minute: 1 + (i % 9) } });
      if (i % 100 !== 0) continue;
      streams.push(await open(`${url}/events`));
      earlier.push(new WeakRef(app.generation().router));
    }
    await apply({});
    send('data: open\n\n');
    await waitFor(() => expect(streams.map(({ text }) => text)).toEqual(streams.map(() => 'data: open\n\n')));
    await waitFor(async () => {
      await wait(0);
      collectGarbage();
      expect(earlier.filter((ref) => ref.deref() !== undefined)).toHaveLength(0);
    });
  }, 400_000);
});
