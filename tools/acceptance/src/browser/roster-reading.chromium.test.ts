import { expect, inject, test } from 'vitest';
import { findViolationsByScheme } from './find-violations.ts';
import { nextFrames, openPage } from './open-page.ts';
import { enterRoster, filterShown, openRoster } from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();
const { urls } = inject('servers');

test('sends no requests while idle', async () => {
  const { page, requests } = await openRoster(browser());
  await page.waitForLoadState('networkidle');
  const before = requests.length;
  await page.waitForTimeout(2_500);
  expect(requests).toHaveLength(before);
});

test.each([1280, 360])(
  'has no axe violations at %i pixels in both colour schemes, signed out and in, with everything unfolded',
  async (width) => {
    const none = { light: [], dark: [] };
    const { page } = await openPage(browser(), `${urls.scheduling}/`, {
      viewport: { width, height: 900 },
      expectedStatuses: [400],
    });
    expect(await findViolationsByScheme(page)).toEqual(none);
    await enterRoster(page);
    for (const summary of await page.locator('#roster summary:visible').all()) await summary.click();
    expect(await findViolationsByScheme(page)).toEqual(none);
    await page.evaluate("document.getElementById('expert').open = true");
    await page.fill('#own-filter', 'nonsense eq');
    await page.click('#apply');
    await page.locator('#failure .marked').waitFor();
    expect(await findViolationsByScheme(page)).toEqual(none);
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(beyond).toBeLessThanOrEqual(0);
  },
);

test('shows 12 people on a screen of 800 pixels height', async () => {
  const { page } = await openRoster(browser(), 'scheduling', { viewport: { width: 1280, height: 800 } });
  const visible = await page
    .locator('#people tr')
    .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= 800).length);
  expect(visible).toBeGreaterThanOrEqual(12);
});

test('is an orderable list of cards on a narrow screen', async () => {
  const { page } = await openRoster(browser(), 'scheduling', { viewport: { width: 360, height: 800 } });
  expect(await page.locator('thead').isVisible()).toBe(false);
  const { width = 0 } = (await page.locator('#people tr').first().boundingBox()) ?? {};
  expect(width).toBeLessThanOrEqual(328);
  await page.selectOption('#order', 'id');
  await expect.poll(() => page.locator('#people .id-cell').first().textContent()).toBe('S-1001');
  expect(await page.locator('#tag').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filters', expanded: false }).click();
  await page.check('#active');
  await expect.poll(() => filterShown(page)).toBe('IsActive eq true');
});

test('needs no horizontal scrolling at any width', async () => {
  const { page } = await openRoster(browser());
  await page.selectOption('#size', '100');
  await page.waitForSelector('#people tr:nth-child(100)');
  for (const width of [320, 768, 1010, 1190, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await nextFrames(page);
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(beyond, String(width)).toBeLessThanOrEqual(0);
  }
});

test('works with the keyboard, with a visible focus in page order', async () => {
  const { page } = await openRoster(browser());
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('roster-title');
  const seen: string[] = [];
  for (let i = 0; i < 24; i++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<{ name: string; outline: string }>(`(() => {
      const at = document.activeElement;
      return { name: at.id || at.className || at.textContent.trim(), outline: getComputedStyle(at).outlineStyle };
    })()`);
    expect(focus.outline, focus.name).not.toBe('none');
    seen.push(focus.name);
  }
  const order = ['sign-out', 'text', 'tag', 'skill', 'day', 'active', 'name'].map((name) => seen.indexOf(name));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
});

test('has no motion when the user prefers reduced motion', async () => {
  const { page } = await openRoster(browser(), 'scheduling', { reducedMotion: 'reduce' });
  await page.locator('#people .name').first().click();
  const moving = await page.evaluate<number>(
    "[...document.querySelectorAll('*')].filter((it) => getComputedStyle(it).transitionDuration !== '0s' || getComputedStyle(it).animationName !== 'none').length",
  );
  expect(moving).toBe(0);
});

test('prints the people as a table, without controls', async () => {
  const { page } = await openRoster(browser(), 'scheduling', { viewport: { width: 794, height: 1123 } });
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate<string>("getComputedStyle(document.querySelector('#people tr')).display")).toBe(
    'table-row',
  );
  expect(await page.locator('thead').isVisible()).toBe(true);
  for (const control of ['#filter', '#request', '.pager', '#sign-out', '.bar', '#log']) {
    expect(await page.locator(control).isVisible(), control).toBe(false);
  }
});

test('says that it needs JavaScript, and puts no password into an address without it', async () => {
  const { page } = await openPage(browser(), `${urls.scheduling}/`, { javaScriptEnabled: false });
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  expect(await page.locator('#sign-in').isVisible()).toBe(false);
});
