import type { HitStore } from './hit-store.ts';
import { createRedisCounter, type RedisCounterOptions } from './redis-counter.ts';
import { createRemoteHitStore, type RemoteHitStoreOptions } from './remote-hit-store.ts';

export interface RedisHitStoreOptions extends RedisCounterOptions, Omit<RemoteHitStoreOptions, 'counter'> {}

/** Counts in Redis, for all processes and machines that share it and the prefix. Begins to connect at once. */
export function createRedisHitStore({ url, prefix, ...options }: RedisHitStoreOptions): HitStore {
  const counter = createRedisCounter({ url, prefix, windowMs: options.windowMs });
  return createRemoteHitStore({ ...options, counter });
}
