import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { State } from '../../../benchmark/src/figure.ts';
import { describeMachine } from '../../../benchmark/src/machine.ts';
import { byNumber, type PromiseNumber } from './define-promise.ts';
import type { Outcome } from './run-promise.ts';

/** The result of the last full trial of a promise. */
export interface RecordedFigure {
  readonly number: PromiseNumber;
  readonly figure: string;
  readonly state: State;
  /** Why it failed or was not run. */
  readonly note: string;
  readonly seconds: number;
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly machine: string;
}

const file = fileURLToPath(new URL('../../promises/figures.json', import.meta.url));

export function readRecordedFigures(): readonly RecordedFigure[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { figures: RecordedFigure[] }).figures : [];
}

/** Replaces the recorded figures of these promises. */
export function recordFigures(outcomes: readonly Outcome[], now: Date): void {
  const date = now.toISOString().slice(0, 10);
  const machine = describeMachine();
  const figures = new Map(readRecordedFigures().map((one) => [one.number, one]));
  for (const { number, figure, state, note, tookSeconds: seconds } of outcomes) {
    figures.set(number, { number, figure, state, note, seconds, date, machine });
  }
  const sorted = [...figures.values()].sort(byNumber);
  writeFileSync(file, `${JSON.stringify({ figures: sorted }, null, 2)}\n`);
}
