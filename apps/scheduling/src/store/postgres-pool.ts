import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { createUnavailable, isLostConnection, isOutdatedPlan, toStoreError } from './postgres-errors.ts';
import { createStatementNames, type StatementNames } from './statement-names.ts';

export interface PostgresPoolOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
}

/** How long a request waits for a connection, and a connection for the database. */
const connectMs = 5_000;

/**
 * Connections that open when they are needed and are replaced when they are lost. Errors are those of
 * `postgres-errors.ts`.
 */
export function createPostgresPool({ url, connectionsMax, statementTimeoutMs }: PostgresPoolOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementTimeoutMs,
    // Sooner than the statement: waiting for others is not the caller's fault.
    lock_timeout: Math.ceil(statementTimeoutMs * 0.8),
    idle_in_transaction_session_timeout: 60_000,
    // The database ends what takes too long, unless nothing can be heard of it any more.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 2_000 }),
    // Compiling a filter of many conditions takes seconds, in which no timeout ends it; running it takes milliseconds.
    onConnect: (client) => client.query('SET jit = off'),
    keepAlive: true,
    application_name: 'rostergate-scheduling',
    types: numbersAsNumbers,
  });
  // A connection that is lost takes the process along unless somebody listens; whoever uses it next is told.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  const names = createStatementNames();
  return {
    options: pool.options,
    connect: async () => checkOut(pool, await pool.connect().catch(rethrowUnavailable), names),
    end: () => pool.end(),
  };
}

/**
 * A connection may have been lost while nobody used it, which is known only when it is: what comes first on it, and
 * changes nothing, is asked again on another, so that a restart of the database fails no request that comes after it.
 */
function checkOut(pool: pg.Pool, first: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  let client: pg.PoolClient | undefined = first;
  let isSilent = false;
  let isUsed = false;
  const ask = async (text: string, values: readonly unknown[]) => {
    if (isSilent || client === undefined) throw createUnavailable();
    const name = values.length === 0 ? undefined : names.nameOf(text);
    try {
      return await client.query({ text, values: values as unknown[], ...(name !== undefined && { name }) });
    } catch (error) {
      isSilent = error instanceof Error && error.message === silence;
      if (isOutdatedPlan(error)) names.forget();
      throw error;
    }
  };
  const query = async (text: string, values: readonly unknown[]) => {
    // One more than there can be lost ones.
    for (let left = pool.options.max; ; left--) {
      try {
        const result = await ask(text, values);
        isUsed = true;
        return result;
      } catch (error) {
        if (isUsed || left === 0 || !changesNothing.test(text) || !isLostConnection(error)) throw toStoreError(error);
      }
      client?.release(true);
      client = undefined;
      client = await pool.connect().catch(rethrowUnavailable);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    // What was asked may still be answered, to whoever has the connection next.
    release: () => client?.release(isSilent),
  };
}

const changesNothing = /^(begin|start transaction|select)\b/i;

/** What the driver calls it when no answer came in time. */
const silence = 'Query read timeout';

/** Whatever keeps a connection from being made, the request is not at fault. */
function rethrowUnavailable(error: unknown): never {
  throw createUnavailable(error);
}

const int8 = 20;

/** Row numbers and counts stay far below 2⁵³. */
const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
