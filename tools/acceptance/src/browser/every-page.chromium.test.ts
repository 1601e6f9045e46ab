import { describe, expect, inject, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { findViolationsByScheme } from './find-violations.ts';
import { nextFrames, openPage } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';
import { useChromium } from './use-chromium.ts';

const gateway = usePagesGateway();
const browser = useChromium();

/** The element that shows that a page is complete. */
const pages = [
  { path: '/', drawn: '#readiness[data-state=ready]' },
  { path: '/docs', drawn: '.opblock' },
  { path: '/redoc', drawn: '[data-section-id] h2' },
];

/** A page starts with the size of a phone. */
const phone = { width: 360, height: 740 };
const viewports = [phone, { width: 768, height: 1024 }, { width: 1280, height: 900 }];

test.each(pages)(
  '$path needs no horizontal scrolling, logs nothing, requests no other origin and is accessible in both colour schemes',
  async ({ path, drawn }) => {
    const { page, faults, requests } = await openPage(browser(), gateway() + path, { viewport: phone });
    await page.waitForSelector(drawn);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    for (const size of viewports) {
      await page.setViewportSize(size);
      await nextFrames(page);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(beyond, `${size.width} pixels wide`).toBeLessThanOrEqual(0);
    }
    expect(await findViolationsByScheme(page, drawn)).toEqual({ light: [], dark: [] });
    expect(faults).toEqual([]);
    expect(requests.length).toBeGreaterThan(2);
  },
);

/** The same documentation, with a roster in place of the overview. */
const staffPages = [{ path: '/', drawn: '#sign-in' }, ...pages.slice(1)];

describe.each(staffServers)('the pages of %s', (server) => {
  const url = inject('servers').urls[server];

  test.each(staffPages)(
    '$path requests no other origin and is accessible, first in the dark colour scheme and then in the light one',
    async ({ path, drawn }) => {
      const { page, faults } = await openPage(browser(), url + path, { colorScheme: 'dark' });
      await page.waitForSelector(drawn);
      expect(await findViolationsByScheme(page, drawn)).toEqual({ dark: [], light: [] });
      expect(faults).toEqual([]);
    },
  );
});
