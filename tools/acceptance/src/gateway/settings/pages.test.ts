import { expect, test } from 'vitest';
import { shareGateway } from '../../shared-gateway.ts';

const gateways = shareGateway();

/** Returns the statuses of several paths in order. */
async function statusesOf(settings: Record<string, unknown>, paths: readonly string[]): Promise<number[]> {
  const gateway = await gateways.serve({ settings });
  return Promise.all(paths.map(async (path) => (await gateway.call(path)).status));
}

test('setting enable_landing_page: false makes / and its assets 404', async () => {
  expect(await statusesOf({ enable_landing_page: false }, ['/', '/assets/landing.css', '/docs'])).toEqual([
    404, 404, 200,
  ]);
});

test('setting enable_docs: false makes /docs 404 and leaves /redoc', async () => {
  expect(await statusesOf({ enable_docs: false }, ['/docs', '/docs/page.css', '/redoc'])).toEqual([404, 404, 200]);
});

test('setting enable_redoc: false makes /redoc 404 and leaves /docs', async () => {
  expect(await statusesOf({ enable_redoc: false }, ['/redoc', '/redoc/page.css', '/docs'])).toEqual([404, 404, 200]);
});

test('setting enable_openapi: false makes /openapi.json, /docs and /redoc 404', async () => {
  const paths = ['/openapi.json', '/docs', '/redoc', '/', '/endpoints'];
  expect(await statusesOf({ enable_openapi: false }, paths)).toEqual([404, 404, 404, 200, 200]);
});

test('setting enabled_routers: a missing router is 404 and not in the document', async () => {
  const gateway = await gateways.serve({ settings: { enabled_routers: ['health'] } });
  const paths = [
    '/health',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/auth/status',
    '/auth/validate',
    '/endpoints',
  ];
  const statuses = await Promise.all(paths.map(async (path) => (await gateway.call(path)).status));
  expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404]);
  const declared = Object.keys((await gateway.call('/openapi.json')).body.paths);
  expect(declared.filter((path) => /^\/(health|metrics|auth|endpoints)/.test(path)).sort()).toEqual([
    '/health',
    '/health/live',
    '/health/ready',
  ]);
});
