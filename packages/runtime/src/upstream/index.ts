export { wholeBodyOf } from './arriving-response.ts';
export { type BalancedTarget, type BalanceOptions, balance } from './balance.ts';
export { type Breaker, type BreakerOptions, type BreakerState, createBreaker } from './breaker.ts';
export { type DeadlineOptions, withDeadline } from './deadline.ts';
export { DeadlineQueue, type Due } from './deadline-queue.ts';
export { discard } from './discard.ts';
export type { OnInterim, UpstreamResponse } from './exchange.ts';
export { type ForwardOptions, forward, type SizedBody } from './forward.ts';
export { forwardRequestHeaders, forwardResponseHeaders } from './forwarded-headers.ts';
export { createSentHeaderReader } from './forwarded-origin.ts';
export { createAddressRewriter, type ForwardedAddresses, type RewriteAddresses } from './public-address.ts';
export { canSendAgain, type OpenableBody, type RequestBody } from './request-body.ts';
export { createPathReader, createPathWriter, isUnsafeSegment, type PathTexts, rawQueryOf } from './request-path.ts';
export { type RetryOptions, withRetries } from './retries.ts';
export { readRetryAfter } from './retry-after.ts';
export { createRetryBudget, type RetryBudget, type RetryBudgetOptions } from './retry-budget.ts';
export { isIdempotent } from './retry-decision.ts';
export { createTarget, type Target, type TargetOptions, type TargetOutcome } from './target.ts';
export {
  createUpstream,
  type SendOnce,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from './upstream.ts';
export { answerTooLate, callerGone, type FaultReason, toUpstreamFault, UpstreamFault } from './upstream-fault.ts';
export {
  createUpstreamRegistry,
  parseTarget,
  type UpstreamGroup,
  type UpstreamLease,
  type UpstreamRegistry,
  type UpstreamRegistryOptions,
  type UpstreamStatus,
} from './upstream-registry.ts';
