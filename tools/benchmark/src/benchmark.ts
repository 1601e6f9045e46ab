import type { Figure } from './figure.ts';
import type { Comparison } from './side-by-side.ts';

/** What a benchmark receives besides its progress callback. */
export interface Run {
  /** Records a comparison for the table of servers and the chart. */
  record(comparison: Comparison): void;
  /** The value of --endpoints. */
  readonly endpoints: number | undefined;
}

/** Measures one subject and returns its figures. */
export type Benchmark = (say: (text: string) => void, run: Run) => Promise<readonly Figure[]>;
