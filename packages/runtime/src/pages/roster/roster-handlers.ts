import type { IncomingMessage } from 'node:http';
import type { OpenApiDocument, RawReply } from '../../contract/index.ts';
import { Problem } from '../../problem/index.ts';
import { createAssetReader } from '../asset-reader.ts';
import { keepText, replyKept } from '../kept-text.ts';
import { rosterAssets } from '../page-asset.ts';
import { createPagePolicy } from '../page-policy.ts';
import { createRosterHtml } from './roster-html.ts';

export interface RosterHandlersOptions {
  /** The contract as this server serves it: it tells what to sign in with, and whether a company is to be named. */
  readonly document: OpenApiDocument;
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
export function createRosterHandlers({ document }: RosterHandlersOptions): RosterHandlers {
  const page = keepText(createRosterHtml(document), 'text/html; charset=utf-8');
  return {
    getRosterPage(_request, { req }) {
      return replyKept(page, req, policy);
    },
    async getRosterAsset({ path }, { req }) {
      const asset = readAsset(path.asset);
      if (asset === undefined) throw new Problem('not_found', 'The roster page has no file of that name.');
      return replyKept(await asset, req);
    },
  };
}

const readAsset = createAssetReader(rosterAssets);

/** No form is ever sent but by the script. */
const policy = createPagePolicy();
