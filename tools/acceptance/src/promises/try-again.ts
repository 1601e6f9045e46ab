import type { Outcome } from './run-promise.ts';

/** An outcome, and why the attempt before it failed, if there was one. */
export interface TriedOutcome extends Outcome {
  readonly firstNote?: string;
}

/**
 * Repeats a trial once, with the same random input, if only times are above their limits: another program may have used
 * the CPU. Counts, ratios and errors are final.
 */
export async function tryAgainIfLate(tryOnce: () => Promise<Outcome>): Promise<TriedOutcome> {
  const first = await tryOnce();
  if (!first.isLateOnly) return first;
  const second = await tryOnce();
  const note = [second.note, `first attempt: ${first.note}`].filter(Boolean).join('; ');
  return { ...second, note, firstNote: first.note };
}

/** Returns the failures, and what passed at the second try, in the log format that `.ci/run` summarizes. */
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
