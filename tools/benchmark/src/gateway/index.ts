import type { Benchmarks } from '../main.ts';
import { measureGatewayForward } from './forward.ts';
import { measureLocal } from './local.ts';
import { measureLookup } from './lookup.ts';
import { measureMemory } from './memory.ts';
import { measureRedis } from './redis.ts';
import { measureReload } from './reload.ts';
import { measureStart } from './start.ts';
import { measureWorkers } from './workers.ts';

/** By what each of them is about. */
export const gatewayBenchmarks = {
  local: measureLocal,
  lookup: measureLookup,
  forward: measureGatewayForward,
  workers: measureWorkers,
  redis: measureRedis,
  reload: measureReload,
  start: measureStart,
  memory: measureMemory,
} as const satisfies Benchmarks;
