import type { DependencyStatus } from '../lifecycle/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { HitStore } from './hit-store.ts';
import { createMemoryHitStore } from './memory-hit-store.ts';
import { createRedisHitStore } from './redis-hit-store.ts';
import type { OnStoreFailure } from './remote-hit-store.ts';

/** The settings that say where hits are counted. */
export interface LimitCountSettings {
  readonly rate_limit_enabled: boolean;
  /** Empty where they are counted in memory. */
  readonly redis_url: string;
  readonly redis_prefix: string;
  readonly rate_limit_on_store_failure: OnStoreFailure;
}

export interface LimitCountsOptions {
  readonly settings: LimitCountSettings;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** Makes what counts while no Redis is named, by itself this process's memory. It is closed when another place counts. */
  readonly createMemory?: () => HitStore;
  /** Called when the place where hits are counted goes away and when it is back. */
  readonly onChange: (status: DependencyStatus) => void;
}

/** The counts of all generations: which place they are in can change with the settings, and they outlive every reload. */
export interface LimitCounts extends HitStore {
  /** Counts where these settings say, from now on; as long as they say the same, nothing is forgotten. */
  use(settings: LimitCountSettings): void;
}

/** Counts in memory, or in Redis when `redis_url` names one. Begins to connect at once and does not wait for it. */
export function createLimitCounts(options: LimitCountsOptions): LimitCounts {
  let used = options.settings;
  let store = createStore(used, options);
  return {
    windowMs: limitWindowMs,
    hit: (hit) => store.hit(hit),
    opened: () => store.opened(),
    status: () => (used.rate_limit_enabled ? store.status() : { status: 'ready', enabled: false }),
    close: () => store.close(),
    use(next) {
      const isSamePlace = placeOf(next) === placeOf(used);
      used = next;
      if (isSamePlace) return;
      const former = store;
      store = createStore(next, options);
      void former.close();
    },
  };
}

/** Logs that the counts have gone to another place than the settings say, or are back. */
export function tellOfCounts(log: Telemetry['log'], status: DependencyStatus): void {
  if (status.status === 'ready') log.info(status, 'limits are counted in redis again');
  else log.warn(status, 'limits are not counted in redis');
}

/** Every limit is so many requests in any minute. */
export const limitWindowMs = 60_000;

function createStore(settings: LimitCountSettings, { clock, createMemory, onChange }: LimitCountsOptions): HitStore {
  if (!isRedisUsed(settings)) return createMemory?.() ?? createMemoryHitStore({ windowMs: limitWindowMs, clock });
  return createRedisHitStore({
    url: settings.redis_url,
    prefix: settings.redis_prefix,
    windowMs: limitWindowMs,
    clock,
    onFailure: settings.rate_limit_on_store_failure,
    onChange,
  });
}

function isRedisUsed({ redis_url, rate_limit_enabled }: LimitCountSettings): boolean {
  return redis_url !== '' && rate_limit_enabled;
}

function placeOf(settings: LimitCountSettings): string {
  if (!isRedisUsed(settings)) return 'memory';
  return JSON.stringify([settings.redis_url, settings.redis_prefix, settings.rate_limit_on_store_failure]);
}
