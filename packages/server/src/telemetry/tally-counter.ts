import { Counter, type CounterConfiguration } from 'prom-client';

/** One series of a counter, for which an event costs one addition. */
export class Tally {
  /** Events that the counter does not include yet. */
  pending = 0;

  inc(): void {
    this.pending++;
  }
}

export interface TallyCounter<L extends string> {
  /** Returns a new series, which is shown at once. Call it once for each set of labels, and store the series. */
  of(labels: Readonly<Record<L, string>>): Tally;
  /** Drops a series. */
  remove(tally: Tally): void;
}

/** Returns a counter for the path of every request: it updates prom-client when metrics are read, not at each event. */
export function createTallyCounter<L extends string>(
  configuration: Omit<CounterConfiguration<L>, 'collect'>,
): TallyCounter<L> {
  const tallies = new Map<Tally, Readonly<Record<L, string>>>();
  const counter = new Counter<L>({
    ...configuration,
    collect() {
      for (const [tally, labels] of tallies) {
        if (tally.pending === 0) continue;
        this.inc(labels, tally.pending);
        tally.pending = 0;
      }
    },
  });
  return {
    of(labels) {
      const tally = new Tally();
      tallies.set(tally, labels);
      counter.inc(labels, 0);
      return tally;
    },
    remove(tally) {
      const labels = tallies.get(tally);
      if (labels === undefined) return;
      tallies.delete(tally);
      counter.remove(labels);
    },
  };
}
