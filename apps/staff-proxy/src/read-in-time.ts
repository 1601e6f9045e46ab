import { answerTooLate, type UpstreamResponse } from '@rostergate/runtime/upstream';

/**
 * Reads of an answer what has to be there before its reader can be told anything: an upstream that drips is too late
 * like one that is silent.
 * @throws Problem 504 `upstream_timeout` through `read`, whose stream breaks at the deadline.
 */
export async function readInTime<T>({ body }: UpstreamResponse, leftMs: number, read: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => body.destroy(answerTooLate(true)), Math.max(0, Math.ceil(leftMs)));
  try {
    return await read();
  } finally {
    clearTimeout(timer);
  }
}
