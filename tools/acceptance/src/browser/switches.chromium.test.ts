import { describe, expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { keys, usePagesGateway } from './pages-gateway.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();

interface Case {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly off: readonly string[];
  readonly readyPath?: string;
}

const system = ['/health', '/health/ready', '/metrics', '/auth/validate', '/endpoints'];
const documentation = ['/docs', '/redoc', '/openapi.json'];
const cases: readonly Case[] = [
  { settings: { enable_landing_page: false }, off: ['/', '/assets/landing.css'] },
  { settings: { enable_docs: false }, off: ['/docs'] },
  { settings: { enable_redoc: false }, off: ['/redoc'] },
  { settings: { enable_openapi: false }, off: documentation },
  { settings: { enabled_routers: [] }, off: system, readyPath: '/api/hello' },
  { settings: { enabled_routers: ['health', 'auth'] }, off: ['/metrics', '/endpoints'] },
];

describe.each(cases)('$settings', ({ settings, off, readyPath = '/health/ready' }) => {
  const gateway = usePagesGateway({ settings, readyPath });

  test('a disabled page is 404, and the others neither link to it nor fail without it', async () => {
    for (const path of off) expect((await fetch(gateway() + path)).status, path).toBe(404);
    for (const path of ['/', '/docs', '/redoc'].filter((page) => !off.includes(page))) {
      const { page, faults } = await openPage(browser(), gateway() + path);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      const hrefs = await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
      const links = hrefs.filter((href) => href.startsWith(gateway())).map((href) => new URL(href).pathname);
      expect(
        links.filter((link) => off.includes(link)),
        path,
      ).toEqual([]);
      for (const link of new Set(links)) expect((await fetch(gateway() + link)).status, link).toBe(200);
      expect(faults, path).toEqual([]);
      await page.context().close();
    }
  });
});

describe('metrics that need a key', () => {
  const gateway = usePagesGateway({ settings: { metrics_requires_auth: true } });

  test('are drawn with a tested key until it is forgotten', async () => {
    const { page, faults, requests } = await openPage(browser(), `${gateway()}/`);
    const state = page.locator('#figures-state');
    expect(await state.textContent()).toContain('need a key');
    expect(requests.filter((url) => url.includes('/metrics'))).toEqual([]);
    await page.fill('#tester-key', keys.reader);
    await page.click('#tester button.main');
    await expect.poll(() => state.textContent()).toBe('Refreshes every 2 s');
    await expect.poll(() => page.locator('#chart-rate .value').textContent()).toMatch(/\d/);
    await page.click('#tester-forget');
    await expect.poll(() => state.textContent()).toContain('need a key');
    expect(faults).toEqual([]);
  });
});

describe('a small limit', () => {
  const gateway = usePagesGateway({ settings: { rate_limit_per_minute: 20 } });

  test('is unaffected by ten page views beside an open page, which polls less as the page quota runs low', async () => {
    const { page, faults } = await openPage(browser(), `${gateway()}/`);
    const state = page.locator('#figures-state');
    await expect.poll(() => state.textContent()).toBe('Refreshes every 2 s');
    for (let i = 0; i < 10; i++) {
      const path = ['', 'docs', 'redoc', 'openapi.json'][i % 4];
      expect((await openPage(browser(), `${gateway()}/${path}`)).faults).toEqual([]);
    }
    const response = await fetch(`${gateway()}/api/hello`);
    expect(response.headers.get('RateLimit')).toBe('"default";r=19;t=60');
    for (let i = 0; i < 300; i++) await fetch(`${gateway()}/metrics`);
    await expect
      .poll(() => state.textContent(), { timeout: 20_000 })
      .toMatch(/^Refreshes every (10|30) s to save your quota/);
    expect(faults).toEqual([]);
  });
});
