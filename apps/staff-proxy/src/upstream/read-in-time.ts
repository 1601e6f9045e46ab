import { answerTooLate, type UpstreamResponse } from '@rostergate/runtime/upstream';

/**
 * Reads of an answer what has to be there before its reader can be told anything: an upstream that drips is too late
 * like one that is silent. What is there already needs no clock.
 * @throws Problem 504 `upstream_timeout` through `read`, whose stream breaks at the deadline.
 */
export function readInTime<T>(
  answer: UpstreamResponse,
  leftMs: () => number,
  read: () => T | Promise<T>,
): T | Promise<T> {
  const reading = read();
  return reading instanceof Promise ? untilLate(answer, leftMs(), reading) : reading;
}

async function untilLate<T>(answer: UpstreamResponse, leftMs: number, reading: Promise<T>): Promise<T> {
  const timer = setTimeout(() => answer.body.destroy(answerTooLate(true)), Math.max(0, Math.ceil(leftMs)));
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
  }
}
