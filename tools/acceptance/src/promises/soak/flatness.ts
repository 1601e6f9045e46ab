import { median, percentile } from '../../../../benchmark/src/figure.ts';

/** The resources at one moment, and the response times since the previous sample. */
export interface Sample<Measure extends string = string> {
  readonly atMs: number;
  readonly held: Readonly<Record<Measure, number>>;
  readonly timesMs: readonly number[];
}

/** Returns the samples of the second quarter, after warm-up, and of the last. */
function quartersOf<S extends Sample>(samples: readonly S[]): { readonly early: S[]; readonly late: S[] } {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  return { early: part(0.25, 0.5), late: part(0.75, 1) };
}

/** Returns the growth of the minimum from the second quarter to the last. */
export function growthOf<M extends string>(samples: readonly Sample<M>[], measure: M): number {
  const { early, late } = quartersOf(samples);
  const least = (of: readonly Sample<M>[]) => Math.min(...of.map(({ held }) => held[measure]));
  return least(late) - least(early);
}

/**
 * Returns the growth from the start of the second quarter to the end by the trend of all samples: the median slope of
 * all pairs (Theil–Sen), which outliers do not change.
 */
export function trendOf<M extends string>(samples: readonly Sample<M>[], measure: M): number {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const slopes = warm.flatMap((one, i) =>
    warm.slice(i + 1).map((later) => (later.held[measure] - one.held[measure]) / (later.atMs - one.atMs)),
  );
  return median(slopes) * ((warm.at(-1)?.atMs ?? 0) - (warm[0]?.atMs ?? 0));
}

export interface Times {
  /** p99 of the second quarter and of the last, in milliseconds. */
  readonly earlyMs: number;
  readonly lateMs: number;
}

/** Returns the median p99 of each quarter, so that a stall of the machine does not count. */
export function p99sOf(samples: readonly Sample[]): Times {
  const { early, late } = quartersOf(samples);
  const p99 = (of: readonly Sample[]) => median(of.map(({ timesMs }) => percentile(timesMs, 99)));
  return { earlyMs: p99(early), lateMs: p99(late) };
}

/** Differences below this are noise. */
const noiseMs = 3;

/** Returns how much more the times have grown than those of a bare server. */
export function slowdownOf(times: Times, bare: Times): number {
  const slower = ({ earlyMs, lateMs }: Times) => Math.max(noiseMs, lateMs) / Math.max(noiseMs, earlyMs);
  // A bare server that has become faster does not count.
  return slower(times) / Math.max(1, slower(bare));
}
