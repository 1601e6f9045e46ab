import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type OpenedPage, openPage } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';
import { openRoster } from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();

const word = 'w'.repeat(200);
const key = 'browser-key-with-a-long-name';
const longKey = {
  name: word.slice(0, 128),
  owner: word.slice(0, 100),
  prefix: 'browser',
  sha256: createHash('sha256').update(key).digest('hex'),
  scopes: [word.slice(0, 100)],
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
};
const endpoints = [
  {
    path: `/${word}`,
    service: 'static',
    summary: word,
    description: `${word} ${'d'.repeat(200)}`,
    tags: [word, 'short'],
    requires_auth: true,
    scopes: [word.slice(0, 100)],
    parameters: { answer: word },
  },
];
const gateway = usePagesGateway({ endpoints, keys: [longKey] });
const viewports = [390, 1280].map((width) => ({ width, height: 900 }));

/** Returns how many pixels an element can be scrolled sideways. */
const overflowOf = (page: Page, selector = 'html') =>
  page.evaluate<number>(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${selector}'))`,
  );

describe.each(viewports)('a word of 200 characters at $width px', (viewport) => {
  test.each(['/', '/docs', '/redoc'])('does not widen %s beyond the screen', async (path) => {
    const { page, faults } = await openPage(browser(), gateway() + path, { viewport });
    await showAll[path as keyof typeof showAll](page);
    expect(await overflowOf(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  test.each(['scheduling', 'staff-proxy'] as const)(
    'does not widen the roster of %s beyond the screen',
    async (server) => {
      const { page }: OpenedPage = await openRoster(browser(), server, { viewport });
      await page.route('**/v2/staffmember**', async (route) => {
        if (route.request().method() === 'OPTIONS') return route.continue();
        const response = await route.fetch();
        await route.fulfill({ response, json: lengthen(await response.json()) });
      });
      await page.locator('th button').first().dispatchEvent('click');
      await page.locator('#people .name', { hasText: word }).first().waitFor({ state: 'attached' });
      expect(await overflowOf(page)).toBe(0);
      await page.locator('#people .name').first().click();
      await page.locator('.drawer .grid').waitFor();
      expect(await overflowOf(page, '.drawer')).toBe(0);
      await page.unrouteAll({ behavior: 'wait' });
    },
  );
});

/** Unfolds the folded parts of a page, by path. */
const showAll = {
  '/': async (page: Page) => {
    await page.locator('.row summary').first().click();
    await page.fill('#tester-key', key);
    await page.click('#tester button.main');
    await page.waitForSelector('#tester-verdict[data-valid=true]');
  },
  '/docs': async (page: Page) => {
    await page.locator('.opblock-summary-control', { hasText: word }).first().click();
    await page.waitForSelector('.opblock-body .responses-table');
  },
  '/redoc': async (page: Page) => {
    await page.locator('#page h2', { hasText: word }).first().waitFor();
  },
};

/** Replaces the texts of a roster by a long word, except keys and dates. */
function lengthen(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lengthen(one, name));
  if (typeof value === 'string') return /Key|Date|Time|Utc|Color/.test(name) ? value : word;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lengthen(inner, key)]));
}
