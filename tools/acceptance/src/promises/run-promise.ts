import { createRandom } from '../../../../apps/scheduling/src/demo/random.ts';
import type { Figure, State } from '../../../benchmark/src/figure.ts';
import { createEndings } from '../at-end.ts';
import { NotRun, type PromiseNumber, type PromiseTrial, type Scale } from './define-promise.ts';
import { allowLateInCi, isLate } from './time-figures.ts';

/** The result of one trial. */
export interface Outcome {
  readonly number: PromiseNumber;
  /** The title of the promise. */
  readonly name: string;
  readonly target: string;
  /** All figures as one text; empty without figures. */
  readonly figure: string;
  readonly state: State;
  readonly figures: readonly Figure[];
  /** Whether it fails only because times are above their limits, which a busy machine can cause. */
  readonly isLateOnly: boolean;
  /** Why it failed or was not run, what only CI allows, and how the first of two attempts ended. */
  readonly note: string;
  readonly tookSeconds: number;
}

export interface RunOptions {
  readonly scale: Scale;
  readonly seed: number;
  readonly say: (text: string) => void;
}

/** Runs the trial of a promise and its cleanups. Any error makes the promise fail. */
export async function runPromise(promise: PromiseTrial, options: RunOptions): Promise<Outcome> {
  const { scale, seed, say } = options;
  const { number, title: name, target } = promise;
  const { atEnd, end } = createEndings();
  const startedMs = performance.now();
  const outcome = (state: State, figures: readonly Figure[], note: string, isLateOnly = false): Outcome => ({
    ...{ number, name, target, figure: describeFigures(figures), state, isLateOnly, figures, note },
    tookSeconds: Math.round((performance.now() - startedMs) / 1_000),
  });
  let figures: readonly Figure[] = [];
  try {
    try {
      const measured = await promise.run({
        ...{ scale, seed, say, atEnd },
        random: createRandom(`${number} ${seed}`),
        byScale: (sizes) => sizes[scale],
      });
      figures = scale === 'ci' ? measured.map(allowLateInCi) : measured;
    } finally {
      await end();
    }
  } catch (error) {
    const note = shorten(error instanceof Error ? error.message : String(error));
    return outcome(error instanceof NotRun ? 'not-run' : 'fail', figures, note);
  }
  const note = figures
    .filter(({ state, figure, max = Number.POSITIVE_INFINITY }) => state === 'fail' || Number(figure) > max)
    .map(({ name: of, target: wanted, note: why }) => `${of}: ${wanted.trim()}${why ? ` (${why})` : ''}`);
  const faults = figures.filter(({ state }) => state !== 'pass');
  const isPass = figures.length > 0 && faults.length === 0;
  return outcome(isPass ? 'pass' : 'fail', figures, note.join('; '), faults.length > 0 && faults.every(isLate));
}

/** Keeps the beginning and the end of a long error, which may quote the output of a server. */
function shorten(text: string): string {
  return text.length <= 1_000 ? text : `${text.slice(0, 300)} … ${text.slice(-600)}`;
}

/** Returns the figures as text: `0 failed requests, 1,000 reloads, 412 ms slowest`. */
function describeFigures(figures: readonly Figure[]): string {
  return figures
    .map(({ name, figure, unit }) => [formatNumber(figure), unit, name].filter(Boolean).join(' '))
    .join(', ');
}

function formatNumber(figure: number | null): string {
  if (figure === null) return 'no';
  return (Math.abs(figure) >= 100 ? Math.round(figure) : Number(figure.toPrecision(3))).toLocaleString('en-US');
}
