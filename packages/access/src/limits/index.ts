export { addressKey, createAddressKey, createClientAddress } from './address-key.ts';
export { machineNow, monotonicNow, PauseTolerantTimer } from './clock.ts';
export {
  type ConfiguredHitStore,
  type ConfiguredHitStoreOptions,
  checkLimitSettings,
  createConfiguredHitStore,
  limitWindowMs,
  logHitStoreStatus,
} from './configured-hit-store.ts';
export { segmentFiles } from './hit-segment.ts';
export { type Hit, type HitStore, type HitWindow, isAdmittedBy, type Verdict } from './hit-store.ts';
export { createLimitMetrics, type LimitDecision } from './limit-metrics.ts';
export { describeWindow, type LimitUse, quotaExceeded } from './limit-policy.ts';
export { createLimiter, type Limiter, type OwnerUses } from './limiter.ts';
export { periodEndAfter } from './period.ts';
export { describePlan, type Plan, type PlanLimit, type PlanQuota, type PlanSettings } from './plan.ts';
export {
  createRedisConnection,
  createRedisScript,
  describeRedisError,
  type RedisConnection,
  type RedisScript,
} from './redis-connection.ts';
export { createRedisHitStore } from './redis-hit-store.ts';
export type { HitLogSnapshot, SharedHitLogOptions } from './shared-hit-log.ts';
export { createSharedHitLog } from './shared-hit-log.ts';
export { createMemoryHitStore, SlidingWindow, type WindowSnapshot } from './sliding-window.ts';
