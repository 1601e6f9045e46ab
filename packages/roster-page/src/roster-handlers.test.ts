import { brotliCompressSync } from 'node:zlib';
import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { panelAssets, rosterAssets } from './roster-assets.ts';
import { createRosterHandlers } from './roster-handlers.ts';
import { readSignInTerms } from './roster-html.ts';

function contractOf({ required, title = 'People', content = {} }: ContractOptions): OpenApiDocument {
  return {
    openapi: '3.0.3',
    info: { title, version: '7' },
    servers: [{ url: '/v2' }],
    paths: {
      '/staffmember': {
        get: { parameters: [{ $ref: '#/components/parameters/CompanyKey' }], responses: { 200: { content } } },
      },
      '/login': { post: { requestBody: { content: { 'application/json': { schema: login } } }, responses: {} } },
    },
    components: { parameters: { CompanyKey: { name: 'companyKey', in: 'query', required } } },
  } as unknown as OpenApiDocument;
}

interface ContractOptions {
  readonly required: boolean;
  readonly title?: string;
  /** Media types of the list of people. */
  readonly content?: Readonly<Record<string, object>>;
}

const login = { properties: { email: { description: 'Name of the <key>.' }, password: { description: 'The key.' } } };
const asking = (headers: Record<string, string> = {}) => ({ req: { headers } });
const textOf = ({ raw }: RawReply) => Buffer.from(raw as Uint8Array).toString('utf8');
const open = (document = contractOf({ required: true })) => createRosterHandlers({ document });

describe('the roster page', () => {
  it('references exactly the files that it serves, except those that show a person', async () => {
    const { getRosterPage, getRosterAsset } = open();
    const files = [...textOf(getRosterPage({}, asking())).matchAll(/(?:src|href)="roster\/([^"]+)"/g)].map(
      ([, f]) => f,
    );
    expect(files.sort()).toEqual(Object.keys(rosterAssets).sort());
    for (const asset of [...files, ...Object.keys(panelAssets)] as string[]) {
      expect((await getRosterAsset({ path: { asset } }, asking())).status).toBe(200);
    }
    for (const asset of ['', '__proto__', '../roster-html.ts', 'blocks.css']) {
      await expect(getRosterAsset({ path: { asset } }, asking())).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('links only to pages of the contract', () => {
    const contract = contractOf({ required: true });
    const linksWith = (...paths: string[]) => {
      const served = { ...contract.paths, ...Object.fromEntries(paths.map((path) => [path, {}])) };
      const text = textOf(open({ ...contract, paths: served }).getRosterPage({}, asking()));
      return ['docs', 'redoc', 'openapi.json'].filter((path) => text.includes(`href="${path}"`));
    };
    expect(linksWith('/docs', '/redoc', '/openapi.json')).toEqual(['docs', 'redoc', 'openapi.json']);
    expect(linksWith('/redoc', '/openapi.json')).toEqual(['redoc', 'openapi.json']);
    expect(linksWith()).toEqual([]);
  });

  it('returns 304 for current copies of the page and its files', async () => {
    const { getRosterPage, getRosterAsset } = open();
    const path = { asset: 'roster.js' };
    const page = getRosterPage({}, asking());
    expect(getRosterPage({}, asking({ 'if-none-match': String(page.headers?.ETag) })).status).toBe(304);
    const { headers } = await getRosterAsset({ path }, asking());
    expect((await getRosterAsset({ path }, asking({ 'if-none-match': String(headers?.ETag) }))).status).toBe(304);
  });

  it('has nothing inline, loads nothing from another origin, and submits no form by itself', () => {
    const page = open().getRosterPage({}, asking());
    expect(textOf(page)).not.toMatch(/<style|\sstyle=|<script>|\son\w+=|(?:src|href)="(?:https?:)?\/\//);
    expect(textOf(page)).not.toMatch(/<(?:input|select|textarea)[^>]* name=/);
    const policy = page.headers?.['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("form-action 'none'; frame-ancestors 'none'");
  });

  it('loads less than 16 kB more to show and edit a person', async () => {
    const { getRosterAsset } = open();
    const replies = await Promise.all(
      Object.keys(panelAssets).map((asset) => getRosterAsset({ path: { asset } }, asking())),
    );
    const sizes = replies.map(({ raw }) => brotliCompressSync(raw as Uint8Array).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(16_000);
  });

  it('requires a company only where the contract does', () => {
    const fieldOf = (required: boolean) =>
      /<input id="company"[^>]*>/.exec(textOf(open(contractOf({ required })).getRosterPage({}, asking())))?.[0];
    expect(fieldOf(true)).toContain(' required');
    expect(fieldOf(false)).not.toContain(' required');
  });

  it('has a CSV button only where the contract has a list as CSV', () => {
    const pageWith = (content: Readonly<Record<string, object>>) =>
      textOf(open(contractOf({ required: true, content })).getRosterPage({}, asking()));
    expect(pageWith({ 'application/json': {} })).not.toContain('id="csv"');
    expect(pageWith({ 'application/json': {}, 'text/csv': {} })).toContain(
      '<button type="button" class="plain" id="csv">',
    );
  });

  it('says whether the contract has catalogues', () => {
    const without = contractOf({ required: true });
    const paths = { ...without.paths, '/admin/{catalogue}': { get: {} } } as unknown as OpenApiDocument['paths'];
    const marked = (document: OpenApiDocument) =>
      textOf(open(document).getRosterPage({}, asking())).includes(' data-catalogues');
    expect([marked(without), marked({ ...without, paths })]).toEqual([false, true]);
  });

  it('escapes texts of the contract', () => {
    const page = textOf(open(contractOf({ required: true, title: '<img src=x>' })).getRosterPage({}, asking()));
    expect(page).not.toContain('<img');
    expect(page).toContain('<label for="account">Name of the &lt;key&gt;</label>');
  });

  it('loads with four requests and less than 20 kB', async () => {
    const { getRosterPage, getRosterAsset } = open();
    const replies = [getRosterPage({}, asking())];
    for (const asset of Object.keys(rosterAssets)) replies.push(await getRosterAsset({ path: { asset } }, asking()));
    expect(replies).toHaveLength(4);
    const sizes = replies.map(({ raw }) => brotliCompressSync(raw as Uint8Array).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000);
  });
});

it('readSignInTerms returns base path and labels of the contract', () => {
  expect(readSignInTerms(contractOf({ required: false }))).toEqual({
    base: 'v2',
    needsCompany: false,
    account: 'Name of the <key>',
    password: 'The key',
    hasCsv: false,
    hasCatalogues: false,
  });
});
