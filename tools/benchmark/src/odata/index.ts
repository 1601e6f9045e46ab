import type { Benchmarks } from '../main.ts';
import { measureFilter } from './filter.ts';
import { measureHostile } from './hostile.ts';

/** By what each of them is about. */
export const odataBenchmarks = {
  filter: measureFilter,
  hostile: measureHostile,
} as const satisfies Benchmarks;
