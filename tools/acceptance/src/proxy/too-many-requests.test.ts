import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call } from '../call.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { requestsThatAnswer } from './requests.ts';

const { env, urls, credentials } = inject('servers');

describe('the staff proxy, which counts requests', () => {
  let proxy: RunningServer;
  beforeAll(async () => {
    const settings = {
      ...env,
      ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling,
      ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '1',
    };
    proxy = await startServer({ name: 'staff-proxy', port: 0, env: settings });
    const headers = { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY };
    await call('staff-proxy', '/v2/staffmember/no-such-person', { headers, baseUrl: proxy.url });
  });
  afterAll(() => proxy.stop());

  test.each(requestsThatAnswer(429))(
    '$operationId 429: above the limit of its key behind the proxy, with Retry-After',
    async ({ method, path, json }) => {
      const headers = { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY };
      const response = await call('staff-proxy', path, { method, json, headers, baseUrl: proxy.url });
      expect([response.status, response.body.code]).toEqual([429, 'limit_exceeded']);
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    },
  );
});
