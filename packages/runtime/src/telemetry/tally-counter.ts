import { Counter, type CounterConfiguration } from 'prom-client';

/** One series of a counter: an event is an addition. */
export class Tally {
  /** What the counter has not been told yet. */
  pending = 0;

  inc(): void {
    this.pending++;
  }
}

export interface TallyCounter<L extends string> {
  /** The series with these labels, which shows from now on. To be kept: making one costs a look-up. */
  of(labels: Readonly<Record<L, string>>): Tally;
  /** Drops a series. */
  remove(tally: Tally): void;
}

/** A counter for what happens with every request: prom-client looks up the series at each event, this when it is read. */
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
