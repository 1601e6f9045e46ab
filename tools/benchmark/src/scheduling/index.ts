import type { Benchmarks } from '../main.ts';
import { measureFilter } from './filter.ts';
import { measureList } from './list.ts';
import { measureListFromPostgres } from './list-postgres.ts';
import { measureSingle } from './single.ts';

/** By what each of them is about. */
export const schedulingBenchmarks = {
  list: measureList,
  'list-postgres': measureListFromPostgres,
  single: measureSingle,
  filter: measureFilter,
} as const satisfies Benchmarks;
