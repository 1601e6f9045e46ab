export { parseCacheControl, secondsOf, toPrivateCacheControl } from './cache-control.ts';
export { type CacheOutcome, withCacheStatus } from './cache-status.ts';
export { normalizeFields } from './fields.ts';
export { fillBuffer } from './fill-buffer.ts';
export { createResponseCache, type ResponseCache, type ResponseCacheOptions } from './response-cache.ts';
export type { CachedRequest, FetchReply } from './response-filler.ts';
export { leavingHeaders, type ReplyPolicy } from './stored-response.ts';
