import type { Reply } from '@rostergate/server';
import { pseudonym } from '../upstream/proxy-status.ts';
import { textOf } from './fields.ts';

/** How the cache handled a request. */
export interface CacheOutcome {
  /**
   * `hit`: a fresh stored response, or one that a concurrent request has stored. `stale`: a stored response that is no
   * longer fresh. `revalidated`: one that the upstream confirmed. `bypass`: the cache could not be used.
   */
  readonly result: 'hit' | 'stale' | 'revalidated' | 'miss' | 'bypass';
  /** The remaining freshness of a stored response; negative once it is stale. */
  readonly ttlSeconds?: number | undefined;
  /** Why the request was forwarded (RFC 9211 §2.2); undefined when it was not. */
  readonly fwd?: 'bypass' | 'request' | 'uri-miss' | 'vary-miss' | 'stale' | undefined;
  /** The status of the upstream's response. */
  readonly fwdStatus?: number | undefined;
  readonly isStored?: boolean | undefined;
  /** It waited for a concurrent request. */
  readonly isCollapsed?: boolean | undefined;
}

/** Returns the reply with this cache's entry in `Cache-Status`, after those of caches nearer to the origin. */
export function withCacheStatus(reply: Reply, outcome: CacheOutcome): Reply {
  const { headers = {} } = reply;
  const before = textOf(headers, name);
  const own = describe(outcome);
  return { ...reply, headers: { ...headers, [name]: before === undefined ? own : `${before}, ${own}` } };
}

const name = 'Cache-Status';

function describe({ ttlSeconds, fwd, fwdStatus, isStored, isCollapsed }: CacheOutcome): string {
  let text = fwd === undefined ? `${pseudonym}; hit` : `${pseudonym}; fwd=${fwd}`;
  if (fwdStatus !== undefined) text += `; fwd-status=${fwdStatus}`;
  if (ttlSeconds !== undefined) text += `; ttl=${ttlSeconds}`;
  if (isStored) text += '; stored';
  if (isCollapsed) text += '; collapsed';
  return text;
}
