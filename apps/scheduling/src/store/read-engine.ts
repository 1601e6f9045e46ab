import { CompiledQuery, type Kysely } from 'kysely';
import type { Sql } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/** How reads reach the database. */
export interface ReadEngine {
  /** The database is told to end the statement when the signal aborts, where it has a process of its own. */
  select<R>(sql: Sql, signal?: AbortSignal | undefined): R[] | Promise<R[]>;
  /**
   * Only where statements run in the event loop, and hold up every other request: one that ends by itself when it has
   * had its time, with `OutOfTime`.
   */
  readonly selectWithin?: (<R>(sql: Sql, ms: number) => R[] | Promise<R[]>) | undefined;
}

/** A statement was ended because its time was over. */
export class OutOfTime extends Error {
  constructor() {
    super('The statement has had its time.');
  }
}

/** Reads over Kysely, such as within a transaction. */
export function createReadEngine(db: Kysely<Tables>): ReadEngine {
  return {
    async select<R>({ text, parameters }: Sql) {
      const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, parameters as unknown[]));
      return rows;
    },
  };
}

/**
 * Milliseconds of the processor that this thread has had so far: what is measured by it costs the same however busy the
 * machine is. Where Node cannot tell (before 23.9), the time that has passed.
 */
export const processorTime: () => number =
  typeof process.threadCpuUsage === 'function'
    ? () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1_000;
      }
    : () => performance.now();
