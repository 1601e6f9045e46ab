import type { IncomingMessage } from 'node:http';
import type { OpenApiDocument, RawReply } from '../../contract/index.ts';
import { Problem } from '../../problem/index.ts';
import { createAssetReader } from '../asset-reader.ts';
import { keepText, replyKept } from '../kept-text.ts';
import { rosterAssets } from '../page-asset.ts';
import { createPagePolicy } from '../page-shell.ts';
import { createRosterHtml } from './roster-html.ts';

export interface RosterHandlersOptions {
  /** The contract of this server, which determines the fields of the sign-in form. */
  readonly document: OpenApiDocument;
}

interface Asking {
  readonly req: Pick<IncomingMessage, 'headers'>;
}

/** Handlers of the roster page and its files. */
export interface RosterHandlers {
  getRosterPage(request: unknown, context: Asking): RawReply;
  getRosterAsset(request: { readonly path: { readonly asset: string } }, context: Asking): Promise<RawReply>;
}

/** Returns the handlers of the roster page of a staff server. The page contains no data; scripts load it after sign-in. */
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

const policy = createPagePolicy();
