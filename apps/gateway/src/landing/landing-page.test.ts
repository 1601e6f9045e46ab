import { parseEndpoints, type Settings } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { createServedDocument } from '../served-document.ts';
import { describeBuiltInServices } from '../services/index.ts';
import { readSettings } from '../settings.ts';
import { createLandingHandlers, endpointsPerPage, landingAssets } from './landing-page.ts';

interface Query {
  readonly q?: string;
  readonly tag?: string;
  readonly page?: number;
}

async function openPage(
  endpoints: readonly object[],
  query: Query = {},
  settings: Partial<Settings> = {},
): Promise<string> {
  const parsed = parseEndpoints({ endpoints }, describeBuiltInServices());
  const all = { ...readSettings({ env: {} }), ...settings };
  const document = createServedDocument(all, parsed.endpoints);
  const { getLandingPage } = createLandingHandlers({ settings: all, document, endpoints: parsed.endpoints });
  return String((await getLandingPage({ query }, { req: { headers: {} } })).raw);
}

const listed = (page: string) =>
  [...page.replaceAll('<wbr>', '').matchAll(/<span class="verb \w+">(\w+)<\/span>.*?<code class="path">([^<]+)</g)].map(
    ([, m, p]) => `${m} ${p}`,
  );
const configured = (page: string) => listed(page.slice(0, page.indexOf('id="built-in"')));

const firstRequest = (page: string) => /<section class="card first"[\s\S]*?<\/section>/.exec(page)?.[0] ?? '';

