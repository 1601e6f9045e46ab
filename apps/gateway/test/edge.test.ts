import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectPlainly } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { brotliDecompressSync } from 'node:zlib';
import { ConfigError } from '@rostergate/config';
import { describe, expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { configure, goodKey, problemOf, startGateway } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const app = 'https://app.example';
const preflight = {
  method: 'OPTIONS',
  headers: { Origin: app, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
};

const pem = (name: string) => readFileSync(new URL(`./tls/${name}.pem`, import.meta.url), 'utf8');
const pair = { tls_certificate_file: 'server.pem', tls_key_file: 'server.key' };
const filesOf = (name: string) => ({ 'server.pem': pem(`${name}.certificate`), 'server.key': pem(`${name}.key`) });

describe('CORS of a configuration', () => {
  it('allows requests of the listed origins, and preflights without a key', async () => {
    const { fetch } = await startGateway({ settings: { cors_origins: [app], cors_max_age_seconds: 7 } });
    const asked = await fetch('/auth/status', preflight);
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'x-api-key',
      'access-control-max-age': '7',
    });
    const rejected = await fetch('/auth/status', { headers: { Origin: app } });
    expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([401, app]);
    const stranger = await fetch('/auth/status', { headers: { Origin: 'https://evil.example', 'X-API-Key': goodKey } });
    expect([stranger.status, stranger.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('counts preflights separately from the quota of the client, with their own limit', async () => {
    const { fetch } = await startGateway({
      settings: { cors_origins: ['*'], rate_limit_enabled: true, rate_limit_per_minute: 1 },
      steadyClock: () => 1_000_000,
    });
    for (const path of ['/auth/status', '/metrics', '/nowhere']) {
      for (let i = 0; i < 200; i++) expect((await fetch(path, preflight)).status).not.toBe(429);
    }
    const rejected = await fetch('/auth/status', preflight);
    expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([429, '*']);
    expect((await problemOf(rejected))['violated-policies']).toEqual(['auxiliary']);
    expect((await fetch('/api/hello')).headers.get('ratelimit')).toBe('"default";r=0;t=60');
  });

  it('takes effect with a reload', async () => {
    const { app: gateway, fetch } = await startGateway();
    const allowed = async () => (await fetch('/health', preflight)).headers.get('access-control-allow-origin');
    expect(await allowed()).toBeNull();
    await gateway.apply(await configure({ settings: { cors_origins: [app] } }));
    expect(await allowed()).toBe(app);
  });

  it.each([
    [{ cors_origins: ['*'], cors_credentials: true }, 'cors_credentials', 'any page'],
    [{ cors_origins: [app, `${app}:443`] }, 'cors_origins[1]', `write ${app}.`],
  ])('is a fault of the configuration with %o', async (settings, field, words) => {
    const fault = await configure({ settings }).catch((error) => error);
    expect(fault).toBeInstanceOf(ConfigError);
    expect(fault.faults).toMatchObject([{ field, detail: expect.stringContaining(words) }]);
  });
});

describe('compression of a configuration', () => {
  const asked = { 'Accept-Encoding': 'br' };

  it('compresses long responses, unless it is disabled', async () => {
    const { app: gateway, fetch } = await startGateway();
    const coded = await fetch('/openapi.json', { headers: asked });
    expect([coded.headers.get('content-encoding'), coded.headers.get('vary')]).toEqual(['br', 'Accept-Encoding']);
    expect((await coded.json()) as object).toHaveProperty('openapi');
    await gateway.apply(await configure({ settings: { enable_compression: false } }));
    const plain = await fetch('/openapi.json', { headers: asked });
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, null]);
  });

  it('revalidates a page by the ETag of its compressed form', async () => {
    const { fetch } = await startGateway();
    const tag = (await fetch('/openapi.json', { headers: asked })).headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\//);
    const again = await fetch('/openapi.json', { headers: { ...asked, 'If-None-Match': tag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
  });
});

describe('TLS of a configuration', () => {
  async function ask(url: string, names: readonly string[]) {
    const socket = connect({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      servername: 'localhost',
      ca: names.map((name) => pem(`${name}.certificate`)),
    });
    await once(socket, 'secureConnect');
    socket.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return { name: socket.getPeerCertificate().subject.CN, answer: await text(socket) };
  }

  it('uses its certificate, and a new one after a reload', async () => {
    const { app: gateway, url } = await startGateway({ settings: pair, files: filesOf('first') });
    const before = await ask(url, ['first']);
    expect(before).toMatchObject({ name: 'first.test', answer: expect.stringMatching(/^HTTP\/1\.1 200 /) });
    expect(before.answer).toContain('Strict-Transport-Security: max-age=31536000');
    await gateway.apply(await configure({ settings: pair, files: filesOf('second') }));
    expect(await ask(url, ['second'])).toMatchObject({ name: 'second.test' });
  });

  it.each([
    ['half a pair', { tls_key_file: 'server.key' }, filesOf('first'), 'TLS needs both'],
    ['a file that is not there', pair, {}, 'no such file'],
    [
      'the key of another certificate',
      pair,
      { ...filesOf('first'), 'server.key': pem('second.key') },
      'another certificate',
    ],
  ])('is a fault of the configuration with %s', async (_case, settings, files, words) => {
    const fault = await configure({ settings, files }).catch((error) => error);
    expect(fault).toBeInstanceOf(ConfigError);
    expect(fault.faults[0].detail).toContain(words);
  });
});

describe('timeouts of a configuration', () => {
  it('end late requests according to the newest configuration', async () => {
    const { app: gateway, url } = await startGateway();
    await gateway.apply(await configure({ settings: { headers_timeout_ms: 100 } }));
    const socket = connectPlainly(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /health HTTP/1.1\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  });

  it('end a forwarded body that arrives too slowly', async () => {
    const origin = await startOrigin();
    const { url, log } = await startForwarding({
      settings: { request_timeout_ms: 300 },
      endpoints: [{ path: '/up', method: 'POST', service: 'http', upstream: { targets: [origin.url] } }],
    });
    const socket = connectPlainly(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\na');
    const drops = setInterval(() => socket.write('a'), 50);
    const answer = await text(socket);
    clearInterval(drops);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await expect.poll(log).toContain('"status":408');
  });
});

describe('the log of a configuration', () => {
  const statuses = (log: string) =>
    log.split('\n').flatMap((line) => (line.includes('"status"') ? [JSON.parse(line).status] : []));

  it('samples and stops according to the newest configuration', async () => {
    const { app: gateway, fetch, log } = await startGateway({ settings: { log_sample_every: 2 } });
    for (let i = 0; i < 4; i++) await fetch('/health');
    expect(statuses(log())).toEqual([200, 200]);
    await gateway.apply(await configure({ settings: { log_sample_every: 1 } }));
    await fetch('/health');
    expect(statuses(log())).toEqual([200, 200, 200]);
  });

  it('contains the request id of the response and the trace id', async () => {
    const { fetch, log } = await startGateway();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const answer = await fetch('/health?x=canary', { headers: { 'X-Request-Id': 'mine', traceparent } });
    expect(answer.headers.get('x-request-id')).toBe('mine');
    expect(JSON.parse(log().trim().split('\n').at(-1) ?? '')).toMatchObject({
      request_id: 'mine',
      trace_id: 'a'.repeat(32),
    });
    expect(log()).not.toContain('canary');
  });
});

describe('a trace', () => {
  it('is forwarded to an upstream with the span of the log', async () => {
    const origin = await startOrigin();
    const { fetch, log } = await startForwarding({
      endpoints: [{ path: '/up', service: 'http', upstream: { targets: [origin.url] } }],
    });
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
    const seen = (await (await fetch('/up', { headers: { traceparent, tracestate: 'v=1' } })).json()) as {
      headers: Record<string, string>;
    };
    const { span_id: span } = JSON.parse(log().trim().split('\n').at(-1) ?? '');
    expect(seen.headers).toMatchObject({ traceparent: `00-${'a'.repeat(32)}-${span}-00`, tracestate: 'v=1' });
  });
});

describe('a page’s large files', () => {
  it('are the same whether compressed, cached or plain', async () => {
    const { url } = await startGateway();
    const port = Number(new URL(url).port);
    const ask = async (encoding: string) => {
      const socket = connectPlainly(port, '127.0.0.1');
      socket.write(
        `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
      );
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      const all = Buffer.concat(chunks);
      return all.subarray(all.indexOf('\r\n\r\n') + 4);
    };
    const plain = await ask('identity');
    for (let i = 0; i < 3; i++) expect(brotliDecompressSync(await ask('br')).equals(plain)).toBe(true);
  });
});
