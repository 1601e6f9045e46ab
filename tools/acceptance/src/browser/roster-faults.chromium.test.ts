import { describe, expect, inject, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { openPage } from './open-page.ts';
import { filterShown, namesShown, openRoster, signIn, signInOf } from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();
const { credentials, urls } = inject('servers');

describe('faults', () => {
  const problem = (status: number, title: string, detail: string) => ({
    type: 'about:blank',
    status,
    title,
    detail,
    code: 'x',
  });

  test('an expired sign-in is renewed by a prompt, and the view stays', async () => {
    const { page, faults } = await openRoster(browser(), 'scheduling', { expectedStatuses: [401] });
    await page.fill('#text', 'chen');
    await expect.poll(() => filterShown(page)).toContain("'chen'");
    const names = await namesShown(page);
    await page.route(
      '**/v2/staffmember?**',
      (route) => route.fulfill({ status: 401, json: problem(401, 'Expired', 'Log in again.') }),
      { times: 1 },
    );
    await page.check('#active');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    expect(await page.locator('#people .name').allTextContents()).toEqual(names);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    expect(await page.inputValue('#account')).toBe(credentials.SCHEDULING_ADMIN_EMAIL);
    await page.fill('#password', credentials.SCHEDULING_ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await expect.poll(() => filterShown(page)).toMatch(/'chen'.*IsActive eq true$/);
    expect(await page.inputValue('#text')).toBe('chen');
    expect(await page.locator('#again').isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  test('an expired sign-in that is not renewed closes the view', async () => {
    const { page } = await openRoster(browser(), 'scheduling', { expectedStatuses: [401] });
    await page.route('**/v2/staffmember?**', (route) =>
      route.fulfill({ status: 401, json: problem(401, 'Expired', 'x') }),
    );
    await page.check('#active');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.click('#leave');
    await page.waitForSelector('#welcome', { state: 'visible' });
    expect(await page.locator('#people tr').count()).toBe(0);
  });

  test.each([429, 503])('%i is shown with the time to wait, and a retry works after it', async (status) => {
    const { page } = await openRoster(browser(), 'scheduling', { expectedStatuses: [status] });
    const json = problem(status, 'Not now', 'Ask again after a while.');
    await page.route(
      '**/v2/staffmember?**',
      (route) => route.fulfill({ status, json, headers: { 'Retry-After': '5' } }),
      { times: 1 },
    );
    await page.check('#active');
    await page.getByText('Ask again after a while.').waitFor();
    const retry = page.locator('#failure button');
    expect(await retry.isDisabled()).toBe(true);
    expect(await retry.textContent()).toMatch(/^Try again in [1-5] s$/);
    await expect.poll(() => retry.textContent()).toBe('Try again');
    await retry.click();
    await page.waitForSelector('#results', { state: 'visible' });
    expect(await page.locator('#failure').textContent()).toBe('');
  });

  test('too many sign-in attempts are shown with the time to wait', async () => {
    const { page } = await openPage(browser(), `${urls.scheduling}/`, { expectedStatuses: [429] });
    const json = problem(429, 'Too many requests', 'There were too many failed logins.');
    await page.route('**/v2/login', (route) => route.fulfill({ status: 429, json, headers: { 'Retry-After': '37' } }));
    await signIn(page, signInOf('scheduling', 'admin'));
    await page.getByText('There were too many failed logins.').waitFor();
    expect(await page.locator('#sign-in-fault').textContent()).toContain('Try again in 37 s.');
    expect(await page.isEnabled('#sign-in .main')).toBe(true);
  });

  test('an unreachable server is shown, and so is its return', async () => {
    const { page } = await openRoster(browser());
    await page.route('**/v2/staffmember?**', (route) => route.abort(), { times: 1 });
    await page.check('#active');
    await page.getByText('The server could not be reached').waitFor();
    await page.locator('#failure button').click();
    await page.waitForSelector('#results', { state: 'visible' });
  });
});
