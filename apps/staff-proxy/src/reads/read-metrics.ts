import { createTallyCounter } from '@rostergate/runtime/telemetry';
import { Gauge, type Registry } from 'prom-client';

/**
 * Where the answer to a read came from: `kept` by the proxy, `shared` with whoever asked first, or `sent` for. `resumed`:
 * sent for once more, for a reader who had fallen too far behind the others.
 */
export type ReadOutcome = 'kept' | 'shared' | 'sent' | 'resumed';

export interface ReadMetrics {
  readonly count: (outcome: ReadOutcome) => void;
  /** Kept answers weigh so many bytes more. */
  readonly grow: (bytes: number) => void;
}

export function createReadMetrics(registry: Registry): ReadMetrics {
  const reads = createTallyCounter({
    name: 'upstream_reads_total',
    help: 'Reads by where their answer came from: kept, shared with an identical one in flight, sent to the upstream, or sent once more for a slow reader.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const keptBytes = new Gauge({
    name: 'upstream_reads_kept_bytes',
    help: 'What kept answers weigh.',
    registers: [registry],
  });
  const of = (outcome: ReadOutcome) => reads.of({ outcome });
  const counters = { kept: of('kept'), shared: of('shared'), sent: of('sent'), resumed: of('resumed') };
  return { count: (outcome) => counters[outcome].inc(), grow: (bytes) => keptBytes.inc(bytes) };
}
