import type { DependencyStatus } from '@rostergate/server/lifecycle';
import type { Telemetry } from '@rostergate/server/telemetry';
import type { z } from 'zod';
import { createAddressKey } from './address-key.ts';
import type { HitStore } from './hit-store.ts';
import { checkPlanSettings, type PlanSettings } from './plan.ts';
import { parseRedisAddress } from './redis-address.ts';
import { createRedisHitStore } from './redis-hit-store.ts';
import type { OnStoreFailure } from './remote-hit-store.ts';
import { createMemoryHitStore } from './sliding-window.ts';

/** The settings that choose the hit store. */
export interface HitStoreSettings {
  readonly rate_limit_enabled: boolean;
  /** Empty to count in memory. */
  readonly redis_url: string;
  readonly redis_prefix: string;
  readonly rate_limit_on_store_failure: OnStoreFailure;
}

export interface ConfiguredHitStoreOptions {
  readonly settings: HitStoreSettings;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** Creates the store that counts in memory; by default in this process alone. */
  readonly createMemory?: () => HitStore;
  /** Called when the configured store becomes unavailable, and when it is available again. */
  readonly onChange: (status: DependencyStatus) => void;
}

/** The hit store that the settings choose. It outlives every reload, and so do its counts unless the store changes. */
export interface ConfiguredHitStore extends HitStore {
  /** Switches to the store of these settings, if it is another one, when its state is known, and closes the former. */
  use(settings: HitStoreSettings): void;
}

/** Returns a store that counts in memory, or in Redis when `redis_url` names one. Starts to connect without waiting. */
export function createConfiguredHitStore(options: ConfiguredHitStoreOptions): ConfiguredHitStore {
  let settings = options.settings;
  let store = createStore(settings, options);
  /** Decides hits: the former store until it is known whether `store` is reachable. */
  let deciding = store;
  let decidingId = storeIdOf(settings);
  /** Former stores that may have to decide a last hit. */
  const retired = new Set<HitStore>();

  function retire(former: HitStore): void {
    retired.add(former);
    setTimeout(() => {
      if (retired.delete(former)) void former.close();
    }, retiredMs).unref();
  }

  return {
    windowMs: limitWindowMs,
    hit: (hit) => deciding.hit(hit),
    opened: () => store.opened(),
    status: () => (settings.rate_limit_enabled ? store.status() : { status: 'ready', enabled: false }),
    async close() {
      const open = new Set([store, deciding, ...retired]);
      retired.clear();
      await Promise.all([...open].map((one) => one.close()));
    },
    use(next) {
      const id = storeIdOf(next);
      const isSameStore = id === storeIdOf(settings);
      settings = next;
      if (isSameStore) return;
      // A store that did not decide yet has no hits.
      if (store !== deciding) void store.close();
      if (id === decidingId) {
        store = deciding;
        return;
      }
      const opening = createStore(next, options);
      store = opening;
      void (opening.known?.() ?? opening.opened()).then(() => {
        if (store !== opening) return;
        retire(deciding);
        deciding = opening;
        decidingId = id;
      });
    },
  };
}

/** Logs that the configured store is unavailable, or available again. */
export function logHitStoreStatus(log: Telemetry['log'], status: DependencyStatus): void {
  if (status.status === 'ready') log.info(status, 'limits are counted in redis again');
  else log.warn(status, 'limits are not counted in redis');
}

/** The window of every limit. */
export const limitWindowMs = 60_000;

/** Longer than a hit waits for its verdict. */
const retiredMs = 500;

function createStore(
  settings: HitStoreSettings,
  { clock, createMemory, onChange }: ConfiguredHitStoreOptions,
): HitStore {
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

function isRedisUsed({ redis_url, rate_limit_enabled }: HitStoreSettings): boolean {
  return redis_url !== '' && rate_limit_enabled;
}

function storeIdOf(settings: HitStoreSettings): string {
  if (!isRedisUsed(settings)) return 'memory';
  return JSON.stringify([settings.redis_url, settings.redis_prefix, settings.rate_limit_on_store_failure]);
}

/** Reports trusted proxies, a Redis URL and plans that are invalid, which the schema of the settings cannot express. */
export function checkLimitSettings(
  settings:
    | Partial<Readonly<{ trusted_proxies: readonly string[]; redis_url: string } & PlanSettings>>
    | null
    | undefined,
  context: z.core.$RefinementCtx,
): void {
  const check = (path: (string | number)[], input: unknown, parse: () => void) => {
    try {
      parse();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue({ code: 'custom', path, input, message: error.message });
    }
  };
  const { trusted_proxies: proxies, redis_url: url } = settings ?? {};
  if (Array.isArray(proxies)) {
    proxies.forEach((entry: unknown, i) => {
      if (typeof entry !== 'string') return;
      check(['trusted_proxies', i], entry, () => createAddressKey({ trustedProxies: [entry] }));
    });
  }
  if (typeof url === 'string' && url !== '') check(['redis_url'], url, () => parseRedisAddress(url));
  checkPlanSettings(settings ?? {}, (path, message) => context.addIssue({ code: 'custom', path, message }));
}
