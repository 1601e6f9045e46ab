export { parseCacheControl, secondsOf, toPrivateCacheControl } from './cache-control.ts';
export { fillBuffer } from './fill-buffer.ts';
export {
  type CachedRequest,
  createResponseCache,
  type FetchReply,
  type ResponseCache,
  type ResponseCacheOptions,
} from './response-cache.ts';
export { leavingHeaders } from './stored-response.ts';
