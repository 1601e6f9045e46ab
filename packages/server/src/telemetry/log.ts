import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { describeCause } from './describe-cause.ts';

export interface LogOptions {
  readonly service: string;
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

/** Returns a logger that names the service in every line. Errors are logged without values that may be secret. */
export function createLog({ service, level }: LogOptions, destination: DestinationStream): Logger {
  return pino({ ...format, level, base: { service } }, destination);
}

/** Levels as words, and times as ISO 8601, which people can read and programs can sort. */
const format: LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
  serializers: { err: (error: unknown) => (error instanceof Error ? describeCause(error) : error) },
};

/**
 * Returns standard output, buffered and written every 50 ms: a write for each line costs several times what the line
 * does. The rest is written when the process ends.
 */
export function createOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: flushMs });
}

/** Returns standard output for processes that share it, in writes small enough for the system to keep lines whole. */
export function createSharedOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, maxWrite: 4_096, minLength: 2_048, periodicFlush: flushMs });
}

const flushMs = 50;

/** Resolves when the destination has written every line. */
export function flush(
  destination: DestinationStream & { flush?: (done: (error?: Error) => void) => void },
): Promise<void> {
  return new Promise((resolve) => {
    if (destination.flush === undefined) resolve();
    else destination.flush(() => resolve());
  });
}
