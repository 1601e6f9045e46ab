import { type DestinationStream, pino } from 'pino';

/**
 * Standard output for a process that shares it with others: up to so many bytes the system keeps whole, and so each
 * line stays one.
 */
export function createSharedOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, maxWrite: 4_096 });
}
