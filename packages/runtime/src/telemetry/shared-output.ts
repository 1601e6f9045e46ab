import { type DestinationStream, pino } from 'pino';

/**
 * Standard output, written to a few times a second: a write for each line costs several times what the line does. What
 * waits when the process ends is written then.
 */
export function createOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: flushMs });
}

/**
 * Standard output for a process that shares it with others: up to so many bytes the system keeps whole, and so each
 * line stays one.
 */
export function createSharedOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, maxWrite: 4_096, minLength: 2_048, periodicFlush: flushMs });
}

const flushMs = 50;
