import type { Registry } from 'prom-client';
import { type CompanyChanges, createCompanyChanges } from './company-changes.ts';
import { createReadMetrics, type ReadMetrics } from './read-metrics.ts';

/** What outlives every configuration of the reads that are shared: a write of the last one ends what this one keeps. */
export interface StandingReads {
  readonly changes: CompanyChanges;
  readonly metrics: ReadMetrics;
}

/** `clock`: milliseconds that never go back. */
export function createStandingReads(clock: () => number, registry: Registry): StandingReads {
  return { changes: createCompanyChanges(clock), metrics: createReadMetrics(registry) };
}
