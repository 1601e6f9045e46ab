import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../contract/index.ts';
import type { CacheDirectives } from './cache-control.ts';
import type { CacheKey, SelectingHeader, SentHeader } from './cache-store.ts';
import type { ReplyPolicy } from './stored-response.ts';

/** A GET or HEAD as the cache sees it. */
export interface CachedRequest extends CacheKey, ReplyPolicy {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** What Vary is matched against: request headers as they are sent upstream. */
  readonly sent: SentHeader;
  /** Whether an error only says that this caller has left. */
  readonly isGone: (error: unknown) => boolean;
  /** Whether the caller has left or the call was aborted: the response may be incomplete then. */
  readonly hasLeft: () => boolean;
  /** Keeps what the fetch needs from being closed after the response, until the function that this returns is called. */
  readonly hold: () => () => void;
  /** The longest that any response is reused. */
  readonly secondsMax: number;
}

/** Fetches the response, with conditions in place of the caller's; undefined leaves the caller's as they are. */
export type FetchReply = (conditions: Readonly<Record<string, string>> | undefined) => Reply | Promise<Reply>;

/** How the request that fetched for others ended. `stored`: a fresh response is there for those it suits. */
export type Landing = 'stored' | 'unstored' | 'gone' | { readonly error: unknown };

/** One fetch for a request, until its response is stored or passed on. */
export interface Fill {
  readonly request: CachedRequest;
  readonly key: string;
  readonly selecting: SelectingHeader;
  readonly flightKey: string;
  readonly wanted: CacheDirectives;
  readonly land: (landing: Landing) => void;
  /** The URI was invalidated meanwhile: the response may be older than the change. */
  isOutdated: boolean;
}
