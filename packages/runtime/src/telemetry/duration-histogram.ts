import type { Metric, Registry } from 'prom-client';
import type { Steps } from '../steps/index.ts';
import { labelText, type SteppedMetric } from './metrics-text.ts';

export interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in seconds, ascending. */
  readonly bounds: readonly number[];
  readonly registry: Registry;
}

/** One series of a histogram of durations: how many fell between two bounds, and their sum. */
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

  observe(seconds: number): void {
    let at = 0;
    while (at < this.#bounds.length && seconds > (this.#bounds[at] as number)) at++;
    (this.counts[at] as number)++;
    this.sumSeconds += seconds;
  }
}

export interface DurationHistogram<L extends string> {
  /** A series of its own, to be kept: each set of labels is asked for once. */
  of(labels: Readonly<Record<L, string>>): DurationSeries;
  remove(series: DurationSeries): void;
}

/** A histogram for what happens with every request: what prom-client looks up at each observation is kept by who observes. */
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

  /** As prom-client writes them: cumulative buckets, the sum, the count. */
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

  /** The same figures as text: there may be hundreds of thousands, and the labels are written once a series. */
  function* writeSteps(write: (text: string) => void): Steps<void> {
    write(`# HELP ${name} ${help}\n# TYPE ${name} histogram`);
    for (const { labels, counts, sumSeconds } of known) {
      const written = labelText(labels);
      let count = 0;
      for (let at = 0; at < counts.length; at++) {
        count += counts[at] as number;
        write(`\n${name}_bucket{le="${bounds[at] ?? '+Inf'}",${written}} ${count}`);
      }
      write(`\n${name}_sum{${written}} ${sumSeconds}\n${name}_count{${written}} ${count}`);
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
