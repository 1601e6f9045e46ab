import type { IncomingMessage } from 'node:http';
import type { OpenApiDocument, RawReply } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { runInSlices } from '../steps/index.ts';
import { createAssetReader } from './asset-reader.ts';
import { type KeptBytes, keepJsonSteps, keepText, replyKept } from './kept-text.ts';
import { type PageName, pageAssets } from './page-asset.ts';
import { createPageHtml, pagePolicies } from './page-html.ts';

export interface PageHandlersOptions {
  /** The document of now; a new object after a reload. */
  readonly document: () => OpenApiDocument;
  /** Name of the server, for people. */
  readonly title: string;
  /** The pages that are served; both by default. */
  readonly pages?: readonly PageName[];
  /** What the server's page at its root is called, when it has one to link to. */
  readonly home?: string | undefined;
}

interface PageContext {
  readonly req: Pick<IncomingMessage, 'headers'>;
}

interface AssetRequest {
  readonly path: { readonly asset: string };
}

/** Handlers of the documentation operations. Nothing they serve loads anything from another origin. */
export interface PageHandlers {
  getOpenapiDocument(request: unknown, context: PageContext): Promise<RawReply>;
  getDocs(request: unknown, context: PageContext): RawReply;
  getDocsAsset(request: AssetRequest, context: PageContext): Promise<RawReply>;
  getRedoc(request: unknown, context: PageContext): RawReply;
  getRedocAsset(request: AssetRequest, context: PageContext): Promise<RawReply>;
}

export function createPageHandlers(options: PageHandlersOptions): PageHandlers {
  const { document, title, pages = ['docs', 'redoc'], home } = options;
  // A document becomes text once, and its text is kept no longer than itself.
  const documents = new WeakMap<OpenApiDocument, Promise<KeptBytes>>();

  const page = (name: PageName) => {
    const page = keepText(createPageHtml(name, { title, pages, home }), 'text/html; charset=utf-8');
    return (_request: unknown, { req }: PageContext) => replyKept(page, req, pagePolicies[name]);
  };
  const asset =
    (name: PageName) =>
    async (request: AssetRequest, { req }: PageContext) => {
      const found = readers[name](request.path.asset);
      if (found === undefined) throw new Problem('not_found', `The page /${name} has no file of that name.`);
      return replyKept(await found, req);
    };

  return {
    async getOpenapiDocument(_request, { req }) {
      const current = document();
      let text = documents.get(current);
      if (text === undefined) {
        text = runInSlices(keepJsonSteps(current));
        documents.set(current, text);
      }
      return replyKept(await text, req);
    },
    getDocs: page('docs'),
    getDocsAsset: asset('docs'),
    getRedoc: page('redoc'),
    getRedocAsset: asset('redoc'),
  };
}

/** One for the process: a configuration comes and goes, its files stay. */
const readers = { docs: createAssetReader(pageAssets.docs), redoc: createAssetReader(pageAssets.redoc) };
