import type { Registry } from 'prom-client';
import { createTallyCounter, type Tally } from './tally-counter.ts';

/** Keys of configurations long gone keep their counts; this many are told apart. */
const keysKnownMax = 10_000;

/** Counts finished requests by the name of the key that was used and the status; never by the key itself. */
export function createKeyStatistics(registry: Registry): (name: string, status: number) => void {
  const counter = createTallyCounter({
    name: 'http_requests_by_key_total',
    help: 'Finished requests with a valid key, by the name of the key.',
    labelNames: ['key', 'status'],
    registers: [registry],
  });
  const known = new Map<string, Map<number, Tally>>();
  return (name, status) => {
    let byStatus = known.get(name);
    if (byStatus === undefined) {
      if (known.size >= keysKnownMax) return;
      byStatus = new Map();
      known.set(name, byStatus);
    }
    let count = byStatus.get(status);
    if (count === undefined) {
      count = counter.of({ key: name, status: String(status) });
      byStatus.set(status, count);
    }
    count.inc();
  };
}
