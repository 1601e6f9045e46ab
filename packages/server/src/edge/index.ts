export { entityTagsIn, securityHeaders } from '../contract/reply-headers.ts';
export { compressRepeated, observeCompressed } from './compress.ts';
export { type CorsSettings, checkEdgeSettings, corsOf, findCorsFault } from './cors.ts';
export { applyTimeouts, type TimeoutSettings, type Timeouts, timeoutsOf } from './timeouts.ts';
export { findTlsPairFault, type TlsPair, type TlsPairFault } from './tls-pair.ts';
