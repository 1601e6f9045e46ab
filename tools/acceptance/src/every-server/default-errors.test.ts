import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call, type TestResponse } from '../call.ts';
import { contracts, operationsOf } from '../contracts.ts';
import { sendBytes } from '../send-bytes.ts';
import { type ServerName, serverNames } from '../server-names.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const { credentials, env, urls } = inject('servers');

interface SentRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** Sends a request to every operation of a contract at once; expects the status of each. */
async function expectOfEach(server: ServerName, status: number, send: (request: SentRequest) => Promise<TestResponse>) {
  const requests = operationsOf(contracts[server]).map(({ operationId, method, template }) => ({
    ...{ operationId, method: method.toUpperCase(), path: template.replaceAll(/\{\w+\}/g, 'any') },
  }));
  const responses = await Promise.all(requests.map(send));
  const statuses = requests.map(({ operationId }, i) => [operationId, responses[i]?.status]);
  expect(statuses).toEqual(requests.map(({ operationId }) => [operationId, status]));
}

async function adminHeaders(server: ServerName): Promise<Record<string, string>> {
  if (server === 'gateway') return { 'X-API-Key': credentials.GATEWAY_KEY };
  if (server === 'staff-proxy') return { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY };
  const json = { email: credentials.SCHEDULING_ADMIN_EMAIL, password: credentials.SCHEDULING_ADMIN_PASSWORD };
  const { body } = await call('scheduling', '/v2/login', { method: 'POST', json });
  return { Authorization: `Bearer ${body.access_token}` };
}

describe.each(serverNames)('%s', (server) => {
  test('each operation responds 406 when the client accepts no encoding of the response', async () => {
    const headers = { ...(await adminHeaders(server)), 'Accept-Encoding': 'identity;q=0, *;q=0' };
    await expectOfEach(server, 406, ({ method, path }) => call(server, path, { method, headers }));
  });

  test('each operation responds 414 when the address is too long', async () => {
    const query = `?x=${'x'.repeat(17_000)}`;
    await expectOfEach(server, 414, ({ method, path }) => call(server, path + query, { method }));
  });

  test('each operation responds 431 when the header fields are too large', async () => {
    const headers = { 'X-Long': 'x'.repeat(33_000) };
    await expectOfEach(server, 431, ({ method, path }) => call(server, path, { method, headers }));
  });

  test('each operation responds 501 when the client asks for a WebSocket', async () => {
    const fields = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    await expectOfEach(server, 501, (request) =>
      sendBytes(server, `${request.method} ${request.path} HTTP/1.1\r\n${fields}`, request),
    );
  });
});

describe.concurrent('the head of a request that never ends', () => {
  test.each(serverNames)('%s: each operation responds 408 at the deadline', async (server) => {
    await expectOfEach(server, 408, (request) =>
      sendBytes(server, `${request.method} ${request.path} HTTP/1.1\r\nHost: x\r\n`, request),
    );
  });
});

describe.each([
  ['gateway', 'ROSTERGATE_'],
  ['staff-proxy', 'ROSTERGATE_PROXY_'],
] as const)('%s that rejects what it cannot count', (name, prefix) => {
  let server: RunningServer;
  beforeAll(async () => {
    const settings = {
      ...{ ...env, ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling },
      [`${prefix}REDIS_URL`]: 'redis://127.0.0.1:1',
      [`${prefix}RATE_LIMIT_ON_STORE_FAILURE`]: 'closed',
    };
    server = await startServer({ name, port: 0, env: settings, readyPath: '/health/live' });
  });
  afterAll(() => server.stop());

  test('each operation responds 503 to a wrong key, which is counted for every operation', async () => {
    const headers = { 'X-API-Key': 'invented' };
    await expectOfEach(name, 503, ({ method, path }) => call(name, path, { baseUrl: server.url, method, headers }));
  });
});
