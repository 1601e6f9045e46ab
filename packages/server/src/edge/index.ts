export { entityTagsIn, securityHeaders } from '../contract/reply-headers.ts';
export { createAddressList } from './address-list.ts';
export { compressRepeated, observeCompressed } from './compress.ts';
export { type Cors, type CorsSettings, checkEdgeSettings, corsOf, createCors, findCorsFault } from './cors.ts';
export { applyTimeouts, type TimeoutSettings, type Timeouts, timeoutsOf } from './timeouts.ts';
export { findTlsPairFault, type TlsPair, type TlsPairFault } from './tls-pair.ts';
