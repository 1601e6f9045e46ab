/** Whether a promise was kept in this run; `not-run` where something it needs is not on this machine. */
export type State = 'held' | 'short' | 'not-run';

/** One measured figure beside what it has to keep to. */
export interface Figure {
  readonly name: string;
  /** For people: `≤ 20 ms`. */
  readonly target: string;
  /** In `unit`; null when it was not measured. */
  readonly figure: number | null;
  readonly unit: string;
  readonly state: State;
  /** What else is worth knowing, such as the spread, or why it was not run. */
  readonly note?: string;
}

export interface Bound {
  readonly name: string;
  readonly max: number;
  /** `ms`, `MB`, `requests`, or `×` for a ratio. */
  readonly unit: string;
}

/** Holds what was measured against its bound. */
export function judge({ name, max, unit }: Bound, figure: number, note?: string): Figure {
  const state = figure <= max ? 'held' : 'short';
  return { name, target: `≤ ${max} ${unit}`, figure, unit, state, ...(note === undefined ? {} : { note }) };
}

export function notRun({ name, max, unit }: Bound, note: string): Figure {
  return { name, target: `≤ ${max} ${unit}`, figure: null, unit, state: 'not-run', note };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