describe('the landing page', () => {
  it('shows each endpoint by tag, with its requirements and a command to copy', async () => {
    const page = await openPage([
      { path: '/open', service: 'crypto', tags: ['coins'] },
      {
        path: '/keyed',
        service: 'crypto',
        requires_auth: true,
        scopes: ['coins.read'],
        rate_limit_per_minute: 1200,
        tags: ['coins'],
      },
    ]);
    expect(configured(page)).toEqual(['GET /open', 'GET /keyed']);
    expect(page).toContain('curl &#39;http://127.0.0.1:8000/open?symbol=ETH&#39;');
    expect(page.match(/needs a key<\/span>/g)).toHaveLength(2);
    expect(page).toContain('>coins.read</span>');
    expect(page).toContain('1,200 a minute');
    expect(page).toContain('<h3>coins</h3>');
  });

  it('begins with the base address and a first request; charts come last', async () => {
    const page = await openPage([{ path: '/open', service: 'crypto' }]);
    const ids = ['first', 'endpoints', 'built-in', 'tester', 'figures'];
    const places = ids.map((id) => page.indexOf(`id="${id}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(firstRequest(page)).toContain('Base address: <code data-origin="http://127.0.0.1:8000">');
  });

  it('chooses an open GET as the first request, else one with the command that sets the key', async () => {
    const keyed = { path: '/keyed', service: 'crypto', requires_auth: true };
    const posted = { path: '/posted', service: 'echo', method: 'POST' };
    const open = { path: '/open', service: 'crypto' };
    const chosen = async (...endpoints: object[]) => firstRequest(await openPage(endpoints));
    expect(await chosen(posted, keyed, open)).toMatch(/curl &#39;http:.*\/open\?symbol=ETH&#39;/);
    expect(await chosen(posted, keyed, open)).not.toContain('export');
    expect(await chosen(posted, keyed)).toMatch(/\/keyed\?symbol=ETH[\s\S]*export GATEWAY_KEY=/);
    expect(await chosen(posted)).toContain('-X POST');
    expect(await openPage([])).not.toContain('First request');
  });

  it('shows built-in operations, and so every operation of the document', async () => {
    const page = await openPage([{ path: '/open', service: 'crypto' }]);
    expect(listed(page)).toEqual(expect.arrayContaining(['GET /open', 'GET /health', 'GET /auth/validate', 'GET /']));
  });

  it('escapes texts of the configuration and of the query', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'';
    const page = await openPage(
      [{ path: '/a', service: 'crypto', summary: evil, description: `${evil}!`, tags: [evil, 'b'] }].concat(
        Array.from({ length: 9 }, (_, i) => ({
          path: `/${i}`,
          service: 'crypto',
          summary: '',
          description: '',
          tags: [],
        })),
      ),
      { q: evil, tag: evil },
    );
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
  });

  it('is accessible: landmarks, one first-level heading, labelled controls', async () => {
    const page = await openPage(Array.from({ length: 60 }, (_, i) => ({ path: `/open/${i}`, service: 'crypto' })));
    expect(page).toContain('<html lang="en">');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    for (const tag of ['<main id=', '<header', '<nav aria-label=', '<footer']) expect(page).toContain(tag);
    for (const [button] of page.matchAll(/<button[^>]*class="copy"[^>]*>/g)) expect(button).toContain('aria-label=');
    for (const id of ['tester-key', 'filter-q']) expect(page).toContain(`<label for="${id}">`);
    expect(page).toContain('href="#endpoints"');
  });

  it('explains what to do if no endpoints are configured', async () => {
    expect(await openPage([])).toContain('Add one to endpoints.json');
  });

  it('has no inline scripts, styles or handlers, and loads nothing from other origins', async () => {
    const page = await openPage([{ path: '/open', service: 'crypto' }]);
    expect(page).not.toMatch(/<style|\sstyle=|<script>|\son\w+=|(?:src|href)="(?:https?:)?\/\//);
  });
});

it('loads with four requests, and less than 45 kB of styles, scripts and icon before compression', async () => {
  const { getLandingAsset } = createLandingHandlers({
    settings: readSettings({ env: {} }),
    document: createServedDocument(readSettings({ env: {} }), []),
    endpoints: [],
  });
  const assets = Object.keys(landingAssets);
  const page = await openPage([]);
  for (const asset of assets) expect(page).toContain(`"assets/${asset}"`);
  const sizes = await Promise.all(
    assets.map(async (asset) => {
      const { raw } = await getLandingAsset({ path: { asset } }, { req: { headers: {} } });
      return (raw as Uint8Array).byteLength;
    }),
  );
  expect(assets).toHaveLength(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(45_000);
});

describe('ten thousand endpoints', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    path: `/shop/${i}/orders`,
    service: 'static',
    summary: i === 7_777 ? 'The lucky one' : `Orders of shop ${i}`,
    tags: [`area ${i % 40}`],
    parameters: { answer: i },
  }));

  it('are divided into pages, each on exactly one of them', async () => {
    const first = await openPage(many);
    expect(configured(first)).toHaveLength(endpointsPerPage);
    expect(first.length).toBeLessThan(120_000);
    expect(first).toContain('Part 1 of 200');
    const second = await openPage(many, { page: 2 });
    expect(configured(first).filter((row) => configured(second).includes(row))).toEqual([]);
  });

  it('are found by words and by tag', async () => {
    expect(configured(await openPage(many, { q: 'LUCKY orders' }))).toEqual(['GET /shop/7777/orders']);
    expect(await openPage(many, { tag: 'area 3' })).toContain('250 of 10,000');
    expect(await openPage(many, { q: 'no such thing' })).toContain('No matches');
  });
});

describe('a disabled part', () => {
  const endpoints = [{ path: '/open', service: 'crypto' }];

  it('has no links, no blocks and no rows', async () => {
    const bare = await openPage(
      endpoints,
      {},
      { enabled_routers: [], enable_openapi: false, rate_limit_enabled: false },
    );
    expect(bare).not.toMatch(
      /href="(docs|redoc|openapi\.json|metrics|endpoints|health)|id="(tester|readiness|figures)"/,
    );
    expect(listed(bare)).toEqual(['GET /open', 'GET /', 'GET /assets/{asset}']);
    expect(bare).toContain('Metrics are turned off');
    expect(bare).not.toContain('a minute');
  });

  it.each([
    [{ enable_docs: false }, 'href="redoc#operation/', 'href="docs'],
    [{ enable_redoc: false }, 'href="docs#/', 'href="redoc'],
  ] as [Partial<Settings>, string, string][])(
    'leaves the other documentation page: %o',
    async (settings, has, lacks) => {
      const page = await openPage(endpoints, {}, settings);
      expect(page).toContain(has);
      expect(page).not.toContain(lacks);
    },
  );

  it('asks for a key if metrics need one', async () => {
    expect(await openPage(endpoints)).not.toContain('data-needs-key');
    expect(await openPage(endpoints, {}, { metrics_requires_auth: true })).toContain('data-needs-key');
  });
});
