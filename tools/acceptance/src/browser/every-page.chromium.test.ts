import { describe, expect, inject, test, vi } from 'vitest';
import { staffServers } from '../server-names.ts';
import { findViolations } from './find-violations.ts';
import { openPage, schemes } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';
import { useChromium } from './use-chromium.ts';

// Drawing and checking a large page is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const gateway = usePagesGateway();
const browser = useChromium();

/** The element that shows that a page is complete. */
const pages = [
  { path: '/', drawn: '#readiness[data-state=ready]' },
  { path: '/docs', drawn: '.opblock' },
  { path: '/redoc', drawn: '[data-section-id] h2' },
];

describe.each(schemes)('%s', (colorScheme) => {
  test.each(pages)('$path logs nothing, requests no other origin and is accessible', async (shown) => {
    const { page, faults, requests } = await openPage(browser(), gateway() + shown.path, { colorScheme });
    await page.waitForSelector(shown.drawn);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(await findViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    expect(requests.length).toBeGreaterThan(2);
  });
});

/** The same documentation, with a roster in place of the overview. */
const staffPages = [{ path: '/', drawn: '#sign-in' }, ...pages.slice(1)];

describe.each(staffServers)('the pages of %s', (server) => {
  test.each(staffPages.flatMap(({ path, drawn }) => schemes.map((colorScheme) => ({ path, drawn, colorScheme }))))(
    '$path, $colorScheme, requests no other origin and is accessible',
    async ({ path, drawn, colorScheme }) => {
      const { page, faults } = await openPage(browser(), inject('servers').urls[server] + path, { colorScheme });
      await page.waitForSelector(drawn);
      expect(await findViolations(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
  );
});

describe.each([
  [360, 740],
  [768, 1024],
])('%i pixels wide', (width, height) => {
  test.each(pages)('$path needs no horizontal scrolling', async (shown) => {
    const { page } = await openPage(browser(), gateway() + shown.path, { viewport: { width, height } });
    await page.waitForSelector(shown.drawn);
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(beyond).toBeLessThanOrEqual(0);
  });
});
