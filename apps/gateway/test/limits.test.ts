import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { problemOf, startGateway, withKey } from './start-gateway.ts';

function limited(settings = {}) {
  let nowMs = 1_000_000;
  const started = startGateway({ settings: { rate_limit_enabled: true, ...settings }, steadyClock: () => nowMs });
  return { started, pass: (ms: number) => (nowMs += ms) };
}

async function statuses(count: number, call: (i: number) => Promise<Response>): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (let i = 0; i < count; i++) {
    const { status } = await call(i);
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

describe('limits', () => {
  it('429: an address has 60 requests in any minute for all routes except health, pages and metrics', async () => {
    const { started, pass } = limited();
    const { fetch } = await started;
    const paths = ['/api/crypto', '/endpoints', '/nowhere', '/auth/validate'];
    expect(await statuses(62, (i) => fetch(paths[i % 4] as string))).toMatchObject({ 429: 2 });
    const rejected = await fetch('/api/hello');
    expect(rejected.headers.get('retry-after')).toBe('60');
    expect(rejected.headers.get('ratelimit-policy')).toBe('"default";q=60;w=60');
    expect(rejected.headers.get('ratelimit')).toBe('"default";r=0;t=60');
    expect(await rejected.clone().json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': ['default'],
    });
    expect(await problemOf(rejected)).toMatchObject({ answered: 429, code: 'limit_exceeded', kind: 'RateLimitError' });
    for (const path of ['/health', '/', '/docs', '/openapi.json', '/metrics']) {
      expect((await fetch(path)).status, path).toBe(200);
    }
    pass(59_000);
    const { headers } = await fetch('/api/hello');
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['1', '"default";r=0;t=1']);
    pass(1_000);
    expect((await fetch('/api/hello')).status).toBe(200);
  });

  it('429: an owner has 300, separate from the address', async () => {
    const { started } = limited();
    const { fetch } = await started;
    expect(await statuses(302, () => fetch('/api/hello', withKey))).toEqual({ 200: 300, 429: 2 });
    expect((await fetch('/api/hello')).status).toBe(200);
  });

  it('429: invalid keys are charged to the address, even if they change, also on health', async () => {
    const { started } = limited();
    const { fetch } = await started;
    const guess = (path: string) => (i: number) => fetch(path, { headers: { 'X-API-Key': `guess-${i}` } });
    expect(await statuses(20, guess('/health'))).toEqual({ 401: 20 });
    expect(await statuses(20, guess('/auth/status'))).toEqual({ 401: 20 });
    expect(await statuses(20, guess('/auth/validate'))).toEqual({ 200: 20 });
    expect(await statuses(3, guess('/auth/validate'))).toEqual({ 429: 3 });
    expect(await statuses(3, guess('/health'))).toEqual({ 429: 3 });
  });

  it('count each request with Upgrade once: one whose offer is ignored, and a WebSocket handshake, which is 501', async () => {
    const { started } = limited();
    const { url } = await started;
    const answers = [];
    for (const protocol of ['h2c', 'websocket', 'TLS/1.0', 'websocket', 'h2c']) {
      const asked = request(`${url}/api/hello`, { headers: { Connection: 'Upgrade', Upgrade: protocol } }).end();
      const [{ statusCode, headers }] = await once(asked, 'response');
      asked.destroy();
      answers.push([statusCode, headers.ratelimit]);
    }
    expect(answers).toEqual([
      [200, '"default";r=59;t=60'],
      [501, '"default";r=58;t=60'],
      [200, '"default";r=57;t=60'],
      [501, '"default";r=56;t=60'],
      [200, '"default";r=55;t=60'],
    ]);
  });

  it('are set by the settings', async () => {
    const { started } = limited({ rate_limit_per_minute: 2, rate_limit_per_minute_authenticated: 3 });
    const { fetch } = await started;
    expect(await statuses(3, () => fetch('/api/hello'))).toEqual({ 200: 2, 429: 1 });
    expect(await statuses(4, () => fetch('/api/hello', withKey))).toEqual({ 200: 3, 429: 1 });
  });

  it('reject nothing and set no headers if disabled', async () => {
    const { started } = limited({ rate_limit_enabled: false });
    const { fetch } = await started;
    expect(await statuses(70, () => fetch('/api/hello'))).toEqual({ 200: 70 });
    const { headers } = await fetch('/api/hello');
    expect([...headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
  });
});
