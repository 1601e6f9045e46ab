import type { Benchmarks } from '../main.ts';
import { measureAddedTime } from './added-time.ts';
import { measureForward } from './forward.ts';

/** By what each of them is about. */
export const proxyBenchmarks = {
  forward: measureForward,
  'added-time': measureAddedTime,
} as const satisfies Benchmarks;
