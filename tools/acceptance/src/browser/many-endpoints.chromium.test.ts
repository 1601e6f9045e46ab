import { describe, expect, test } from 'vitest';
import { openPage, typeText } from './open-page.ts';
import { usePagesGateway } from './pages-gateway.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();

const createEndpoints = (count: number, tags: number) =>
  Array.from({ length: count }, (_, i) => ({
    path: `/shop/${i}/orders`,
    service: 'static',
    summary: i === 777 ? 'The lucky shop' : `Orders of shop ${i}`,
    tags: [`area ${i % tags}`],
    parameters: { answer: i },
  }));

describe('ten thousand endpoints', () => {
  const gateway = usePagesGateway({ endpoints: createEndpoints(10_000, 50) });

  test('the landing page shows the first ones at once and finds all of them', async () => {
    const { page, faults } = await openPage(browser(), `${gateway()}/`);
    const [load] = await page.evaluate<{ size: number; drawnMs: number }[]>(
      "performance.getEntriesByType('navigation').map((it) => ({ size: it.decodedBodySize, drawnMs: it.domContentLoadedEventEnd }))",
    );
    expect(load?.size).toBeLessThan(120_000);
    expect(load?.drawnMs).toBeLessThan(10_000);
    expect(await page.locator('#endpoints .row').count()).toBe(50);
    await page.fill('#filter-q', 'lucky');
    await expect.poll(() => page.locator('#endpoints-count').textContent()).toBe('1 of 10,000');
    expect(await page.locator('#endpoints .path').allTextContents()).toEqual(['/shop/777/orders']);
    expect(new URL(page.url()).search).toBe('?q=lucky');
    expect(faults).toEqual([]);
  });

  test('its pages can be turned, reached with Back, and linked', async () => {
    const { page } = await openPage(browser(), `${gateway()}/`);
    const first = await page.locator('#endpoints .path').first().textContent();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Part 2 of 200').waitFor();
    expect(await page.locator('#endpoints .path').first().textContent()).not.toBe(first);
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('endpoints');
    const address = page.url();
    await page.goBack();
    await page.getByText('Part 1 of 200').waitFor();
    expect(await page.locator('#endpoints .path').first().textContent()).toBe(first);
    await page.goto(address);
    await page.getByText('Part 2 of 200').waitFor();
  });

  test('typing a word sends one request, and the last response is shown', async () => {
    const { page, requests } = await openPage(browser(), `${gateway()}/`);
    await typeText(page, '#filter-q', 'area 7');
    await expect.poll(() => page.locator('#endpoints-count').textContent()).toMatch(/^\d.* of 10,000$/);
    expect(requests.filter((url) => new URL(url).searchParams.has('q'))).toHaveLength(1);
  });
});

describe('a thousand endpoints', () => {
  const gateway = usePagesGateway({ endpoints: createEndpoints(1_000, 20) });

  test('Swagger UI starts folded, filters by path, and runs the operation found', async () => {
    const { page, faults } = await openPage(browser(), `${gateway()}/docs`);
    await page.waitForSelector('.opblock-tag');
    expect(await page.locator('.opblock').count()).toBe(0);
    await page.locator('[data-tag="area 17"]').click();
    await page.locator('[id*="-getShop777Orders"] .opblock-summary-control').click();
    await page.locator('[id*="-getShop777Orders"] .try-out__btn').click();
    await page.locator('[id*="-getShop777Orders"] .btn.execute').click();
    await page.locator('[id*="-getShop777Orders"] .live-responses-table').waitFor();
    await page.fill('.operation-filter-input', 'area 3');
    await expect.poll(() => page.locator('.opblock-tag').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('ReDoc draws a part of them at a time, and every operation has an address and can be found', async () => {
    const { page, faults } = await openPage(browser(), `${gateway()}/redoc`);
    const chooser = page.getByRole('search', { name: 'The whole contract' });
    await page.waitForSelector('[data-section-id] h2');
    await chooser.getByLabel(/Find in all/).fill('lucky');
    await chooser.getByRole('link', { name: 'GET /shop/777/orders' }).click();
    const lucky = page.getByRole('heading', { name: 'The lucky shop' });
    await lucky.waitFor();
    expect(await chooser.getByLabel('Part').locator('option:checked').textContent()).toBe('area 17 (50)');
    await expect.poll(() => page.url()).toMatch(/operation\/getShop\d*7Orders/);
    const address = page.url();
    await page.getByPlaceholder('Search...').fill('shop 757');
    await page.locator('[data-role="search:results"] li').filter({ hasText: 'Orders of shop 757' }).first().waitFor();
    await page.goto('about:blank');
    await page.goto(address);
    await lucky.waitFor();
    expect(faults).toEqual([]);
  });
});
