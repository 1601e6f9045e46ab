import { Counter, type CounterConfiguration, type Metric, type Registry } from 'prom-client';
import type { Steps } from '../steps.ts';
import type { SteppedMetric } from './metrics-registry.ts';

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

export interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in seconds, ascending. */
  readonly bounds: readonly number[];
  readonly registry: Registry;
}

/** One series of a histogram of durations: the observations in each bucket, and their sum. */
export class DurationSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly counts: Float64Array;
  sumSeconds = 0;
  readonly #bounds: readonly number[];

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** Records a duration; returns the index of its bucket. */
  observe(seconds: number): number {
    let bucket = 0;
    while (bucket < this.#bounds.length && seconds > (this.#bounds[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.sumSeconds += seconds;
    return bucket;
  }
}

export interface DurationHistogram<L extends string> {
  /** Returns a new series. Call it once for each set of labels, and store the series. */
  of(labels: Readonly<Record<L, string>>): DurationSeries;
  remove(series: DurationSeries): void;
}

/**
 * Returns a histogram for the path of every request: the caller stores its series, which prom-client looks up each
 * time.
 */
export function createDurationHistogram<L extends string>(options: DurationHistogramOptions): DurationHistogram<L> {
  const { name, help, bounds, registry } = options;
  const known = new Set<DurationSeries>();
  const metric = {
    name,
    async get() {
      return { name, help, type: 'histogram', aggregator: 'sum', values: [...known].flatMap(valuesOf) };
    },
    reset: () => known.clear(),
    writeSteps,
  } satisfies SteppedMetric & Record<string, unknown>;

  /** Returns the values in the order of prom-client: cumulative buckets, the sum, the count. */
  function valuesOf({ labels, counts, sumSeconds }: DurationSeries) {
    let count = 0;
    const buckets = Array.from(counts, (inBucket, at) => {
      count += inBucket;
      return { labels: { le: bounds[at] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: sumSeconds, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }

  /**
   * Writes the same values as text. There may be hundreds of thousands, so labels are formatted once for each series.
   */
  function* writeSteps(write: (text: string) => void): Steps<void> {
    write(`# HELP ${name} ${help}\n# TYPE ${name} histogram`);
    for (const { labels, counts, sumSeconds } of known) {
      const formatted = formatLabels(labels);
      let count = 0;
      for (let at = 0; at < counts.length; at++) {
        count += counts[at] as number;
        write(`\n${name}_bucket{le="${bounds[at] ?? '+Inf'}",${formatted}} ${count}`);
      }
      write(`\n${name}_sum{${formatted}} ${sumSeconds}\n${name}_count{${formatted}} ${count}`);
      yield;
    }
  }

  registry.registerMetric(metric as unknown as Metric);
  return {
    of(labels) {
      const series = new DurationSeries(labels, bounds);
      known.add(series);
      return series;
    },
    remove(series) {
      known.delete(series);
    },
  };
}

/** Returns the text between the braces. */
function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\\n"]/g, escapeCharacter)}"`)
    .join(',');
}

const escapeCharacter = (character: string) => (character === '\n' ? '\\n' : `\\${character}`);
