import { createTallyCounter } from '@rostergate/server/telemetry';
import { Gauge, type Registry } from 'prom-client';
import { type CompanyChanges, createCompanyChanges } from './company-changes.ts';
import type { StoredReplies } from './stored-replies.ts';

/** The state of reads that outlives configurations: writes, metrics and stored responses. */
export interface ReadState {
  readonly changes: CompanyChanges;
  readonly metrics: ReadMetrics;
  /**
   * Returns the stored responses of the current configuration when `key`, all that responses depend on, is the same,
   * and new ones otherwise. They are closed when the last configuration that uses them releases them.
   */
  lease(key: string, create: () => StoredReplies): LeasedReplies;
}

export interface LeasedReplies {
  readonly stored: StoredReplies;
  release(): void;
}

/** `clock`: monotonic milliseconds. */
export function createReadState(clock: () => number, registry: Registry): ReadState {
  let current: { readonly key: string; readonly stored: StoredReplies; users: number } | undefined;

  function lease(key: string, create: () => StoredReplies): LeasedReplies {
    const leased = current?.key === key ? current : { key, stored: create(), users: 0 };
    leased.users++;
    current = leased;
    return {
      stored: leased.stored,
      release() {
        leased.users--;
        if (leased.users > 0) return;
        leased.stored.close();
        if (current === leased) current = undefined;
      },
    };
  }

  return { changes: createCompanyChanges(clock), metrics: createReadMetrics(registry), lease };
}

/**
 * Where the response to a read came from: the proxy's store (`kept`), an identical read in flight (`shared`) or the
 * upstream (`sent`); `resumed`: sent again for a reader that fell too far behind.
 */
export type ReadOutcome = 'kept' | 'shared' | 'sent' | 'resumed';

export interface ReadMetrics {
  readonly count: (outcome: ReadOutcome) => void;
  /** The size of the stored responses has grown by `bytes`. */
  readonly grow: (bytes: number) => void;
}

function createReadMetrics(registry: Registry): ReadMetrics {
  const reads = createTallyCounter({
    name: 'upstream_reads_total',
    help: 'Reads by where their response came from: kept, shared with an identical one in flight, sent to the upstream, or sent again for a slow reader.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const storedBytes = new Gauge({
    name: 'upstream_reads_kept_bytes',
    help: 'Size of the stored responses in bytes.',
    registers: [registry],
  });
  const of = (outcome: ReadOutcome) => reads.of({ outcome });
  const counters = { kept: of('kept'), shared: of('shared'), sent: of('sent'), resumed: of('resumed') };
  return { count: (outcome) => counters[outcome].inc(), grow: (bytes) => storedBytes.inc(bytes) };
}
