import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { document } from '@rostergate/gateway-spec';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findMapDrift } from '../../../contract/src/drift/find-map-drift.ts';
import { openPage } from '../browser/open-page.ts';
import { shopEndpoints } from '../browser/pages-gateway.ts';
import { type EndpointFacts, readDefinitions, readDocs, readDocument, readRedoc } from '../browser/read-endpoints.ts';
import { useChromium } from '../browser/use-chromium.ts';
import { type GatewayOptions, type GatewayProcess, startGateway } from '../gateway-process.ts';

const browser = useChromium();
const off = { path: '/off', service: 'echo', summary: 'A disabled endpoint', enabled: false };
const start = (options: GatewayOptions = {}) => startGateway({ endpoints: [...shopEndpoints, off], ...options });

/** The built-in operations, which are not compared. */
const builtIn = new Set(readDocument(document as never).keys());
const configured = (facts: EndpointFacts) => new Map([...facts].filter(([name]) => !builtIn.has(name)));

/** Returns the current endpoints of each of the five sources. */
async function readSides({ folder, url }: GatewayProcess, change?: (page: Page) => Promise<unknown>) {
  const file = JSON.parse(await readFile(join(folder, 'endpoints.json'), 'utf8'));
  // biome-ignore lint/suspicious/noExplicitAny: the comparison checks it.
  const get = async (path: string): Promise<any> => (await fetch(url + path)).json();
  const { page } = await openPage(browser(), `${url}/health`);
  await change?.(page);
  await page.goto(`${url}/docs`);
  const docs = await readDocs(page);
  await page.goto(`${url}/redoc`);
  const redoc = await readRedoc(page);
  return {
    'endpoints.json': readDefinitions(file.endpoints),
    '/openapi.json': configured(readDocument(await get('/openapi.json'))),
    '/endpoints': readDefinitions((await get('/endpoints')).endpoints),
    '/docs': configured(docs),
    '/redoc': configured(redoc),
  };
}

/** Returns the differences of each source to endpoints.json. */
async function check(gateway: GatewayProcess, change?: (page: Page) => Promise<unknown>): Promise<string[]> {
  const { 'endpoints.json': file, ...others } = await readSides(gateway, change);
  expect(file.size).toBeGreaterThan(5);
  return Object.entries(others).flatMap(([side, facts]) => findMapDrift(['endpoints.json', file], [side, facts]));
}

/** Serves the pages a changed document. */
const changeDocument = (edit: (paths: Record<string, Record<string, { summary: string }>>) => void) => (page: Page) =>
  page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const changed = await response.json();
    edit(changed.paths);
    await route.fulfill({ response, json: changed });
  });

test('pair endpoints.json ⇄ /openapi.json ⇄ /docs ⇄ /redoc ⇄ /endpoints: all five agree, also after an edit', async () => {
  const gateway = await start();
  expect(await check(gateway)).toEqual([]);
  const [first, ...others] = shopEndpoints;
  await gateway.write('endpoints.json', {
    endpoints: [{ ...first, path: '/api/coins', summary: 'Another line', requires_auth: true }, ...others],
  });
  await expect.poll(async () => (await fetch(`${gateway.url}/endpoints`)).text()).toContain('/api/coins');
  expect(await check(gateway)).toEqual([]);
});

test('mutation endpoints.json ⇄ /openapi.json ⇄ /docs ⇄ /redoc ⇄ /endpoints: only the file is edited', async () => {
  const gateway = await start({ settings: { reload_enabled: false } });
  const [first, ...others] = shopEndpoints;
  await gateway.write('endpoints.json', { endpoints: [{ ...first, summary: 'Another line' }, ...others] });
  const difference =
    'GET /api/crypto is “Another line” for all in endpoints.json and “Price of a cryptocurrency” for all in';
  expect(await check(gateway)).toEqual(
    ['/openapi.json', '/endpoints', '/docs', '/redoc'].map((side) => `${difference} ${side}`),
  );
});

test('mutation endpoints.json ⇄ /openapi.json ⇄ /docs ⇄ /redoc ⇄ /endpoints: the pages load a changed document', async () => {
  const gateway = await start();
  const changed = changeDocument((paths) => {
    Object.assign(paths['/api/hello']?.get as object, { summary: 'Hello', security: [{ apiKeyHeader: [] }] });
    delete paths['/plain'];
  });
  expect(await check(gateway, changed)).toEqual(
    ['/docs', '/redoc'].flatMap((side) => [
      `GET /api/hello is “A fixed greeting” for all in endpoints.json and “Hello” with a key in ${side}`,
      'GET /plain is in endpoints.json alone',
    ]),
  );
});
