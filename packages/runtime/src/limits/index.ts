export { type AddressKeyOptions, addressKey, createAddressKey } from './address-key.ts';
export { FairTimer, type FairTimerOptions } from './fair-timer.ts';
export { type Hit, type HitState, type HitStore, isAdmittedBy, type Verdict } from './hit-store.ts';
export {
  createLimitCounts,
  type LimitCountSettings,
  type LimitCounts,
  type LimitCountsOptions,
  limitWindowMs,
  tellOfCounts,
} from './limit-counts.ts';
export { createLimitMetrics, type LimitDecision } from './limit-metrics.ts';
export { quotaExceeded } from './limit-policy.ts';
export { checkLimitSettings, type LimitSettings } from './limit-settings.ts';
export { createLimiter, type Limiter, type LimiterOptions, machineNow, monotonicNow } from './limiter.ts';
export { createMemoryHitStore } from './memory-hit-store.ts';
export { createProxyTrust, type IsTrustedProxy } from './proxy-trust.ts';
export {
  checkRedisUrl,
  createRedisConnection,
  createRedisScript,
  describeRedisError,
  type RedisConnection,
  type RedisScript,
} from './redis-connection.ts';
export { createRedisHitStore, type RedisHitStoreOptions } from './redis-hit-store.ts';
export { RemoteCountError, type RemoteCounter } from './remote-counter.ts';
export { createRemoteHitStore, type OnStoreFailure, type RemoteHitStoreOptions } from './remote-hit-store.ts';
export { SlidingWindow, type SlidingWindowOptions, type WindowSnapshot } from './sliding-window.ts';
