import { describe, expect, inject, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { nextFrames, openPage } from './open-page.ts';
import {
  bearerOf,
  countShown,
  filterShown,
  listRequests,
  nameOf,
  namesShown,
  openRoster,
  sendShownRequest,
  signIn,
  signInOf,
} from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();
const { urls, credentials } = inject('servers');

describe.each(staffServers)('the roster of %s', (server) => {
  test('is shown after a sign-in, and the shown request returns the same people', async () => {
    const { page, faults } = await openRoster(browser(), server, { checksPassword: true });
    expect(await countShown(page)).toMatch(/^[\d,]{5} people$/);
    expect(await page.locator('#who').textContent()).toBe(signInOf(server, 'admin').account);
    const { value } = await sendShownRequest(page, await bearerOf(server));
    expect(value).toHaveLength(25);
    expect(await namesShown(page)).toEqual(value.map(nameOf));
    expect(faults).toEqual([]);
  });

  test('shows the error of the server for wrong credentials and allows another try', async () => {
    const { page, requests, faults } = await openPage(browser(), `${urls[server]}/`, { expectedStatuses: [401, 403] });
    await signIn(page, { ...signInOf(server, 'reader'), password: 'not-it' });
    await page.locator('#sign-in-fault .failure').waitFor();
    expect(await page.locator('#sign-in-fault').textContent()).toMatch(/Check the e-mail|name of your key/);
    expect(await page.locator('#roster').isVisible()).toBe(false);
    expect(listRequests(requests)).toEqual([]);
    await signIn(page, signInOf(server, 'reader'));
    await page.waitForSelector('#people .name');
    expect(faults).toEqual([]);
  });

  test('explains to an account without the scope admin why tags and skills are missing', async () => {
    const { page, faults } = await openRoster(browser(), server, { role: 'reader', expectedStatuses: [403] });
    expect(await page.locator('#hidden-data').textContent()).toContain('accounts with the scope admin');
    expect(await page.locator('#people .chip').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('shows the fault of a hand-written filter and its place', async () => {
    const { page, faults } = await openRoster(browser(), server, { expectedStatuses: [400] });
    await page.locator('#expert summary').click();
    await page.fill('#own-filter', "Fte lt 1 and LastNam eq 'Chen'");
    await page.click('#apply');
    const mark = page.locator('#failure .marked mark');
    await mark.waitFor();
    expect(await mark.getAttribute('data-offset')).toBe('13');
    expect(await mark.textContent()).toBe('L');
    expect(await page.locator('#failure').textContent()).toContain('LastName');
    expect(await page.locator('#own-filter').getAttribute('aria-invalid')).not.toBeNull();
    await page.fill('#own-filter', "Fte lt 1 and LastName eq 'Chen'");
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('#results', { state: 'visible' });
    expect(new Set((await namesShown(page)).map((name) => name.split(' ').at(-1)))).toEqual(new Set(['Chen']));
    await page.click('#back');
    await expect.poll(() => countShown(page)).toMatch(/^[\d,]{5} people$/);
    expect(faults).toEqual([]);
  });
});

test('asks for the company key where the contract requires it, and rejects that of another company', async () => {
  const { page } = await openPage(browser(), `${urls.scheduling}/`, { expectedStatuses: [403] });
  await signIn(page, { ...signInOf('scheduling', 'admin'), company: '' });
  expect(await page.locator('#company:invalid').count()).toBe(1);
  await signIn(page, { ...signInOf('scheduling', 'admin'), company: 'another' });
  await page.getByText('company that your account belongs to').waitFor();
  expect(await page.locator('#roster').isVisible()).toBe(false);
  const proxy = await openPage(browser(), `${urls['staff-proxy']}/`);
  expect(await proxy.page.getAttribute('#company', 'required')).toBeNull();
});

test('reads the company key from the address', async () => {
  const { page } = await openPage(browser(), `${urls.scheduling}/#companyKey=${credentials.COMPANY_KEY}`);
  expect(await page.inputValue('#company')).toBe(credentials.COMPANY_KEY);
});

test('stores the token only for its tab, the password nowhere, and removes both on sign-out', async () => {
  const { page, requests } = await openRoster(browser());
  const { password } = signInOf('scheduling', 'admin');
  const stored = () =>
    page.evaluate<string>(
      'JSON.stringify({ ...localStorage }) + document.cookie + location.href + document.documentElement.outerHTML + document.getElementById("password").value',
    );
  const token = await page
    .waitForRequest((request) => request.url().includes('/v2/staffmember?'), { timeout: 1 })
    .catch(async () => {
      const asked = page.waitForRequest((request) => request.url().includes('/v2/staffmember?'));
      await page.click('#next');
      return asked;
    })
    .then(async (request) => String((await request.allHeaders()).authorization).slice('Bearer '.length));
  expect(token.length).toBeGreaterThan(10);
  for (const secret of [token, password]) {
    expect(await stored()).not.toContain(secret);
    expect(requests.filter((url) => url.includes(secret))).toEqual([]);
  }
  const storedForTab = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  expect(await storedForTab()).toContain(token);
  expect(await storedForTab()).not.toContain(password);
  const [name = ''] = await namesShown(page);
  await page.click('#sign-out');
  expect(await storedForTab()).toBe('{}');
  expect(await page.locator('#roster').isVisible()).toBe(false);
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('account');
  expect(await stored()).not.toContain(name);
});

test('reload and back button keep the session, the filters and the chosen person', async () => {
  const { page, requests, faults } = await openRoster(browser());
  await page.selectOption('#skill', 'ICU Night');
  await expect.poll(() => filterShown(page)).toContain('ICU Night');
  await page.check('#active');
  await expect.poll(() => filterShown(page)).toContain('IsActive');
  const names = await namesShown(page);
  await page.locator('#people .name').first().click();
  await page.locator('#person dl').first().waitFor();
  await page.reload();
  await page.locator('#person dl').first().waitFor();
  expect(await page.locator('#person-name').textContent()).toBe(names[0]);
  expect(await namesShown(page)).toEqual(names);
  await page.goBack();
  await expect.poll(() => page.locator('#person').isVisible()).toBe(false);
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('main');
  expect(await filterShown(page)).toContain('IsActive');
  await page.goBack();
  await expect.poll(() => filterShown(page)).not.toContain('IsActive');
  expect(await page.isChecked('#active')).toBe(false);
  expect(await page.inputValue('#skill')).toBe('ICU Night');
  expect(requests.filter((url) => url.endsWith('/v2/login'))).toHaveLength(1);
  expect(requests.filter((url) => new URL(url).search.includes('person='))).toEqual([]);
  expect(faults).toEqual([]);
  await page.goto(`${urls.scheduling}/#companyKey=another`);
  await page.reload();
  await page.locator('#sign-in').waitFor();
  expect(await page.inputValue('#company')).toBe('another');
});

test('a link with a tag lets an account without tags sign in, and shows why it has no results', async () => {
  const link = `${urls['staff-proxy']}/#tag=Work+Status`;
  const { page } = await openPage(browser(), link, { expectedStatuses: [403] });
  await signIn(page, signInOf('staff-proxy', 'reader'));
  await page.locator('#failure .failure').waitFor();
  expect(await page.locator('#roster').isVisible()).toBe(true);
  await page.click('#clear');
  await page.waitForSelector('#people .name');
});

/** Opens the roster as the administrator, expires the token, and holds the response to a new sign-in until it is released. */
async function signInAgainHeld() {
  const { page } = await openRoster(browser(), 'scheduling', { expectedStatuses: [401] });
  await page.route('**/v2/staffmember?**', (route) => route.fulfill({ status: 401, json: { title: 'Expired' } }), {
    times: 1,
  });
  await page.check('#active');
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const through = Promise.withResolvers<void>();
  await page.route(
    '**/v2/login',
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await held.promise;
      // The page may have cancelled the request.
      await route.fulfill({ response }).catch(() => undefined);
      through.resolve();
    },
    { times: 1 },
  );
  await page.fill('#password', signInOf('scheduling', 'admin').password);
  await page.keyboard.press('Enter');
  await asked.promise;
  const release = async () => {
    held.resolve();
    await through.promise;
    await nextFrames(page);
  };
  return { page, release };
}

describe('a pending sign-in during a sign-out', () => {
  test('does not reappear with the next account', async () => {
    const { page, release } = await signInAgainHeld();
    await page.click('#leave');
    await page.waitForSelector('#welcome', { state: 'visible' });
    await release();
    const reader = signInOf('scheduling', 'reader');
    await signIn(page, reader);
    await page.waitForSelector('#people .name');
    expect(await page.locator('#who').textContent()).toBe(reader.account);
    expect(await page.locator('#people .chip').count()).toBe(0);
  });

  test('does not replace the token of an account that has signed in since', async () => {
    const { page, release } = await signInAgainHeld();
    await page.click('#leave');
    await page.waitForSelector('#welcome', { state: 'visible' });
    const reader = signInOf('scheduling', 'reader');
    const asked = page.waitForRequest('**/v2/staffmember?**');
    await signIn(page, reader);
    const token = (await (await asked).allHeaders()).authorization;
    await page.waitForSelector('#people .name');
    await release();
    const askedLater = page.waitForRequest('**/v2/staffmember?**');
    await page.click('#next');
    expect((await (await askedLater).allHeaders()).authorization).toBe(token);
    expect(await page.locator('#who').textContent()).toBe(reader.account);
    expect(await page.isEnabled('#sign-in .main')).toBe(true);
  });
});

test('an account gets the company of its own sign-in, not that of the previous account', async () => {
  const { page } = await openRoster(browser());
  await page.click('#sign-out');
  const asked = page.waitForRequest('**/v2/staffmember?**');
  await signIn(page, { ...signInOf('scheduling', 'reader'), company: 'another' });
  expect(new URL((await asked).url()).searchParams.get('companyKey')).toBe('another');
});

test('sends a password with its leading and trailing spaces', async () => {
  const { page } = await openPage(browser(), `${urls.scheduling}/`, { expectedStatuses: [401] });
  const asked = page.waitForRequest('**/v2/login');
  const { account, company } = signInOf('scheduling', 'admin');
  await signIn(page, { account: ` ${account} `, password: '  of spaces\u00a0 ', company });
  expect((await asked).postDataJSON()).toEqual({ email: account, password: '  of spaces\u00a0 ' });
});
