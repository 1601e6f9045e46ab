import type { Benchmarks } from '../main.ts';
import { guardFilter } from './filter.ts';
import { guardForwarding } from './forwarding.ts';
import { guardGateway } from './gateway.ts';

/**
 * What a slip makes worse by half than it was, told within a minute on a machine that does other things as well: ratios of the
 * quietest rounds of one run, and counts. The promises themselves are for a quiet machine.
 */
export const guardBenchmarks = {
  gateway: guardGateway,
  forwarding: guardForwarding,
  filter: guardFilter,
} as const satisfies Benchmarks;
