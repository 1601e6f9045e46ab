import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { findViolations } from './find-violations.ts';
import { openPage, schemes } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';

const gateway = usePagesGateway();
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** What is there once a page has drawn all of itself. */
const pages = [
  { path: '/', drawn: '#readiness[data-state=ready]' },
  { path: '/docs', drawn: '.opblock' },
  { path: '/redoc', drawn: '[data-section-id] h2' },
];

describe.each(schemes)('%s', (colorScheme) => {
  test.each(pages)('$path says nothing on the console, asks no other origin and keeps its policy', async (shown) => {
    const { page, faults, requests } = await openPage(browser, gateway() + shown.path, { colorScheme });
    await page.waitForSelector(shown.drawn);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(faults).toEqual([]);
    expect(requests.length).toBeGreaterThan(2);
  });

  test.each(pages)('$path breaks no rule of accessibility that axe calls serious or critical', async (shown) => {
    const { page } = await openPage(browser, gateway() + shown.path, { colorScheme });
    await page.waitForSelector(shown.drawn);
    expect(await findViolations(page)).toEqual([]);
  });
});

describe.each([
  [360, 740],
  [768, 1024],
])('%i pixels wide', (width, height) => {
  test.each(pages)('$path needs no scrolling sideways', async (shown) => {
    const { page } = await openPage(browser, gateway() + shown.path, { viewport: { width, height } });
    await page.waitForSelector(shown.drawn);
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(beyond).toBeLessThanOrEqual(0);
  });
});
