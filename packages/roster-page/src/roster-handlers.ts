import type { IncomingMessage } from 'node:http';
import { createAssetReader, createPagePolicy, replyTagged, tagText } from '@rostergate/pages';
import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { panelAssets, rosterAssets } from './roster-assets.ts';
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
  const page = tagText(createRosterHtml(document), 'text/html; charset=utf-8');
  return {
    getRosterPage(_request, { req }) {
      return replyTagged(page, req, policy);
    },
    async getRosterAsset({ path }, { req }) {
      const asset = readAsset(path.asset);
      if (asset === undefined) throw new Problem('not_found', 'The roster page has no file of that name.');
      return replyTagged(await asset, req);
    },
  };
}

const readAsset = createAssetReader({ ...rosterAssets, ...panelAssets });

const policy = createPagePolicy();
