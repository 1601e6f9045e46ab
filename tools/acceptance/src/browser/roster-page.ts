import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { StaffServer } from '../server-names.ts';
import { type OpenedPage, type OpenOptions, openPage } from './open-page.ts';

const { urls, credentials } = inject('servers');

export type Role = 'admin' | 'reader';

/** The sign-in of a role: an account at the scheduling API, a key and its name at the proxy. */
export function signInOf(server: StaffServer, role: Role): { account: string; password: string; company: string } {
  if (server === 'staff-proxy') {
    return {
      account: role,
      password: role === 'admin' ? credentials.STAFF_PROXY_ADMIN_KEY : credentials.STAFF_PROXY_KEY,
      company: '',
    };
  }
  const account = role === 'admin' ? 'SCHEDULING_ADMIN' : 'SCHEDULING';
  return {
    account: credentials[`${account}_EMAIL`],
    password: credentials[`${account}_PASSWORD`],
    company: credentials.COMPANY_KEY,
  };
}

export async function signIn(page: Page, entered: Readonly<Record<'account' | 'password' | 'company', string>>) {
  for (const [field, text] of Object.entries(entered)) await page.fill(`#${field}`, text);
  await page.click('#sign-in button.main');
}

interface RosterOptions extends OpenOptions {
  readonly role?: Role;
  /** Whether the server checks the password; otherwise the page gets a token of an earlier sign-in. */
  readonly checksPassword?: boolean;
}

/** Opens the roster of a server as a role; resolves once its people and filters are shown. */
export async function openRoster(
  browser: Browser,
  server: StaffServer = 'scheduling',
  options: RosterOptions = {},
): Promise<OpenedPage> {
  const { role = 'admin', checksPassword = false, ...rest } = options;
  const opened = await openPage(browser, `${urls[server]}/`, rest);
  await enterRoster(opened.page, server, { role, checksPassword });
  return opened;
}

/** Signs in on an open page; resolves once its people and filters are shown. */
export async function enterRoster(
  page: Page,
  server: StaffServer = 'scheduling',
  { role = 'admin', checksPassword = false }: Pick<RosterOptions, 'role' | 'checksPassword'> = {},
): Promise<void> {
  // The check of a password takes half a second of a core.
  if (!checksPassword) {
    const access_token = await tokenOf(server, role);
    await page.route('**/v2/login', (route) => route.fulfill({ json: { access_token } }), { times: 1 });
  }
  await signIn(page, signInOf(server, role));
  await page.waitForSelector('#people .name');
  if (role === 'admin') await page.waitForSelector('#tag optgroup', { state: 'attached' });
  else await page.waitForSelector('#hidden-data', { state: 'visible' });
}

/** The names in the table, once no request is pending. */
export async function namesShown(page: Page): Promise<string[]> {
  await page.waitForSelector('#results:not([aria-busy])', { state: 'attached' });
  return page.locator('#people .name').allTextContents();
}

/** The response to the request that the page offers to copy, sent outside the page. */
// biome-ignore lint/suspicious/noExplicitAny: the contract is checked elsewhere.
export async function sendShownRequest(page: Page, token: Readonly<Record<string, string>>): Promise<any> {
  const address = await page.locator('#request-shown code.unseen').textContent();
  return (await fetch(String(address), { headers: token })).json();
}

const tokens = new Map<string, string>();

/** Returns a token of the same account, issued outside the page. */
export async function tokenOf(server: StaffServer, role: Role = 'admin'): Promise<string> {
  const known = tokens.get(`${server} ${role}`);
  if (known !== undefined) return known;
  const { account, password } = signInOf(server, role);
  const response = await fetch(`${urls[server]}/v2/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: account, password }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  tokens.set(`${server} ${role}`, access_token);
  return access_token;
}

export const bearerOf = async (server: StaffServer, role: Role = 'admin') => ({
  Authorization: `Bearer ${await tokenOf(server, role)}`,
});

/** The number of people that the page reports. */
export const countShown = (page: Page) => page.locator('#count').textContent();

/** The filter in the request that the page shows. */
export async function filterShown(page: Page): Promise<string | null> {
  const address = await page.locator('#request-shown code.unseen').textContent();
  return new URL(String(address)).searchParams.get('$filter');
}

/** The list requests among all requests of a page. */
export const listRequests = (requests: readonly string[]) => requests.filter((url) => url.includes('/v2/staffmember?'));

export const nameOf = ({ FirstName, LastName }: { FirstName: string; LastName: string }) => `${FirstName} ${LastName}`;
