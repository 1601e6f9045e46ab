import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { pageAssets } from './page-asset.ts';
import { createPageHandlers, type PageHandlersOptions } from './page-handlers.ts';

const contract: OpenApiDocument = { openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths: {} };
const asking = (headers: Record<string, string> = {}) => ({ req: { headers } });
const assetOf = (asset: string) => ({ path: { asset } });
const textOf = ({ raw }: RawReply) => Buffer.from(raw as Uint8Array).toString('utf8');

function start(options: Partial<PageHandlersOptions> = {}) {
  return createPageHandlers({ document: () => contract, title: 'Things', ...options });
}

describe('getOpenapiDocument', () => {
  it('returns the current document, also after a reload', async () => {
    let current = contract;
    const { getOpenapiDocument } = start({ document: () => current });
    const before = await getOpenapiDocument({}, asking());
    expect(before).toMatchObject({ status: 200, contentType: 'application/json' });
    expect(JSON.parse(textOf(before))).toEqual(contract);
    current = { ...contract, info: { title: 'Things', version: '2' } };
    const after = await getOpenapiDocument({}, asking());
    expect(JSON.parse(textOf(after)).info.version).toBe('2');
    expect(after.headers?.ETag).not.toBe(before.headers?.ETag);
  });

  it('returns 304 for a current copy', async () => {
    const { getOpenapiDocument } = start();
    const etag = String((await getOpenapiDocument({}, asking())).headers?.ETag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect(await getOpenapiDocument({}, asking({ 'if-none-match': known }))).toMatchObject({ status: 304, raw: '' });
    }
    expect((await getOpenapiDocument({}, asking({ 'if-none-match': '"other"' }))).status).toBe(200);
  });
});

it('returns the calls of each operation for /redoc, and changes nothing in the document', async () => {
  const security = [{ key: [] }];
  const get = { operationId: 'getThing', security, responses: {} };
  const document = {
    ...contract,
    paths: { '/things': { get }, '/other': { get: { responses: {} } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
  } satisfies OpenApiDocument;
  const { getRedocAsset, getDocsAsset } = start({ document: () => document });
  const reply = await getRedocAsset(assetOf('code-samples.js'), asking());
  expect(reply.contentType).toMatch(/^text\/javascript/);
  const { default: samples } = await import(`data:text/javascript,${encodeURIComponent(textOf(reply))}`);
  expect(samples).toEqual([
    [
      'getThing',
      [
        { lang: 'bash', label: 'curl', source: `curl -H "X-API-Key: YOUR_KEY" '{origin}/things'` },
        { lang: 'typescript', label: 'TypeScript', source: expect.stringContaining('fetch("{origin}/things"') },
        { lang: 'python', label: 'Python', source: expect.stringContaining('"X-API-Key": "YOUR_KEY"') },
      ],
    ],
  ]);
  expect(JSON.stringify(document)).not.toContain('YOUR_KEY');
  await expect(getDocsAsset(assetOf('code-samples.js'), asking())).rejects.toMatchObject({ status: 404 });
});

it('returns calls with the path of the server', async () => {
  const operation = (operationId: string) => ({ operationId, security: [], responses: {} });
  const paths = {
    '/things': { get: operation('getThings') },
    '/health': { servers: [{ url: '/' }], get: operation('getHealth') },
  };
  const { getRedocAsset } = start({ document: () => ({ ...contract, servers: [{ url: '/v2' }], paths }) });
  const text = textOf(await getRedocAsset(assetOf('code-samples.js'), asking()));
  expect(text).toContain("curl '{origin}/v2/things'");
  expect(text).toContain("curl '{origin}/health'");
});

describe.each(['docs', 'redoc'] as const)('the page /%s', (name) => {
  const { getDocs, getDocsAsset, getRedoc, getRedocAsset } = start({ title: 'Things <&"> here' });
  const [getPage, getAsset] = name === 'docs' ? [getDocs, getDocsAsset] : [getRedoc, getRedocAsset];

  it('references only files that it serves', async () => {
    const html = textOf(getPage({}, asking()));
    const files = [...html.matchAll(/(?:src|href)="(?:docs|redoc)\/([^"]+)"/g)].map((match) => match[1] as string);
    expect(files.sort()).toEqual(Object.keys(pageAssets[name]).sort());
    for (const file of files) {
      const { status, contentType, raw } = await getAsset(assetOf(file), asking());
      expect(status).toBe(200);
      expect(contentType).toMatch(file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect((raw as Uint8Array).byteLength).toBeGreaterThan(200);
    }
  });

  it('has no inline script or style, and nothing from another origin', () => {
    const html = textOf(getPage({}, asking()));
    expect(html).not.toMatch(/<style|\sstyle=|<script>|\son\w+=|https?:|"\/\//);
    expect(html).toContain('Things &lt;&amp;&quot;&gt; here');
  });

  it('allows only its own scripts, no frames and no other origin', () => {
    const policy = getPage({}, asking()).headers?.['Content-Security-Policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  it.each(['', 'index.html', '../package.json', '..%2Fpage.css', '__proto__', 'toString', 'swagger-ui.css.map'])(
    'has no file "%s"',
    async (file) => {
      await expect(getAsset(assetOf(file), asking())).rejects.toMatchObject({ code: 'not_found', status: 404 });
    },
  );

  it('returns 304 for an unchanged file', async () => {
    const { headers } = await getAsset(assetOf('page.css'), asking());
    const again = await getAsset(assetOf('page.css'), asking({ 'if-none-match': String(headers?.ETag) }));
    expect([again.status, again.raw]).toEqual([304, '']);
  });
});

describe('the assets', () => {
  it('load nothing from another origin', async () => {
    // Compares booleans, as a failure would print a megabyte.
    const bundle = textOf(await start().getRedocAsset(assetOf('redoc.standalone.js'), asking()));
    expect(bundle.includes('alt:"redocly logo",onError:()=>t(!1),src:"data:,"')).toBe(true);
    expect(/cdn\.redoc\.ly|fonts\.googleapis|sourceMappingURL=\S+$/.test(bundle)).toBe(false);
    expect(['brand', 'on-brand', 'sheet'].filter((name) => !bundle.includes(`color: var(--${name});`))).toEqual([]);
    expect(bundle.includes('#0e7c86')).toBe(false);
    const css = textOf(await start().getDocsAsset(assetOf('swagger-ui.css'), asking()));
    expect(/sourceMappingURL|@import|url\(["']?https?:/.test(css)).toBe(false);
  });

  it('belong to one page', async () => {
    await expect(start().getDocsAsset(assetOf('redoc.js'), asking())).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('links only to served pages', () => {
  const html = textOf(start({ pages: ['docs'] }).getDocs({}, asking()));
  expect(html).toContain('href="docs" aria-current="page"');
  expect(html).not.toContain('href="redoc"');
});
