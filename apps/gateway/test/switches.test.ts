import type { Settings } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { problemOf, startGateway, withKey } from './start-gateway.ts';

const everything = ['/', '/assets/landing.css', '/openapi.json', '/docs', '/docs/page.css', '/redoc', '/redoc/page.css']
  .concat(['/health', '/health/live', '/health/ready', '/metrics', '/auth/validate', '/auth/status', '/endpoints'])
  .concat(['/api/crypto']);

const cases: [string, Partial<Settings>, string[]][] = [
  ['no router', { enabled_routers: [] }, everything.filter((path) => /^\/(health|metrics|auth|endpoints)/.test(path))],
  ['health only', { enabled_routers: ['health'] }, ['/metrics', '/auth/validate', '/auth/status', '/endpoints']],
  ['no landing page', { enable_landing_page: false }, ['/', '/assets/landing.css']],
  ['no Swagger UI', { enable_docs: false }, ['/docs', '/docs/page.css']],
  ['no ReDoc', { enable_redoc: false }, ['/redoc', '/redoc/page.css']],
  [
    'no document, and no pages that need it',
    { enable_openapi: false },
    ['/openapi.json', '/docs', '/docs/page.css', '/redoc', '/redoc/page.css'],
  ],
];

describe('a disabled part', () => {
  it.each(cases)('404: %s', async (_, settings, off) => {
    const { fetch, app } = await startGateway({ settings });
    for (const path of everything) {
      const response = await fetch(path);
      if (off.includes(path))
        expect(await problemOf(response)).toMatchObject({ answered: 404, code: 'route_not_found' });
      else expect({ path, status: response.status }).toEqual({ path, status: path === '/auth/status' ? 401 : 200 });
    }
    const declared = Object.keys(app.generation().document.paths);
    for (const path of off) expect(declared).not.toContain(path.replace(/[^/]+\.css$/, '{asset}'));
  });

  it('is not linked from the landing page', async () => {
    const { fetch } = await startGateway({ settings: { enable_redoc: false, enabled_routers: [] } });
    const html = await (await fetch('/')).text();
    expect(html).toContain('href="docs"');
    expect(html).not.toMatch(/href="(redoc|metrics|health\/ready|endpoints)"|id="key-form"|id="state"/);
  });

  it('is served with metrics_requires_auth: 401 without a key, also in the document', async () => {
    const { fetch, app } = await startGateway({ settings: { metrics_requires_auth: true } });
    expect(await problemOf(await fetch('/metrics'))).toMatchObject({ answered: 401, code: 'key_missing' });
    expect((await fetch('/metrics', withKey)).status).toBe(200);
    const operation = app.generation().document.paths['/metrics']?.get;
    expect(operation?.security).toEqual([{ apiKeyHeader: [] }, { apiKeyBearer: [] }]);
    expect(operation?.responses).toHaveProperty('401');
  });

  it('removes its tag from the document with its last operation', async () => {
    const { app } = await startGateway({ settings: { enabled_routers: ['health'] } });
    const names = app.generation().document.tags?.map((tag) => tag.name);
    expect(names).toContain('System');
    expect(names).not.toContain('Authentication');
  });
});
