import type { Random } from '../../../../apps/scheduling/src/demo/random.ts';
import type { Figure } from '../../../benchmark/src/figure.ts';
import type { AtEnd } from '../at-end.ts';

/** How much is tried: in CI enough to see a fault soon, in full as much as the figure says. */
export type Scale = 'ci' | 'full';

/** How long a trial may take. */
export const trialMinutesMax: Readonly<Record<Scale, number>> = { ci: 10, full: 40 };

/** What a trial is given. */
export interface Trial {
  readonly scale: Scale;
  /** Decides all random input: the same seed gives the same input again. */
  readonly seed: number;
  /** By the seed and the promise. */
  readonly random: Random;
  /** How often, or how long, by the scale. */
  readonly often: (sizes: Readonly<Record<Scale, number>>) => number;
  /** Tells of progress. */
  readonly say: (text: string) => void;
  /** Takes what is to be ended after the trial, the last one first. */
  readonly atEnd: AtEnd;
}

/** The number of the promise; what is promised of all together, over time, has a name. */
export type PromiseNumber = number | 'soak';

/** One thing that the servers are trusted to keep, and the trial that would show it broken. */
export interface KeptPromise {
  readonly number: PromiseNumber;
  readonly title: string;
  /** What the trial does, whatever its scale. */
  readonly done: string;
  /** What the figures leave out, and why that tells nothing of the servers; published with them. */
  readonly excludes?: string;
  /** The figure to reach in full, for people. */
  readonly target: string;
  /** What it measures is time, or others measure it while it works the disk: nothing else is tried meanwhile. */
  readonly isAlone?: boolean;
  /** @throws NotRun where something it needs is not on this machine */
  readonly run: (trial: Trial) => Promise<readonly Figure[]>;
}

/** What is done, and what its figures leave out. */
export function describeTrial({ done, excludes }: Pick<KeptPromise, 'done' | 'excludes'>): string {
  return excludes === undefined ? done : `${done}. Not counted: ${excludes}`;
}

export function definePromise(promise: KeptPromise): KeptPromise {
  return Object.freeze(promise);
}

/** By number, and last what has none. */
export function byNumber(a: Pick<KeptPromise, 'number'>, b: Pick<KeptPromise, 'number'>): number {
  const placeOf = ({ number }: Pick<KeptPromise, 'number'>) => (number === 'soak' ? Number.MAX_VALUE : number);
  return placeOf(a) - placeOf(b);
}

/** The trial cannot be made on this machine; the message says why, and what would help. */
export class NotRun extends Error {
  override readonly name = 'NotRun';
}
