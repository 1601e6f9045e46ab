import { EventEmitter } from 'node:events';
import { createKeyAuthenticator, createKeyring, type KeyRecord, keyDigest } from '@rostergate/access/keys';
import { createLimiter } from '@rostergate/access/limits';
import { createPageHandlers } from '@rostergate/pages';
import { createRouter, createServer, type Handlers, type OpenApiDocument, type Principal } from '@rostergate/server';
import { createHealthHandlers, listen, runUntilSignalled } from '@rostergate/server/lifecycle';
import { createTelemetry } from '@rostergate/server/telemetry';
import { afterEach, describe, expect, it } from 'vitest';

interface Caller extends Principal {
  readonly record: KeyRecord;
}

const responses = { default: { description: 'Anything' } };
const open = (operationId: string, more: object = {}) => ({ get: { operationId, security: [], responses, ...more } });
const assetParameter = [{ name: 'asset', in: 'path' as const, required: true, schema: { type: 'string' } }];
const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: 'Whole', version: '1' },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
  paths: {
    '/health': open('getHealth', { 'x-rate-limit': 'exempt' }),
    '/health/live': open('getLiveness', { 'x-rate-limit': 'exempt' }),
    '/health/ready': open('getReadiness', { 'x-rate-limit': 'exempt' }),
    '/metrics': open('getMetrics'),
    '/openapi.json': open('getOpenapiDocument'),
    '/docs': open('getDocs'),
    '/docs/{asset}': open('getDocsAsset', { parameters: assetParameter }),
    '/redoc': open('getRedoc'),
    '/redoc/{asset}': open('getRedocAsset', { parameters: assetParameter }),
    '/me': { get: { operationId: 'getMe', security: [{ key: [] }], responses } },
  },
};

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a server that uses every entry point of the package. */
async function start() {
  const lines: string[] = [];
  const time = { ms: 1_700_000_000_000 };
  const clock = () => time.ms;
  const ring = createKeyring([{ name: 'ops', owner: 'team', sha256: keyDigest('canary'), scopes: [] }]);
  const telemetry = createTelemetry({
    service: 'whole',
    version: '1',
    clock,
    logLevel: 'info',
    logDestination: { write: (line) => void lines.push(line) },
  });
  const health = createHealthHandlers({ version: '1', clock, startedMs: time.ms, dependencies: {} });
  const { beginDrain, ...healthHandlers } = health;
  const handlers = {
    ...healthHandlers,
    ...telemetry.metricsHandlers,
    ...createPageHandlers({ document: () => document, title: 'Whole' }),
    getMe: (_request: unknown, { principal }: { principal: Caller }) => ({
      status: 200,
      body: { name: principal.name },
    }),
  } as unknown as Handlers;
  const router = createRouter<Caller>(
    { document, handlers },
    {
      authenticate: createKeyAuthenticator({
        keyring: () => ring,
        createPrincipal: (record): Caller => ({
          name: record.name,
          owner: record.owner,
          scopes: record.scopes,
          record,
        }),
        clock,
      }),
      limit: createLimiter<Caller>({ name: 'whole', anonymousPerWindow: 3, authenticatedPerWindow: 5, clock }),
      observe: telemetry.observe,
      clock,
    },
  );
  const server = createServer({ router: () => router });
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  const signals = new EventEmitter();
  const run = runUntilSignalled(server, { beforeClose: beginDrain, drainMs: 1_000, unreadyMs: 0, quietMs: 1, signals });
  stops.push(async () => {
    signals.emit('SIGTERM', 'SIGTERM');
    await run;
  });
  const call = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { call, lines, time };
}

describe('a server that uses every entry point', () => {
  it('authenticates the client, counts its owner and returns the remaining requests', async () => {
    const { call } = await start();
    const response = await call('/me', { Authorization: 'bearer canary' });
    expect(await response.json()).toEqual({ name: 'ops' });
    expect([response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')]).toEqual([
      '"whole";q=5;w=60',
      '"whole";r=4;t=60',
    ]);
  });

  it('charges wrong keys to the address, and rejects with 429 quota-exceeded over the limit', async () => {
    const { call, time } = await start();
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await call('/me', { 'X-API-Key': `guess-${i}` })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await call('/me', { 'X-API-Key': 'canary' })).status).toBe(200);
    time.ms += 59_000;
    const rejected = await call('/docs');
    expect([rejected.status, rejected.headers.get('retry-after'), rejected.headers.get('ratelimit')]).toEqual([
      429,
      '1',
      '"whole";r=0;t=1',
    ]);
    expect(await rejected.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'limit_exceeded',
      'violated-policies': ['whole'],
    });
    time.ms += 1_000;
    expect((await call('/docs')).status).toBe(200);
  });

  it('exempts health from the limit', async () => {
    const { call } = await start();
    for (let i = 0; i < 5; i++) {
      const response = await call('/health/ready');
      expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null]);
      await response.body?.cancel();
    }
  });

  it('never shows a key in logs, metrics or errors', async () => {
    const { call, lines } = await start();
    const responses = await Promise.all([
      call('/me', { 'X-API-Key': 'canary' }),
      call('/me', { 'X-API-Key': 'canary-wrong' }),
      call('/me?canary=1', { 'X-API-Key': 'canary' }),
      call('/canary', { 'X-API-Key': 'canary', Authorization: 'Bearer canary' }),
    ]);
    const bodies = await Promise.all(responses.map((response) => response.text()));
    const metrics = await (await call('/metrics', { 'X-API-Key': 'canary' })).text();
    expect(metrics).toContain('route="/me",status="200"');
    expect(lines).toHaveLength(5);
    expect(lines.join('') + metrics).not.toContain('canary');
    expect(bodies.slice(0, 2).join('')).not.toContain('canary');
  });

  it('serves its pages with their own security policy, and 304 without a length', async () => {
    const { call } = await start();
    const page = await call('/docs');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const etag = (await call('/docs/page.css')).headers.get('etag') ?? '';
    const again = await call('/docs/page.css', { 'If-None-Match': etag });
    expect([again.status, again.headers.get('content-length'), await again.text()]).toEqual([304, null, '']);
  });
});
