import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '@rostergate/server';
import type { CacheDirectives } from './cache-control.ts';
import type { CacheKey } from './cache-store.ts';
import type { ReplyPolicy } from './stored-response.ts';
import type { SelectingHeader, SentHeader } from './vary.ts';

/** A GET or HEAD as the cache sees it. */
export interface CachedRequest extends CacheKey, ReplyPolicy {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The request headers that are sent upstream, which Vary refers to. */
  readonly sent: SentHeader;
  /** Whether an error means that this caller has left. */
  readonly isGone: (error: unknown) => boolean;
  /** Whether the caller has left or the call was aborted: the response may then be incomplete. */
  readonly hasLeft: () => boolean;
  /** Prevents dependencies of the fetch from closing after the response; returns the function that releases them. */
  readonly hold: () => () => void;
  /** The maximum time of reuse. */
  readonly secondsMax: number;
}

/** Fetches the response, with conditions in place of the caller's; undefined forwards those of the caller. */
export type FetchReply = (conditions: Readonly<Record<string, string>> | undefined) => Reply | Promise<Reply>;

/** The outcome of a shared fetch. `stored`: a fresh response is stored for requests that match it. */
export type FetchOutcome = 'stored' | 'unstored' | 'gone' | { readonly error: unknown };

/** One fetch for a request, until its response is stored or returned. */
export interface Fill {
  readonly request: CachedRequest;
  readonly key: string;
  readonly selecting: SelectingHeader;
  readonly fetchKey: string;
  readonly wanted: CacheDirectives;
  readonly report: (outcome: FetchOutcome) => void;
  /** The URI was invalidated during the fetch: the response may be older than the change. */
  isOutdated: boolean;
}
