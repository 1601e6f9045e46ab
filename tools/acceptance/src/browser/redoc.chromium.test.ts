import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from './chromium.ts';
import { openPage } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';

// Drawing and judging a large page takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const gateway = usePagesGateway();
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('the search finds an operation and leads to it', async () => {
  const { page, faults } = await openPage(browser, `${gateway()}/redoc`);
  await page
    .getByRole('textbox', { name: /search/i })
    .or(page.getByPlaceholder('Search...'))
    .first()
    .fill('greeting');
  const found = page.locator('[data-role="search:results"] li').filter({ hasText: 'A fixed greeting' }).first();
  await found.click();
  await page.waitForURL(/#.*operation\/getApiHello/);
  expect(faults).toEqual([]);
});

test('an address names an operation', async () => {
  const { page } = await openPage(browser, `${gateway()}/redoc#operation/getApiHello`);
  const heading = page.getByRole('heading', { name: 'A fixed greeting' });
  await heading.waitFor();
  await expect
    .poll(() => heading.evaluate((it) => it.getBoundingClientRect().top), { timeout: 10_000 })
    .toBeLessThan(500);
});

test('follows the scheme when it changes', async () => {
  const { page, faults } = await openPage(browser, `${gateway()}/redoc`, { colorScheme: 'light' });
  await page.waitForSelector('[data-section-id] h2');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('html.dark-mode [data-section-id] h2');
  expect(faults).toEqual([]);
});
