import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { createEndings } from '../at-end.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { portalClient, startOidcIssuer } from '../oidc-issuer.ts';
import { findViolationsByScheme } from './find-violations.ts';
import { openPage } from './open-page.ts';
import { useChromium } from './use-chromium.ts';

const run = promisify(execFile);
const { atEnd, end } = createEndings();
const browser = useChromium();
let gateway: GatewayProcess;

beforeAll(async () => {
  const issuer = await startOidcIssuer(atEnd);
  const port = await pickFreePort();
  gateway = await startGateway(
    {
      settings: {
        port,
        rate_limit_enabled: true,
        plans: { free: { limits: [{ requests: 600, per: 'minute' }], quota: { requests: 10000, per: 'month' } } },
        jwt_issuers: [issuer.settings],
        usage: { flush_seconds: 1 },
        portal: {
          ...{ issuer: 'corp', client_id: portalClient.client_id, base_url: `http://127.0.0.1:${port}` },
          ...{ plans: ['free'], scopes: ['prices', 'orders'] },
        },
      },
      endpoints: [
        {
          ...{ path: '/api/prices', service: 'static', requires_auth: true, scopes: ['prices'] },
          parameters: { answer: { apple: 1.2 } },
        },
      ],
      env: { ROSTERGATE_PORT: String(port), ROSTERGATE_PORTAL_CLIENT_SECRET: portalClient.client_secret },
    },
    atEnd,
  );
});
afterAll(end);

async function signIn(login: string, options: Parameters<typeof openPage>[2] = {}) {
  const opened = await openPage(browser(), `${gateway.url}/portal`, options);
  const { page } = opened;
  await page.click('.main-link');
  await page.fill('input[name=login]', login);
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.click('text=Continue');
  await page.getByText(`Signed in as Dev ${login}`).waitFor();
  return opened;
}

/** Creates a key; returns it. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.fill('#key-name', name);
  await page.check('input[value=prices]');
  await page.click('text=Create the key');
  await page.getByText(`Copy your new key ${name}`).waitFor();
  return (await page.locator('pre[aria-label=key] code').textContent()) ?? '';
}

const call = async (key: string) =>
  (await fetch(`${gateway.url}/api/prices`, { headers: { 'X-API-Key': key } })).status;

test('setting portal: a new user signs in, makes a key, calls an endpoint in three languages, sees the calls in the chart, and is refused after the revocation', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, faults } = await signIn('ada', { permissions });
  const key = await createKey(page, 'laptop');
  await page.click('button[aria-label="Copy key"]');
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
  await expect.poll(() => call(key)).toBe(200);

  const codeOf = async (language: string) =>
    (await page.locator(`pre[aria-label=${language}] code`).textContent()) ?? '';
  const typeScript = join(gateway.folder, 'call.ts');
  await writeFile(typeScript, await codeOf('TypeScript'));
  expect((await run('sh', ['-c', await codeOf('curl')])).stdout).toBe('{"apple":1.2}');
  expect((await run(process.execPath, [typeScript])).stdout).toBe('200 {"apple":1.2}\n');
  expect((await run('python3', ['-c', await codeOf('Python')])).stdout).toBe('200 {"apple":1.2}\n');

  await page.goto(`${gateway.url}/portal`);
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator('#usage-title ~ p').first().textContent();
    })
    .toContain('4 requests');
  expect(await page.locator('body').textContent()).not.toContain(key);

  await page.click('summary:has-text("Revoke")');
  await page.click('button.danger');
  await page.getByText('You have no valid key').waitFor();
  await expect.poll(() => call(key)).toBe(401);
  expect(faults.filter((fault) => !/^another origin|ERR_NAME_NOT_RESOLVED/.test(fault))).toEqual([]);

  await page.click('text=Sign out');
  await page.locator('a[href="/portal/sign-in"]').waitFor();
  const cookies = await page.context().cookies(gateway.url);
  expect(cookies.filter(({ name }) => name.startsWith('__Host-'))).toEqual([]);
});

test('setting portal: a form and a script of another site change nothing, although the developer is signed in', async () => {
  const { page } = await signIn('bea');
  await createKey(page, 'kept');
  await page.goto(`${gateway.url}/portal`);
  const action = await page.locator('form[action$="/revoke"]').getAttribute('action');
  // The same machine under another name is another site.
  const evil = gateway.url.replace('127.0.0.1', 'localhost');
  const attacker = await page.context().newPage();
  await attacker.route(`${evil}/evil`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${gateway.url}${action}"><button>Win</button></form>`,
    }),
  );
  await attacker.goto(`${evil}/evil`);
  await attacker.click('button');
  await attacker.getByText('The origin is not allowed').waitFor();
  await attacker.goto(`${evil}/evil`);
  await attacker.evaluate(
    `fetch('${gateway.url}${action}', { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => {})`,
  );
  await page.reload();
  expect(await page.locator('.key:not(.ended)').count()).toBe(1);
});

test.each([
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
])('route GET /portal: is accessible and small at $width pixels, in both colour schemes', async (viewport) => {
  const check = async (page: Page, name: string) => {
    // A click shows the text of the next page before its style sheet is there.
    await page.waitForLoadState();
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(beyond, name).toBeLessThanOrEqual(0);
    expect(await findViolationsByScheme(page, '#main'), name).toEqual({ light: [], dark: [] });
  };
  const { page: welcome } = await openPage(browser(), `${gateway.url}/portal`, { viewport });
  await check(welcome, 'welcome');
  const { page } = await signIn(`carl${viewport.width}`, { viewport });
  await check(page, 'no keys');
  const key = await createKey(page, 'laptop');
  await check(page, 'a new key');
  await expect.poll(() => call(key)).toBe(200);
  await page.goto(`${gateway.url}/portal`);
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator('.bars').count();
    })
    .toBe(1);
  await page.click('summary:has-text("Rotate")');
  await check(page, 'keys and usage');
  const transferred = await page.evaluate<number>(
    'performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)',
  );
  expect(transferred).toBeLessThan(60_000);
});
