import { expect, test } from 'vitest';
import { call } from '../call.ts';

test('GET /endpoints lists the served endpoints, and each of them responds', async () => {
  const { status, body } = await call('gateway', '/endpoints');
  expect(status).toBe(200);
  expect(body.total).toBe(body.endpoints.length);
  expect(body.endpoints).toContainEqual(
    expect.objectContaining({ path: '/api/crypto', method: 'GET', service: 'crypto' }),
  );
  const { paths } = (await call('gateway', '/openapi.json')).body;
  for (const { path, method, service, enabled } of body.endpoints) {
    expect(body.services).toContain(service);
    expect(paths[path]?.[method.toLowerCase()] !== undefined, path).toBe(enabled);
  }
});

test('every asset of GET / is served', async () => {
  const page = await call('gateway', '/');
  expect(page.status).toBe(200);
  const assets = [...page.text.matchAll(/(?:src|href)="(\/?assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
  expect(assets.length).toBeGreaterThan(0);
  for (const asset of assets) expect((await call('gateway', `/${asset.replace(/^\//, '')}`)).status, asset).toBe(200);
});
