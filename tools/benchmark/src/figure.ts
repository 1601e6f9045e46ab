/** Whether a figure meets its target; `not-run` where this machine lacks something it needs. */
export type State = 'pass' | 'fail' | 'not-run';

/** One measured figure with its target. */
export interface Figure {
  readonly name: string;
  /** For people: `≤ 20 ms`. */
  readonly target: string;
  /** The limit in `unit`, where the target is a maximum. */
  readonly max?: number;
  /** In `unit`; null when it was not measured. */
  readonly figure: number | null;
  readonly unit: string;
  readonly state: State;
  /** Details such as the spread, or why it was not run. */
  readonly note?: string;
}

/** The target of a figure: at most `max`, or at least `min`. */
export type Bound = ({ readonly max: number } | { readonly min: number }) & {
  readonly name: string;
  /** `ms`, `MB`, `requests`, or `×` for a ratio. */
  readonly unit: string;
};

/** Compares a measured value with its target. */
export function toFigure(bound: Bound, figure: number, note?: string): Figure {
  const { name, unit } = bound;
  const isPass = 'max' in bound ? figure <= bound.max : figure >= bound.min;
  const state = isPass ? 'pass' : 'fail';
  const max = 'max' in bound ? { max: bound.max } : {};
  return { name, target: targetOf(bound), ...max, figure, unit, state, ...(note === undefined ? {} : { note }) };
}

/** Compares the median of the ratios of all rounds with its target; the note is their range. */
export function ratioFigure(bound: Bound, ratios: readonly number[]): Figure {
  return toFigure(bound, median(ratios), spread(ratios));
}

/** Returns the figure of a benchmark that this machine cannot run. */
export function notRun(bound: Bound, note: string): Figure {
  const { name, unit } = bound;
  return { name, target: targetOf(bound), figure: null, unit, state: 'not-run', note };
}

/** Returns the figure of a benchmark that ended with an error. */
export function failedRun(name: string, note: string): Figure {
  return { name, target: 'a figure', figure: null, unit: '', state: 'fail', note };
}

function targetOf(bound: Bound): string {
  const isMax = 'max' in bound;
  return `${isMax ? '≤' : '≥'} ${Number((isMax ? bound.max : bound.min).toPrecision(3))} ${bound.unit}`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Returns the smallest value that `percent` percent of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Returns the range of the rounds as text, for the note of their median. */
export function spread(values: readonly number[]): string {
  return `${Math.min(...values).toPrecision(3)} to ${Math.max(...values).toPrecision(3)} in ${values.length} rounds`;
}
