export type { UpstreamResponse } from './exchange.ts';
export { type ForwardOptions, forward } from './forward.ts';
export { forwardRequestHeaders, forwardResponseHeaders } from './forwarded-headers.ts';
export {
  createUpstream,
  type SendOnce,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from './upstream.ts';
export { toUpstreamFault } from './upstream-fault.ts';
