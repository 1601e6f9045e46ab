import { readFile } from 'node:fs/promises';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import type { OpenApiDocument, RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { createLandingHtml } from './landing-html.ts';

export interface LandingOptions {
  readonly settings: Readonly<Settings>;
  readonly document: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
}

/** Handlers of the landing page and of the files it loads. */
export interface LandingHandlers {
  getLandingPage(): RawReply;
  getLandingAsset(request: { readonly path: { readonly asset: string } }): Promise<RawReply>;
}

export function createLandingHandlers({ settings, document, endpoints }: LandingOptions): LandingHandlers {
  let page: RawReply | undefined;
  return {
    getLandingPage() {
      // Written when first asked for: a reload need not wait for a page that nobody may read.
      page ??= {
        status: 200,
        raw: createLandingHtml({ document, endpoints, origin: originOf(settings) }),
        contentType: 'text/html; charset=utf-8',
        headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': contentSecurityPolicy },
      };
      return page;
    },
    getLandingAsset({ path }) {
      const asset = Object.hasOwn(assets, path.asset) ? assets[path.asset as keyof typeof assets] : undefined;
      if (asset === undefined) throw new Problem('not_found', 'The landing page has no file of that name.');
      return loadAsset(path.asset, asset);
    },
  };
}

const assets = {
  'landing.css': 'text/css; charset=utf-8',
  'landing.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

const loaded = new Map<string, RawReply>();

async function loadAsset(name: string, contentType: string): Promise<RawReply> {
  let reply = loaded.get(name);
  if (reply === undefined) {
    const raw = await readFile(new URL(`./assets/${name}`, import.meta.url));
    reply = { status: 200, raw, contentType, headers: { 'Cache-Control': 'no-cache' } };
    loaded.set(name, reply);
  }
  return reply;
}

/** Nothing inline, nothing from elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function originOf({ host, port }: Readonly<Settings>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
