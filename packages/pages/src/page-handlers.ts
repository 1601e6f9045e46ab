import type { IncomingMessage } from 'node:http';
import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { runInSlices, type Steps } from '@rostergate/server/steps';
import { codeSamplesFile, createCodeSamplesSteps } from './code-samples.ts';
import { createAssetReader, type PageName, pageAssets } from './page-asset.ts';
import { createPageHtml, type PageLink, pagePolicies } from './page-html.ts';
import { replyTagged, type TaggedBytes, tagJsonSteps, tagText } from './tagged-text.ts';

export interface PageHandlersOptions {
  /** Returns the current document; a new object after a reload. */
  readonly document: () => OpenApiDocument;
  /** Display name of the server. */
  readonly title: string;
  /** Served pages; both by default. */
  readonly pages?: readonly PageName[];
  /** Name of the page at the root, if there is one. */
  readonly home?: string | undefined;
  /** Links to other pages of the server. */
  readonly more?: readonly PageLink[];
}

interface PageContext {
  readonly req: Pick<IncomingMessage, 'headers'>;
}

interface AssetRequest {
  readonly path: { readonly asset: string };
}

/** Handlers of the documentation operations. Their pages load nothing from another origin. */
export interface PageHandlers {
  getOpenapiDocument(request: unknown, context: PageContext): Promise<RawReply>;
  getDocs(request: unknown, context: PageContext): RawReply;
  getDocsAsset(request: AssetRequest, context: PageContext): Promise<RawReply>;
  getRedoc(request: unknown, context: PageContext): RawReply;
  getRedocAsset(request: AssetRequest, context: PageContext): Promise<RawReply>;
}

export function createPageHandlers(options: PageHandlersOptions): PageHandlers {
  const { document, title, pages = ['docs', 'redoc'], home, more } = options;
  /** Returns a function that writes a text of the current document, once for each document, and frees it with that. */
  const textOfDocument = (write: (current: OpenApiDocument) => Steps<TaggedBytes>) => {
    const texts = new WeakMap<OpenApiDocument, Promise<TaggedBytes>>();
    return (): Promise<TaggedBytes> => {
      const current = document();
      let text = texts.get(current);
      if (text === undefined) {
        text = runInSlices(write(current));
        texts.set(current, text);
      }
      return text;
    };
  };
  const readDocument = textOfDocument(tagJsonSteps);
  const readSamples = textOfDocument(createCodeSamplesSteps);

  const page = (name: PageName) => {
    // Created with the first request, so that a reload does not wait for it.
    let page: TaggedBytes | undefined;
    return (_request: unknown, { req }: PageContext) => {
      page ??= tagText(createPageHtml(name, { title, pages, home, more }), 'text/html; charset=utf-8');
      return replyTagged(page, req, pagePolicies[name]);
    };
  };
  const asset =
    (name: PageName) =>
    async (request: AssetRequest, { req }: PageContext) => {
      const { asset } = request.path;
      const found = name === 'redoc' && asset === codeSamplesFile ? readSamples() : readers[name](asset);
      if (found === undefined) throw new Problem('not_found', `The page /${name} has no file of that name.`);
      return replyTagged(await found, req);
    };

  return {
    async getOpenapiDocument(_request, { req }) {
      return replyTagged(await readDocument(), req);
    },
    getDocs: page('docs'),
    getDocsAsset: asset('docs'),
    getRedoc: page('redoc'),
    getRedocAsset: asset('redoc'),
  };
}

/** Shared by all configurations. */
const readers = { docs: createAssetReader(pageAssets.docs), redoc: createAssetReader(pageAssets.redoc) };
