import type { IncomingMessage } from 'node:http';
import type { OpenApiDocument, RawReply } from '../../contract/index.ts';
import { Problem } from '../../problem/index.ts';
import { type AssetSource, createAssetReader } from '../asset-reader.ts';
import { html } from '../html.ts';
import { type KeptBytes, keepText, replyKept } from '../kept-text.ts';
import { blockAssets } from '../page-asset.ts';
import { createPageLinks } from '../page-html.ts';
import { createShell } from '../page-shell.ts';

export interface RosterHandlersOptions {
  /** The contract as this server serves it: it tells whether a company is to be named. */
  readonly document: () => OpenApiDocument;
  /** Name of the server, for people. */
  readonly title: string;
}

interface Asking {
  readonly req: Pick<IncomingMessage, 'headers'>;
}

/** Handlers of the roster page and of the files it loads. */
export interface RosterHandlers {
  getRosterPage(request: unknown, context: Asking): RawReply;
  getRosterAsset(request: { readonly path: { readonly asset: string } }, context: Asking): Promise<RawReply>;
}

/** The page of a server of the staff contract. It holds no data: what it shows, the reader's own sign-in loads. */
export function createRosterHandlers({ title }: RosterHandlersOptions): RosterHandlers {
  let page: KeptBytes | undefined;
  return {
    getRosterPage(_request, { req }) {
      page ??= keepText(createRosterHtml(title), 'text/html; charset=utf-8');
      return replyKept(page, req, policy);
    },
    async getRosterAsset({ path }, { req }) {
      const asset = readAsset(path.asset);
      if (asset === undefined) throw new Problem('not_found', 'The roster page has no file of that name.');
      return replyKept(await asset, req);
    },
  };
}

function createRosterHtml(title: string): string {
  return String(
    createShell({
      title,
      current: '',
      links: createPageLinks({ pages: ['docs', 'redoc'], hasHome: true, hasDocument: true }),
      styles: ['roster/roster.css'],
      scripts: [],
      skipTo: { id: 'page', text: 'Skip to the content' },
      body: html`<main id="page" tabindex="-1"><h1>${title}</h1><p>Its operations are described under <a href="docs">docs</a>.</p></main>`,
    }),
  );
}

const rosterAssets = {
  'roster.css': { parts: blockAssets.styles },
} as const satisfies Record<string, AssetSource>;

const readAsset = createAssetReader(rosterAssets);

/** Nothing inline, nothing from elsewhere. */
const policy = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
};
