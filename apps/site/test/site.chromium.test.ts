import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findViolations, findViolationsByScheme } from '../../../tools/acceptance/src/browser/find-violations.ts';
import { nextFrames, type OpenedPage, openPage } from '../../../tools/acceptance/src/browser/open-page.ts';
import { useChromium } from '../../../tools/acceptance/src/browser/use-chromium.ts';
import { readSitePages } from '../src/site-pages.ts';
import { useBuiltSite } from './built-site.ts';
import { findDeadLinks } from './dead-links.ts';

const root = join(import.meta.dirname, '../../..');
const repository = { server: 'https://example.com', name: 'pets/pets' };

const site = useBuiltSite(repository);
const browser = useChromium();

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/** Returns by how many pixels a page is wider than its window. */
const overflow = (page: OpenedPage['page']) =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

describe('the built site', () => {
  test('has a file for each page, and each link of each page leads to a page, an anchor or a file', () => {
    const { outDir, pages } = site();
    const expected = readSitePages(root).map(({ route }) => route.replace(/\.md$/, '.html'));
    expect([...pages.keys()].sort()).toEqual([...expected, '404.html'].sort());
    const address = `${repository.server}/${repository.name}`;
    expect([...pages.values()].join('')).toContain(
      `href="${address}/blob/HEAD/packages/server/src/contract/server.ts"`,
    );
    expect(findDeadLinks(pages, { repository: address, root, outDir })).toEqual([]);
  });

  // The home page with the screenshot, the diagram and the widest tables, and a how-to page with code and a picture.
  test.each(['/', '/architecture', '/how-to/front-an-api'])(
    '%s needs no horizontal scrolling, logs nothing, requests no other origin and is accessible in both colour schemes',
    async (path) => {
      const { page, faults, requests } = await openPage(browser(), site().url + path, { viewport: desk });
      await page.waitForLoadState('networkidle');
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
      expect(await findViolationsByScheme(page)).toEqual({ light: [], dark: [] });
      await page.setViewportSize(phone);
      await nextFrames(page);
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
      // In the dark scheme, in which the check above leaves the page.
      expect(await findViolations(page)).toEqual([]);
      expect(faults).toEqual([]);
      expect(requests.length).toBeGreaterThan(2);
    },
  );

  test('the search finds a page by a word of its text, and opens it', async () => {
    const { page, faults } = await openPage(browser(), site().url);
    await page.waitForLoadState('networkidle');
    // The scripts of the page may start late, and the first press is then lost.
    const search = page.getByRole('searchbox');
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+k');
        return search.isVisible();
      })
      .toBe(true);
    await search.fill('PgBouncer');
    await page.getByRole('option', { name: 'Run the scheduling API on PostgreSQL' }).first().click();
    await page.waitForURL('**/how-to/postgresql**');
    await expect.poll(() => page.locator('h1').textContent()).toContain('Run the scheduling API on PostgreSQL');
    expect(faults).toEqual([]);
  });
});
