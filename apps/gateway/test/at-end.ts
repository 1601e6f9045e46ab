import { afterAll, onTestFinished } from 'vitest';

/** Registers a cleanup. */
export type AtEnd = (end: () => Promise<unknown>) => void;

/** Runs a cleanup when the test ends. */
export const whenTestEnds: AtEnd = (end) =>
  onTestFinished(async () => {
    await end();
  });

/** Returns a function that registers cleanups for the end of all tests of the current `describe`, the last one first. */
export function whenAllEnd(): AtEnd {
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return (end) => void ends.unshift(end);
}
