import type { Context } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';

/**
 * What a service answers, if it does in time; otherwise the caller is told, and the service that nobody waits for.
 * @throws Problem `unavailable` (503)
 */
export async function withinTime<T>(
  pending: Promise<T>,
  timeoutMs: number,
  context: Pick<Context, 'abandon'>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Before the refusal: what the signal makes the service throw must not come first.
      reject(new Problem('unavailable', 'The service took too long to answer. Send the request again later.'));
      context.abandon();
    }, timeoutMs);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
