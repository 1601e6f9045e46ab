import { type CacheDirectives, secondsOf } from './cache-control.ts';
import type { StoredResponse } from './cache-store.ts';

/** How a stored response may be used: fresh, stale, or stale with a validation in the background. */
export type Reuse = 'fresh' | 'stale' | 'while-revalidating';

/** Returns how a stored response may serve a request (RFC 9111 §4 and §5.2.1); undefined when it may not. */
export function reuseOf(stored: StoredResponse, wanted: CacheDirectives, nowMs: number): Reuse | undefined {
  const staleMs = nowMs - stored.freshUntilMs;
  if (wanted.size > 0 && !allows(stored, wanted, nowMs)) return undefined;
  if (staleMs < 0) return 'fresh';
  if (!stored.mayBeStale || wanted.has('min-fresh')) return undefined;
  if (staleMs <= maxStaleMs(wanted)) return 'stale';
  return staleMs < stored.staleWhileRevalidateMs ? 'while-revalidating' : undefined;
}

function allows({ bornMs, freshUntilMs }: StoredResponse, wanted: CacheDirectives, nowMs: number): boolean {
  if (isFreshWanted(wanted)) return false;
  const [maxAge, minFresh] = [secondsOf(wanted, 'max-age'), secondsOf(wanted, 'min-fresh')];
  if (maxAge !== undefined && nowMs - bornMs > maxAge * 1_000) return false;
  return minFresh === undefined || freshUntilMs - nowMs >= minFresh * 1_000;
}

/** Whether a request requires validation: reloading browsers send max-age=0. */
export function isFreshWanted(wanted: CacheDirectives): boolean {
  return wanted.size > 0 && (wanted.has('no-cache') || secondsOf(wanted, 'max-age') === 0);
}

function maxStaleMs(wanted: CacheDirectives): number {
  if (wanted.get('max-stale') === true) return Number.POSITIVE_INFINITY;
  return (secondsOf(wanted, 'max-stale') ?? -1) * 1_000;
}

/** Whether a stored response may replace a failure (RFC 5861 §4), for the time that response or request allow. */
export function mayReplaceFailure(stored: StoredResponse, wanted: CacheDirectives, nowMs: number): boolean {
  if (!stored.mayBeStale || isFreshWanted(wanted)) return false;
  const wantedMs = (secondsOf(wanted, 'stale-if-error') ?? 0) * 1_000;
  const windowMs = Math.max(stored.staleIfErrorMs, wantedMs);
  return windowMs > 0 && nowMs - stored.freshUntilMs <= windowMs;
}

/** Returns the remaining freshness in whole seconds; negative once the response is stale. */
export function ttlOf({ freshUntilMs }: StoredResponse, nowMs: number): number {
  return Math.floor((freshUntilMs - nowMs) / 1_000);
}
