import type { IncomingMessage } from 'node:http';
import type { OpenApiDocument, RawReply } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { createAssetReader, etagOf, type PageName } from './page-asset.ts';
import { contentSecurityPolicies, createPageHtml } from './page-html.ts';

export interface PageHandlersOptions {
  /** The document of now; a new object after a reload. */
  readonly document: () => OpenApiDocument;
  /** Name of the server, for people. */
  readonly title: string;
  /** The pages that are served; both by default. */
  readonly pages?: readonly PageName[];
}

interface PageContext {
  readonly req: Pick<IncomingMessage, 'headers'>;
}

interface AssetRequest {
  readonly path: { readonly asset: string };
}

/** Handlers of the documentation operations. Nothing they serve loads anything from another origin. */
export interface PageHandlers {
  getOpenapiDocument(request: unknown, context: PageContext): RawReply;
  getDocs(request: unknown, context: PageContext): RawReply;
  getDocsAsset(request: AssetRequest, context: PageContext): Promise<RawReply>;
  getRedoc(request: unknown, context: PageContext): RawReply;
  getRedocAsset(request: AssetRequest, context: PageContext): Promise<RawReply>;
}

export function createPageHandlers({ document, title, pages = ['docs', 'redoc'] }: PageHandlersOptions): PageHandlers {
  const readAsset = createAssetReader();
  // A document becomes text once, and its text is kept no longer than itself.
  const documents = new WeakMap<OpenApiDocument, Cacheable>();

  const page = (name: PageName) => {
    const html = cacheable(createPageHtml(name, { title, pages }), 'text/html; charset=utf-8');
    const policy = { 'Content-Security-Policy': contentSecurityPolicies[name] };
    return (_request: unknown, { req }: PageContext) => reply(html, req, policy);
  };
  const asset =
    (name: PageName) =>
    async (request: AssetRequest, { req }: PageContext) => {
      const found = readAsset(name, request.path.asset);
      if (found === undefined) throw new Problem('not_found', `The page /${name} has no file of that name.`);
      return reply(await found, req);
    };

  return {
    getOpenapiDocument(_request, { req }) {
      const current = document();
      let text = documents.get(current);
      if (text === undefined) {
        text = cacheable(JSON.stringify(current), 'application/json');
        documents.set(current, text);
      }
      return reply(text, req);
    },
    getDocs: page('docs'),
    getDocsAsset: asset('docs'),
    getRedoc: page('redoc'),
    getRedocAsset: asset('redoc'),
  };
}

interface Cacheable {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

function cacheable(text: string, contentType: string): Cacheable {
  const bytes = Buffer.from(text);
  return { bytes, contentType, etag: etagOf(bytes) };
}

/** The whole, or 304 for who has it already (RFC 9110 §13.1.2). */
function reply(
  { bytes, contentType, etag }: Cacheable,
  req: PageContext['req'],
  more?: Record<string, string>,
): RawReply {
  // Kept, but asked about each time: a new version or configuration is seen at once.
  const headers = { 'Cache-Control': 'no-cache', ETag: etag, ...more };
  const known = req.headers['if-none-match'];
  if (known !== undefined && knows(known, etag)) return { status: 304, raw: '', contentType, headers };
  return { status: 200, raw: bytes, contentType, headers };
}

function knows(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
