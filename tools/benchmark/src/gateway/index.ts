import type { Benchmarks } from '../main.ts';
import { measureLookup } from './lookup.ts';
import { measureMemory } from './memory.ts';
import { measureReload } from './reload.ts';
import { measureStart } from './start.ts';

/** By what each of them is about. */
export const gatewayBenchmarks = {
  reload: measureReload,
  start: measureStart,
  memory: measureMemory,
  lookup: measureLookup,
} as const satisfies Benchmarks;
