import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { call } from '../call.ts';
import type { ServerName } from '../server-names.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const { env, credentials } = inject('servers');

/** Starts a server whose dependency is at a closed port. */
async function startAlone(name: ServerName, setting: string): Promise<RunningServer> {
  const closed = await pickFreePort();
  const settings = { ...env, [setting]: `http://127.0.0.1:${closed}` };
  return startServer({ name, port: 0, env: settings, readyPath: '/health/live' });
}

describe('the proxy without its upstream', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startAlone('staff-proxy', 'ROSTERGATE_PROXY_UPSTREAM_URL');
  });
  afterAll(() => server.stop());
  const ask = (path: string, headers?: Record<string, string>) =>
    call('staff-proxy', path, { baseUrl: server.url, ...(headers ? { headers } : {}) });

  test('is alive, is not ready, and names the missing dependency', async () => {
    expect((await ask('/health/live')).status).toBe(200);
    const { status, body } = await ask('/health/ready');
    expect([status, body.status]).toEqual([503, 'unavailable']);
    expect(JSON.stringify(body.dependencies)).toContain('upstream');
  });

  test('responds 502 or 503 to a valid key and 401 to a wrong one, without addresses', async () => {
    const path = '/v2/staffmember?$top=1';
    const good = await ask(path, { 'X-API-Key': credentials.STAFF_PROXY_KEY });
    expect([502, 503]).toContain(good.status);
    expect(good.text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
    expect((await ask(path, { 'X-API-Key': 'staff_live_invented_00000000' })).status).toBe(401);
  });
});

describe('the gateway without the ticker service', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startAlone('gateway', 'ROSTERGATE_CRYPTO_UPSTREAM_URL');
  });
  afterAll(() => server.stop());

  test.each(['BTC', 'ETH', 'SOL'])('returns %s from the snapshot with its source and time', async (symbol) => {
    const startedMs = performance.now();
    const { status, body } = await call('gateway', `/api/crypto?symbol=${symbol}`, { baseUrl: server.url });
    // Only the first read asks the ticker service.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect([status, body.symbol, body.source]).toEqual([200, symbol, 'snapshot']);
    expect(Date.parse(body.as_of)).toBeLessThan(Date.now());
  });
});
