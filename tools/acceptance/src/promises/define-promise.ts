import type { Random } from '../../../../apps/scheduling/src/demo/random.ts';
import type { Figure } from '../../../benchmark/src/figure.ts';
import type { AtEnd } from '../at-end.ts';

/** How much a trial does: `ci` enough to find faults soon, `full` as much as its target states. */
export type Scale = 'ci' | 'full';

/** The deadline of a trial. */
export const trialMinutesMax: Readonly<Record<Scale, number>> = { ci: 10, full: 40 };

export interface Trial {
  readonly scale: Scale;
  /** Decides all random input: the same seed gives the same input. */
  readonly seed: number;
  /** Seeded by the seed and the number of the promise. */
  readonly random: Random;
  /** Returns the size for the scale: a count or a duration. */
  readonly byScale: (sizes: Readonly<Record<Scale, number>>) => number;
  /** Reports progress. */
  readonly say: (text: string) => void;
  /** Registers a cleanup that runs after the trial, the last one first. */
  readonly atEnd: AtEnd;
}

/** The number of a promise, or `soak` for the trial of all servers over time. */
export type PromiseNumber = number | 'soak';

/** A guarantee of the servers, and the trial that tests it. */
export interface PromiseTrial {
  readonly number: PromiseNumber;
  readonly title: string;
  /** What the trial does, at every scale. */
  readonly done: string;
  /** What the figures leave out because the servers do not cause it; published with them. */
  readonly excludes?: string;
  /** The target of the full scale, for people. */
  readonly target: string;
  /**
   * When it runs alone, because it measures time or loads the disk that other trials measure. With the times that CI
   * allows, one other trial may run beside most of them.
   */
  readonly runsAlone?: 'always' | 'at full scale';
  /** It waits for deadlines most of the time, so that CI runs it beside those that use the CPU. */
  readonly mostlyWaits?: boolean;
  /** @throws NotRun where this machine lacks something the trial needs */
  readonly run: (trial: Trial) => Promise<readonly Figure[]>;
}

/** Returns what the trial does and what its figures leave out. */
export function describeTrial({ done, excludes }: Pick<PromiseTrial, 'done' | 'excludes'>): string {
  return excludes === undefined ? done : `${done}. Not counted: ${excludes}`;
}

export function definePromise(promise: PromiseTrial): PromiseTrial {
  return Object.freeze(promise);
}

/** Orders by number, the soak last. */
export function byNumber(a: Pick<PromiseTrial, 'number'>, b: Pick<PromiseTrial, 'number'>): number {
  const placeOf = ({ number }: Pick<PromiseTrial, 'number'>) => (number === 'soak' ? Number.MAX_VALUE : number);
  return placeOf(a) - placeOf(b);
}

/** This machine cannot run the trial; the message names what is missing and how to install it. */
export class NotRun extends Error {
  override readonly name = 'NotRun';
}
