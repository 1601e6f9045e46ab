import type { Outcome } from './run-promise.ts';

/** An outcome, and why the try before it was short, where there was one. */
export interface TriedOutcome extends Outcome {
  readonly firstNote?: string;
}

/**
 * Makes a trial once more, with the same random input, if times alone were above their bounds: another program may have
 * taken the processor. A count, a ratio or an error is final, however rarely it comes.
 */
export async function tryAgainIfLate(tryOnce: () => Promise<Outcome>): Promise<TriedOutcome> {
  const first = await tryOnce();
  if (!first.isLateOnly) return first;
  const second = await tryOnce();
  const note = [second.note, `at the first try ${first.note}`].filter(Boolean).join('; ');
  return { ...second, note, firstNote: first.note };
}

/** Lines for the summary of `.ci/run`, which reads those of test runs too: what failed, and what passed at the second try. */
export function listTries(outcomes: readonly TriedOutcome[], isFailure: (outcome: Outcome) => boolean): string {
  return outcomes
    .flatMap((outcome) => {
      const { number, name, note, firstNote } = outcome;
      const lineOf = (verdict: string, why: string) => [
        `promises:test: ${verdict}: ${number} ${name}`,
        ...why.split('\n').map((line) => `promises:test:   | ${line}`),
      ];
      if (isFailure(outcome)) return lineOf('failed', note);
      return firstNote === undefined ? [] : lineOf('passed at the second try', firstNote);
    })
    .join('\n');
}
