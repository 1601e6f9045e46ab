import { describe, expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';

describe.each(serverNames)('%s', (server) => {
  test('serves its contract', async () => {
    const { status, body } = await call(server, '/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\./);
    expect(body.paths['/health'].get.operationId).toBe('getHealth');
  });

  test.each(['/', '/docs', '/redoc'])('%s is a page with assets of the same server only', async (path) => {
    const page = await call(server, path);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    const assets = [...page.text.matchAll(/(?:src|href)="(?!data:|#)([^"]+)"/g)].map(([, asset = '']) => asset);
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of assets) {
      const { origin, pathname } = new URL(asset, `http://here${path}`);
      expect(origin, asset).toBe('http://here');
      expect((await call(server, pathname)).status, asset).toBe(200);
    }
  });

  test.each(['/', '/docs', '/redoc'])('%s loads nothing from another origin', async (path) => {
    const policy = (await call(server, path)).headers.get('Content-Security-Policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  test('responds 404 for an unknown asset in any spelling', async () => {
    for (const asset of ['nothing.css', '..%2Fpackage.json', '%2e%2e%2fpackage.json']) {
      expect((await call(server, `/docs/${asset}`)).status, asset).toBe(404);
    }
  });
});
