import { median, percentile } from '../../../../benchmark/src/figure.ts';

/** What is seen at one moment, and how answers went since the moment before. */
export interface Sample<Measure extends string = string> {
  readonly atMs: number;
  readonly held: Readonly<Record<Measure, number>>;
  readonly timesMs: readonly number[];
}

/** The second quarter, when all is warm, and the last. */
function quartersOf<S extends Sample>(samples: readonly S[]): { readonly early: S[]; readonly late: S[] } {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  return { early: part(0.25, 0.5), late: part(0.75, 1) };
}

/** How much more is held at the least in the last quarter than in the second. */
export function growthOf<M extends string>(samples: readonly Sample<M>[], measure: M): number {
  const { early, late } = quartersOf(samples);
  const least = (of: readonly Sample<M>[]) => Math.min(...of.map(({ held }) => held[measure]));
  return least(late) - least(early);
}

/**
 * How much more is held at the end than at the second quarter's beginning, as the trend of all samples has it: the
 * median of the slopes between any two (Theil–Sen), which no single one can bend.
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

/** The median over the samples of a quarter, so that a moment in which the machine stood still does not count. */
export function p99sOf(samples: readonly Sample[]): Times {
  const { early, late } = quartersOf(samples);
  const p99 = (of: readonly Sample[]) => median(of.map(({ timesMs }) => percentile(timesMs, 99)));
  return { earlyMs: p99(early), lateMs: p99(late) };
}

/** Below it, what one is above another is chance. */
const chanceMs = 3;

/** How much slower it has become than a bare server beside it has. */
export function slowdownOf(times: Times, bare: Times): number {
  const slower = ({ earlyMs, lateMs }: Times) => Math.max(chanceMs, lateMs) / Math.max(chanceMs, earlyMs);
  // One that has become faster makes nobody slow.
  return slower(times) / Math.max(1, slower(bare));
}
