import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readOperationsOf } from '../../../contract/src/drift/read-operations-of.ts';
import type { OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';
import { findViolationsByScheme } from './find-violations.ts';
import { openPage } from './open-page.ts';
import { keys, usePagesGateway } from './pages-gateway.ts';
import { readDesignFonts, readFonts } from './read-fonts.ts';
import { useChromium } from './use-chromium.ts';

const gateway = usePagesGateway();
const browser = useChromium();

/** Fills in one of the forms behind "Authorize". */
async function authorize(page: Page, ...values: readonly (readonly ['apiKeyHeader' | 'apiKeyBearer', string])[]) {
  await page.click('.btn.authorize');
  for (const [scheme, value] of values) {
    const form = page.locator('.auth-container').filter({ hasText: scheme });
    await form.locator('input').fill(value);
    await form.locator('button[type=submit]').click();
  }
  await page.click('.modal-ux .btn-done');
}

/** Runs an operation with "Try it out"; returns the shown status and the sent headers. */
async function execute(page: Page, operationId: string) {
  const block = page.locator(`[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  const sent = page.waitForRequest((request) => request.method() !== 'OPTIONS' && !request.url().endsWith('.json'));
  await block.locator('.btn.execute').click();
  const headers = await (await sent).allHeaders();
  const status = await block.locator('.live-responses-table .response-col_status').last().textContent();
  return { status: Number.parseInt(status ?? '', 10), headers };
}

async function openDocs(options: Parameters<typeof openPage>[2] = {}) {
  const opened = await openPage(browser(), `${gateway()}/docs`, options);
  await opened.page.waitForSelector('.opblock');
  return opened;
}

describe('authorize', () => {
  test.each([
    ['apiKeyHeader', { 'x-api-key': keys.ops, authorization: undefined }],
    ['apiKeyBearer', { 'x-api-key': undefined, authorization: `Bearer ${keys.ops}` }],
  ] as const)('%s authorizes a secured operation', async (scheme, expected) => {
    const { page, faults } = await openDocs();
    await authorize(page, [scheme, keys.ops]);
    const { status, headers } = await execute(page, 'getShopV2Orders');
    expect(status).toBe(200);
    expect({ 'x-api-key': headers['x-api-key'], authorization: headers.authorization }).toEqual(expected);
    expect(faults).toEqual([]);
  });

  test('authorizing both ways with one key sends it once', async () => {
    const { page } = await openDocs();
    await authorize(page, ['apiKeyHeader', keys.ops], ['apiKeyBearer', keys.ops]);
    expect((await execute(page, 'getShopV2Orders')).status).toBe(200);
  });

  test('the key is in no storage and is gone after a reload', async () => {
    const { page } = await openDocs({ expectedStatuses: [401] });
    await authorize(page, ['apiKeyHeader', keys.ops]);
    await execute(page, 'getShopV2Orders');
    const stored = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location.href',
    );
    expect(stored).not.toContain(keys.ops);
    await page.goto(`${gateway()}/docs`);
    await page.waitForSelector('.opblock');
    expect((await execute(page, 'getShopV2Orders')).status).toBe(401);
  });
});

test('an unfolded operation and the form of "Authorize" are accessible in both colour schemes, in two fonts', async () => {
  const { page, faults } = await openDocs();
  await authorize(page, ['apiKeyHeader', keys.ops]);
  await execute(page, 'getShopV2Orders');
  expect(await readFonts(page)).toEqual(await readDesignFonts(page));
  expect(await findViolationsByScheme(page)).toEqual({ light: [], dark: [] });
  await page.click('.btn.authorize');
  await page.waitForSelector('.modal-ux');
  expect(await findViolationsByScheme(page)).toEqual({ light: [], dark: [] });
  expect(faults).toEqual([]);
});

test('a link to an operation opens it', async () => {
  const { page } = await openPage(browser(), gateway());
  await page.locator('#op-getShopV2Orders summary').click();
  await page.locator('#op-getShopV2Orders').getByText('Parameters and responses').click();
  await page.waitForSelector('[id$="-getShopV2Orders"].is-open');
  expect(new URL(page.url()).pathname).toBe('/docs');
});

test('shows every operation of the document', async () => {
  const { page } = await openDocs();
  const document = (await (await fetch(`${gateway()}/openapi.json`)).json()) as OpenApiDocument;
  const expected = [...readOperationsOf(document).values()];
  const shown = await page
    .locator('.opblock-summary')
    .evaluateAll((all) =>
      all.map((summary) =>
        [...summary.querySelectorAll('.opblock-summary-method, .opblock-summary-path')]
          .map((part) => (part.textContent ?? '').replaceAll('\u200b', '').trim())
          .join(' '),
      ),
    );
  expect(shown.sort()).toEqual(expected.sort());
});
