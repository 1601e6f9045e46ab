/** Whether a promise was kept in this run; `not-run` where something it needs is not on this machine. */
export type State = 'held' | 'short' | 'not-run';

/** One measured figure beside what it has to keep to. */
export interface Figure {
  readonly name: string;
  /** For people: `≤ 20 ms`. */
  readonly target: string;
  /** The most that it may be, in `unit`, where the target is one. */
  readonly max?: number;
  /** In `unit`; null when it was not measured. */
  readonly figure: number | null;
  readonly unit: string;
  readonly state: State;
  /** What else is worth knowing, such as the spread, or why it was not run. */
  readonly note?: string;
}

/** What a figure has to keep to: not above `max`, or not below `min`. */
export type Bound = ({ readonly max: number } | { readonly min: number }) & {
  readonly name: string;
  /** `ms`, `MB`, `requests`, or `×` for a ratio. */
  readonly unit: string;
};

/** Holds what was measured against its bound. */
export function judge(bound: Bound, figure: number, note?: string): Figure {
  const { name, unit } = bound;
  const isHeld = 'max' in bound ? figure <= bound.max : figure >= bound.min;
  const state = isHeld ? 'held' : 'short';
  const max = 'max' in bound ? { max: bound.max } : {};
  return { name, target: targetOf(bound), ...max, figure, unit, state, ...(note === undefined ? {} : { note }) };
}

export function notRun(bound: Bound, note: string): Figure {
  const { name, unit } = bound;
  return { name, target: targetOf(bound), figure: null, unit, state: 'not-run', note };
}

/** What ended before it had a figure: nothing was shown to hold. */
export function brokenOff(name: string, note: string): Figure {
  return { name, target: 'a figure', figure: null, unit: '', state: 'short', note };
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

/** The least value that so many of a hundred are not above. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** How far apart the rounds of one run were, for the note beside their median. */
export function spread(values: readonly number[]): string {
  return `${Math.min(...values).toPrecision(3)} to ${Math.max(...values).toPrecision(3)} in ${values.length} rounds`;
}
