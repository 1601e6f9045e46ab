import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';
import { readDesignFonts, readFonts } from './read-fonts.ts';
import { useChromium } from './use-chromium.ts';

const gateway = usePagesGateway();
const browser = useChromium();

test('the search finds an operation and scrolls to it', async () => {
  const { page, faults } = await openPage(browser(), `${gateway()}/redoc`);
  await page
    .getByRole('textbox', { name: /search/i })
    .or(page.getByPlaceholder('Search...'))
    .first()
    .fill('greeting');
  const found = page.locator('[data-role="search:results"] li').filter({ hasText: 'A fixed greeting' }).first();
  await found.click();
  // Not by the address: ReDoc sets that of the operation at the top, a neighbour while the page still settles.
  await expect.poll(() => topOf(page), { timeout: 15_000 }).toBeLessThan(900);
  expect(faults).toEqual([]);
});

test('an address opens its operation, and the page has two fonts', async () => {
  const { page } = await openPage(browser(), `${gateway()}/redoc#operation/getApiHello`);
  const heading = page.getByRole('heading', { name: 'A fixed greeting' });
  await heading.waitFor();
  await expect.poll(() => topOf(page), { timeout: 15_000 }).toBeLessThan(500);
  expect(await readFonts(page)).toEqual(await readDesignFonts(page));
});

test('an operation has code in three languages, for the origin of the page', async () => {
  const { page, faults } = await openPage(browser(), `${gateway()}/redoc#operation/getShopV2Orders`);
  const samples = page.locator('[data-section-id="operation/getShopV2Orders"]');
  const shown = async (label: string) => {
    await samples.getByRole('tab', { name: label, exact: true }).click();
    return samples.locator('.react-tabs__tab-panel--selected pre').first().textContent();
  };
  expect(await shown('curl')).toContain(`curl -H "X-API-Key: YOUR_KEY" '${gateway()}/shop/v2/orders'`);
  expect(await shown('TypeScript')).toContain(`fetch("${gateway()}/shop/v2/orders"`);
  expect(await shown('Python')).toContain('import urllib.request');
  expect(faults).toEqual([]);
});

test('follows a change of the colour scheme', async () => {
  const { page, faults } = await openPage(browser(), `${gateway()}/redoc`, { colorScheme: 'light' });
  await page.waitForSelector('[data-section-id] h2');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('html.dark-mode [data-section-id] h2');
  expect(faults).toEqual([]);
});

/** The position of the wanted operation; far below before the scroll. */
function topOf(page: Page): Promise<number> {
  return page
    .getByRole('heading', { name: 'A fixed greeting' })
    .first()
    .evaluate((heading) => heading.getBoundingClientRect().top);
}
