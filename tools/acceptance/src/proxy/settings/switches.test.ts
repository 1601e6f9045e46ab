import { expect, test } from 'vitest';
import { type StandInProxy, startStandInProxy, withKey } from '../stand-in-proxy.ts';

const paths = ['/', '/roster/roster.js', '/docs', '/redoc', '/openapi.json', '/health', '/health/ready', '/metrics'];
const found = async ({ url }: StandInProxy) => {
  const statuses = await Promise.all(paths.map(async (path) => [path, (await fetch(url + path)).status] as const));
  // On a busy machine the health of the upstream may be late, which readiness reports.
  const isThere = (path: string, status: number) => status === 200 || (path === '/health/ready' && status === 503);
  return statuses.flatMap(([path, status]) => (isThere(path, status) ? [path] : []));
};

test('setting enable_landing_page, enable_docs, enable_redoc, enable_openapi, enable_health, enable_metrics: a disabled part is 404 at once, and others are served', async () => {
  const proxy = await startStandInProxy();
  expect(await found(proxy)).toEqual(paths);
  const left: Record<string, string[]> = {
    enable_landing_page: ['/docs', '/redoc', '/openapi.json', '/health', '/health/ready', '/metrics'],
    enable_docs: ['/', '/roster/roster.js', '/redoc', '/openapi.json', '/health', '/health/ready', '/metrics'],
    enable_redoc: ['/', '/roster/roster.js', '/docs', '/openapi.json', '/health', '/health/ready', '/metrics'],
    enable_openapi: ['/', '/roster/roster.js', '/health', '/health/ready', '/metrics'],
    enable_health: ['/', '/roster/roster.js', '/docs', '/redoc', '/openapi.json', '/metrics'],
    enable_metrics: ['/', '/roster/roster.js', '/docs', '/redoc', '/openapi.json', '/health', '/health/ready'],
  };
  for (const [setting, still] of Object.entries(left)) {
    await proxy.applied(() => proxy.writeSettings({ [setting]: false }));
    expect.soft(await found(proxy), setting).toEqual(still);
  }
  expect((await proxy.call('/v2/staffmember', withKey)).status).toBe(200);
  const document = (await proxy.call('/openapi.json')).body;
  expect(Object.keys(document.paths)).not.toContain('/metrics');
});

test('setting metrics_requires_auth: true responds 401 without a key and is in the document', async () => {
  const proxy = await startStandInProxy({ settings: { metrics_requires_auth: true } });
  expect((await fetch(`${proxy.url}/metrics`)).status).toBe(401);
  expect((await proxy.call('/metrics', withKey)).status).toBe(200);
  expect((await proxy.call('/openapi.json')).body.paths['/metrics'].get.security).not.toEqual([]);
});
