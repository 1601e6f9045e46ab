import { document as gatewayDocument } from '@rostergate/gateway-spec';
import { proxyDocument, schedulingDocument } from '@rostergate/staff-spec';
import { describe, expect, inject, test } from 'vitest';
import { findMapDrift } from '../../../contract/src/drift/find-map-drift.ts';
import { openPage } from '../browser/open-page.ts';
import { type EndpointFacts, readDocs, readDocument, readRedoc } from '../browser/read-endpoints.ts';
import { useChromium } from '../browser/use-chromium.ts';

const browser = useChromium();

describe.each([
  ['gateway', gatewayDocument],
  ['staff-proxy', proxyDocument],
  ['scheduling', schedulingDocument],
] as const)('%s', (server, document) => {
  const contract = readDocument(document as never);
  const url = inject('servers').urls[server];

  /** What a page shows, drawn once for all tests. */
  const shown: Record<string, EndpointFacts> = {};
  async function readPage(path: '/docs' | '/redoc'): Promise<EndpointFacts> {
    const { page } = await openPage(browser(), url + path);
    return path === '/docs' ? readDocs(page) : readRedoc(page);
  }

  /** Returns the differences between a page and the contract, configured endpoints aside. */
  async function check(path: '/docs' | '/redoc', expected: EndpointFacts): Promise<string[]> {
    shown[path] ??= await readPage(path);
    const own = new Map([...shown[path]].filter(([name]) => !name.includes(' /api/')));
    return findMapDrift(['the contract', expected], [path, own]);
  }

  test('pair spec ⇄ rendered documentation: both pages show every operation with its summary and its authentication', async () => {
    expect(contract.size).toBeGreaterThan(10);
    expect(await check('/docs', contract)).toEqual([]);
    expect(await check('/redoc', contract)).toEqual([]);
  });

  test('mutation spec ⇄ rendered documentation: an operation is added or changed only in the contract', async () => {
    const changed = new Map([...contract, ['GET /health', 'another line'], ['PUT /health', 'a new operation']]);
    expect(await check('/docs', changed)).toEqual([
      expect.stringMatching(/^GET \/health is another line in the contract and “.+” for all in \/docs$/),
      'PUT /health is in the contract alone',
    ]);
  });
});
