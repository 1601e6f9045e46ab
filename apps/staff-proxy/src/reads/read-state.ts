import type { Registry } from 'prom-client';
import { type CompanyChanges, createCompanyChanges } from './company-changes.ts';
import type { KeptAnswers } from './stored-replies.ts';
import { createReadMetrics, type ReadMetrics } from './read-metrics.ts';

/** What outlives every configuration of the shared reads: a write of the last one ends what this one stores. */
export interface StandingReads {
  readonly changes: CompanyChanges;
  readonly metrics: ReadMetrics;
  /**
   * Returns the stored responses of the configuration in force when `key`, all that responses depend on, is the same,
   * and new ones otherwise. They are closed when the last configuration that uses them releases them.
   */
  lease(key: string, create: () => KeptAnswers): LeasedAnswers;
}

export interface LeasedAnswers {
  readonly kept: KeptAnswers;
  release(): void;
}

/** `clock`: milliseconds that never go back. */
export function createStandingReads(clock: () => number, registry: Registry): StandingReads {
  let current: { readonly key: string; readonly kept: KeptAnswers; users: number } | undefined;

  function lease(key: string, create: () => KeptAnswers): LeasedAnswers {
    const leased = current?.key === key ? current : { key, kept: create(), users: 0 };
    leased.users++;
    current = leased;
    return {
      kept: leased.kept,
      release() {
        leased.users--;
        if (leased.users > 0) return;
        leased.kept.close();
        if (current === leased) current = undefined;
      },
    };
  }

  return { changes: createCompanyChanges(clock), metrics: createReadMetrics(registry), lease };
}
