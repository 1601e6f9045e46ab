import { CompiledQuery, type Kysely } from 'kysely';
import type { Sql } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/** How reads reach the database. */
export interface ReadEngine {
  /** Runs a statement. A database in a process of its own cancels it when the signal aborts. */
  select<R>(sql: Sql, signal?: AbortSignal | undefined): R[] | Promise<R[]>;
  /**
   * Runs a statement that throws `OutOfTime` when its time is over. Defined only for databases that run in the event
   * loop and block other requests.
   */
  readonly selectWithin?: (<R>(sql: Sql, ms: number) => R[] | Promise<R[]>) | undefined;
}

/** A statement was ended at its time limit. */
export class OutOfTime extends Error {
  constructor() {
    super('The statement exceeded its time limit.');
  }
}

/** Returns an engine over Kysely, for reads within a transaction. */
export function createReadEngine(db: Kysely<Tables>): ReadEngine {
  return {
    async select<R>({ text, parameters }: Sql) {
      const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, parameters as unknown[]));
      return rows;
    },
  };
}

/**
 * Returns the CPU milliseconds of this thread, which do not depend on the load of the machine. Before Node 23.9 it
 * returns the elapsed time.
 */
export const processorTime: () => number =
  typeof process.threadCpuUsage === 'function'
    ? () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1_000;
      }
    : () => performance.now();
