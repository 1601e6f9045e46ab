export type { ClientTls } from './connector.ts';
export { wholeBodyOf } from './exchange.ts';
export { type ForwardOptions, forward, type SizedBody } from './forward.ts';
export { createSentHeaderReader } from './forwarded-origin.ts';
export type { HealthCheck } from './health-checks.ts';
export { createAddressRewriter, type ForwardedAddresses, type RewriteAddresses } from './public-address.ts';
export { createPathReader, createPathWriter, isUnsafeSegment, type PathTexts, rawQueryOf } from './request-path.ts';
export {
  createClientCredentialsRequest,
  createLoginFieldsRequest,
  type TokenRequest,
} from './token-request.ts';
export { type OpenableBody, parseTarget, type RequestBody, type SendOnce, type UpstreamRequest } from './upstream.ts';
export { badHandshake, type FaultReason, requestCancelled, responseTooLate, UpstreamFault } from './upstream-fault.ts';
export {
  createUpstreamRegistry,
  type UpstreamGroup,
  type UpstreamLease,
  type UpstreamRegistry,
  type UpstreamRegistryOptions,
  type UpstreamStatus,
} from './upstream-registry.ts';
export { discard, type OnInterim, readRetryAfter, type UpstreamResponse } from './upstream-response.ts';
export {
  createUpstreamSession,
  type LoginOutcome,
  type SessionState,
  type UpstreamSession,
  type UpstreamToken,
} from './upstream-session.ts';
export { waitUntil } from './wait-until.ts';
