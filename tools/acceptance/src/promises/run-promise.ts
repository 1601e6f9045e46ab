import { createRandom } from '../../../../apps/scheduling/src/demo/random.ts';
import type { Figure, State } from '../../../benchmark/src/figure.ts';
import { createEndings } from '../at-end.ts';
import { type KeptPromise, NotRun, type PromiseNumber, type Scale } from './define-promise.ts';
import { isLate, judgeInCi } from './judge-in-ci.ts';

/** What became of one promise. */
export interface Outcome {
  readonly number: PromiseNumber;
  /** Its title. */
  readonly name: string;
  readonly target: string;
  /** What was measured, for people; empty when nothing was. */
  readonly figure: string;
  readonly state: State;
  readonly figures: readonly Figure[];
  /** Whether it is short because times are above their bounds, and for no other reason: a busy machine may do that. */
  readonly isLateOnly: boolean;
  /** Why it is short or was not run, what CI alone takes, and how the first of two tries ended. */
  readonly note: string;
  readonly tookSeconds: number;
}

export interface RunOptions {
  readonly scale: Scale;
  readonly seed: number;
  readonly say: (text: string) => void;
}

/** Makes its trial and ends what that started; whatever goes wrong, the promise was not held. */
export async function runPromise(promise: KeptPromise, options: RunOptions): Promise<Outcome> {
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
        often: (sizes) => sizes[scale],
      });
      figures = scale === 'ci' ? measured.map(judgeInCi) : measured;
    } finally {
      await end();
    }
  } catch (error) {
    const note = shorten(error instanceof Error ? error.message : String(error));
    return outcome(error instanceof NotRun ? 'not-run' : 'short', figures, note);
  }
  const note = figures
    .filter(({ state, figure, max = Number.POSITIVE_INFINITY }) => state === 'short' || Number(figure) > max)
    .map(({ name: of, target: wanted, note: why }) => `${of}: ${wanted.trim()}${why ? ` (${why})` : ''}`);
  const isHeld = figures.length > 0 && figures.every(({ state }) => state === 'held');
  const faults = figures.filter(({ state }) => state !== 'held');
  return outcome(isHeld ? 'held' : 'short', figures, note.join('; '), faults.length > 0 && faults.every(isLate));
}

/** Of what a server has said on its way to a fault the beginning and the end are enough. */
function shorten(text: string): string {
  return text.length <= 1_000 ? text : `${text.slice(0, 300)} … ${text.slice(-600)}`;
}

/** `0 failed requests, 1,000 reloads, 412 ms slowest`. */
function describeFigures(figures: readonly Figure[]): string {
  return figures
    .map(({ name, figure, unit }) => [formatNumber(figure), unit, name].filter(Boolean).join(' '))
    .join(', ');
}

function formatNumber(figure: number | null): string {
  if (figure === null) return 'no';
  return (Math.abs(figure) >= 100 ? Math.round(figure) : Number(figure.toPrecision(3))).toLocaleString('en-US');
}
