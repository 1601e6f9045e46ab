export { parseCacheControl, secondsOf, toPrivateCacheControl } from './cache-control.ts';
export type { CachedRequest, FetchReply } from './cached-request.ts';
export { fillBuffer } from './fill-buffer.ts';
export { normalizeFields } from './reply-fields.ts';
export { createResponseCache, type ResponseCache, type ResponseCacheOptions } from './response-cache.ts';
export { leavingHeaders, type ReplyPolicy } from './stored-response.ts';
