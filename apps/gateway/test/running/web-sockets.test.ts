import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyDigest } from '@rostergate/access/keys';
import { describe, expect, it } from 'vitest';
import { closed, connect, exchange, startWebSocketOrigin } from '../start-web-socket-origin.ts';
import { makeFolder, put, startGateway, until, withKey } from './gateway-process.ts';

const pem = (name: string) => readFileSync(new URL(`../tls/${name}.pem`, import.meta.url), 'utf8');
const live = (url: string, more: object = {}) => ({
  path: '/live',
  service: 'http',
  upstream: { targets: [url], websocket: {} },
  ...more,
});
const goingKeys = ['key-goes-1', 'key-goes-2', 'key-goes-3'];
/** Returns a keys file in which the first `revoked` keys that go are revoked. */
const keys = (revoked = 0) => ({
  keys: [
    { name: 'stays', owner: 'a', sha256: keyDigest('key-stays') },
    ...goingKeys.map((key, i) => ({
      ...{ name: key, owner: 'b', sha256: keyDigest(key) },
      ...(i < revoked ? { revoked_at: '2020-01-01T00:00:00Z' } : {}),
    })),
  ],
});
const headers = (key: string) => ({ headers: { 'X-API-Key': key } });

describe('a WebSocket of a running gateway', () => {
  it.each([1, 2])('with workers: %i, is closed within 1 s after its key was revoked', async (workers) => {
    const origin = await startWebSocketOrigin();
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': { rate_limit_enabled: false, workers },
        'endpoints.json': { endpoints: [live(origin.url, { requires_auth: true })] },
        'keys.json': keys(),
      }),
    );
    const staying = await connect(`${gateway.url}/live`, [], headers('key-stays'));
    // The least of three times: a busy machine only adds.
    let leastMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < goingKeys.length && leastMs >= 1_000; i++) {
      const key = goingKeys[i] as string;
      // Enough for each worker to have some.
      const going = await Promise.all(
        Array.from({ length: 12 }, () => connect(`${gateway.url}/live`, [], headers(key))),
      );
      const ended = Promise.all(going.map(closed));
      await put(join(gateway.folder, 'keys.json'), keys(i + 1));
      await until(async () => (await gateway.fetch('/auth/status', withKey(key))).status === 401);
      const revokedMs = performance.now();
      expect(new Set((await ended).map(([code]) => code))).toEqual(new Set([1008]));
      leastMs = Math.min(leastMs, performance.now() - revokedMs);
    }
    expect(leastMs).toBeLessThan(1_000);
    expect((await exchange(staying, 'still')).toString()).toBe('still');
  });

  it('passes messages and close codes over TLS', async () => {
    const origin = await startWebSocketOrigin();
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': { tls_certificate_file: 'server.pem', tls_key_file: 'server.key' },
        'endpoints.json': { endpoints: [live(origin.url, { requires_auth: true })] },
        'keys.json': keys(),
        'server.pem': pem('first.certificate'),
        'server.key': pem('first.key'),
      }),
    );
    const url = gateway.url.replace(/^http/, 'https');
    // The certificate names no host.
    const trusting = { ca: pem('first.certificate'), checkServerIdentity: () => undefined };
    await expect(connect(`${url}/live`, [], { ...trusting, ...headers('wrong') })).rejects.toThrow('401');
    const webSocket = await connect(`${url}/live`, [], { ...trusting, ...headers('key-stays') });
    const large = Buffer.alloc(1_000_000, 'x');
    expect((await exchange(webSocket, large)).equals(large)).toBe(true);
    expect(origin.seen[0]?.headers['x-forwarded-proto']).toBe('https');
    const ended = closed(webSocket);
    await put(join(gateway.folder, 'keys.json'), { keys: [] });
    expect((await ended)[0]).toBe(1008);
    expect(await gateway.stop()).toBe(0);
  });

  it('runs every policy on its handshake, and no code again after an edit', async () => {
    const origin = await startWebSocketOrigin();
    const gate = (verdict: string) => `import { definePolicy } from 'rostergate';
export default definePolicy({
  answers: { 403: 'It is closed.' },
  before(context) { context.setRequestHeader('X-Operation', context.operation.operationId); return ${verdict}; },
});
`;
    const policies = {
      near: { type: 'addresses', allow: ['127.0.0.1'] },
      far: { type: 'addresses', allow: ['10.0.0.0/8'] },
      named: {
        type: 'headers',
        request: { set: { 'X-Address': '{address}' }, remove: ['Cookie'] },
        response: { set: { 'X-Served-By': 'gateway' } },
      },
      gate: { type: 'code', module: 'gate.ts' },
    };
    const folder = await makeFolder({
      'settings.json': {},
      'endpoints.json': {
        policies,
        endpoints: [
          live(origin.url, { policies: ['named', 'near', 'gate'] }),
          live(origin.url, { path: '/denied', policies: ['far'] }),
        ],
      },
      'services/gate.ts': gate('undefined'),
    });
    const gateway = await startGateway(folder);
    await expect(connect(`${gateway.url}/denied`)).rejects.toThrow('403');
    expect(origin.seen).toEqual([]);
    let shown: string | undefined;
    const webSocket = await connect(`${gateway.url}/live`, [], {
      headers: { 'X-Address': 'forged', Cookie: 'a=1' },
      finishRequest: (req: import('node:http').ClientRequest) =>
        req.once('upgrade', (response) => (shown = String(response.headers['x-served-by']))).end(),
    });
    expect(shown).toBe('gateway');
    expect(origin.seen[0]?.headers).toMatchObject({ 'x-address': '127.0.0.1', 'x-operation': 'getLive' });
    expect(origin.seen[0]?.headers).not.toHaveProperty('cookie');
    await put(join(folder, 'services/gate.ts'), gate('{ status: 403 }'));
    const isApplied = () => gateway.log.some(({ msg }) => msg === 'configuration applied');
    await until(isApplied, 'the edited policy', 60_000);
    await expect(connect(`${gateway.url}/live`)).rejects.toThrow('403');
    expect((await exchange(webSocket, 'still')).toString()).toBe('still');
  });
});
