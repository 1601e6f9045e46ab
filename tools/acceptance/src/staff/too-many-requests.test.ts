import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call } from '../call.ts';
import { pickFreePort } from '../free-ports.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { logins } from './callers.ts';
import { requestsThatAnswer } from './requests.ts';

const { env, urls, credentials } = inject('servers');

describe('the scheduling server, whose only limit is on logins that fail', () => {
  let server: SchedulingProcess;
  beforeAll(async () => {
    server = await startScheduling({ env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  });
  afterAll(() => server.stop());

  const logIn = (json: object) => server.call('/v2/login', { method: 'POST', json });

  test('login 429: after ten failures even the right password has to wait, and is told how long', async () => {
    const wrong = { ...logins.reader, password: 'not-the-password' };
    const failed = await Promise.all(Array.from({ length: 10 }, () => logIn(wrong)));
    expect(failed.map(({ status }) => status)).toEqual(Array(10).fill(401));
    const { status, headers, body } = await logIn(logins.reader);
    expect([status, body.code, body.kind]).toEqual([429, 'limit_exceeded', 'RateLimitError']);
    expect(body.type).toContain('quota-exceeded');
    const waitS = Number(headers.get('Retry-After'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    expect((await logIn(logins.admin)).status).toBe(200);
  });
});

describe('the staff proxy, which counts requests', () => {
  let proxy: RunningServer;
  beforeAll(async () => {
    const settings = {
      ...env,
      ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling,
      ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '1',
    };
    proxy = await startServer({ name: 'staff-proxy', port: await pickFreePort(), env: settings });
    const headers = { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY };
    await call('staff-proxy', '/v2/staffmember/no-such-person', { headers, baseUrl: proxy.url });
  });
  afterAll(() => proxy.stop());

  test.each(requestsThatAnswer(429))(
    '$operationId 429: behind the proxy, past the limit of its key, and told how long to wait',
    async ({ method, path, json }) => {
      const headers = { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY };
      const answer = await call('staff-proxy', path, { method, json, headers, baseUrl: proxy.url });
      expect([answer.status, answer.body.code]).toEqual([429, 'limit_exceeded']);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    },
  );
});
