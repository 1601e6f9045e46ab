export { type Cors, type CorsFault, type CorsOptions, createCors, findCorsFault } from './cors.ts';
export { type CorsSettings, checkEdgeSettings, corsOf, type TimeoutSettings, timeoutsOf } from './edge-settings.ts';
export { securityHeaders } from './security-headers.ts';
export { applyTimeouts, defaultTimeouts, type Timeouts } from './timeouts.ts';
export { findTlsPairFault, type TlsPair, type TlsPairFault } from './tls-pair.ts';
