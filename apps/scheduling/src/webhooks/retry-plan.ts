/** Failed attempts in succession until a webhook is disabled: about three days. */
export const failuresMax = 15;

const firstMs = 5_000;
export const delayMsMax = 12 * 60 * 60_000;

/**
 * Returns how long to wait after a failure: three times as long as after the one before, from 5 seconds to 12 hours, and
 * up to a fifth less or more, so that receivers are not called in step.
 *
 * @param failures failed attempts in succession, from 1
 * @param random returns a number from 0 up to 1
 */
export function retryDelayMs(failures: number, random: () => number): number {
  const plannedMs = Math.min(firstMs * 3 ** (failures - 1), delayMsMax);
  return Math.round(plannedMs * (0.8 + 0.4 * random()));
}
