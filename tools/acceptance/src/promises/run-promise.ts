import type { Figure, State } from '../../../benchmark/src/figure.ts';
import { createEndings } from '../at-end.ts';
import { type KeptPromise, NotRun, type PromiseNumber, type Scale } from './define-promise.ts';
import { judgeInCi } from './judge-in-ci.ts';

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
  /** Why it is short or was not run, and what CI alone takes. */
  readonly note: string;
  readonly tookSeconds: number;
}

/** Makes its trial and ends what that started; whatever goes wrong, the promise was not held. */
export async function runPromise(promise: KeptPromise, scale: Scale, say: (text: string) => void): Promise<Outcome> {
  const { number, title: name, target } = promise;
  const { atEnd, end } = createEndings();
  const startedMs = performance.now();
  const outcome = (state: State, figures: readonly Figure[], note: string): Outcome => ({
    ...{ number, name, target, figure: describeFigures(figures), state, figures, note },
    tookSeconds: Math.round((performance.now() - startedMs) / 1_000),
  });
  let figures: readonly Figure[] = [];
  try {
    try {
      const measured = await promise.run({ scale, say, atEnd, often: (sizes) => sizes[scale] });
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
  return outcome(isHeld ? 'held' : 'short', figures, note.join('; '));
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
