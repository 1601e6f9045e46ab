import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { createUnavailable, isOutdatedPlan, toStoreError } from './postgres-errors.ts';

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
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch(rethrowUnavailable);
      let wrapped = clients.get(client);
      if (wrapped === undefined) {
        wrapped = wrapClient(client, names);
        clients.set(client, wrapped);
      }
      return wrapped;
    },
    end: () => pool.end(),
  };
}

function wrapClient(client: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  let isSilent = false;
  const query = async (text: string, values: readonly unknown[]) => {
    if (isSilent) throw createUnavailable();
    const name = values.length === 0 ? undefined : names.nameOf(text);
    try {
      return await client.query({ text, values: values as unknown[], ...(name !== undefined && { name }) });
    } catch (error) {
      isSilent = error instanceof Error && error.message === silence;
      if (isOutdatedPlan(error)) names.forget();
      throw toStoreError(error);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    // What was asked may still be answered, to whoever has the connection next.
    release: () => client.release(isSilent),
  };
}

/** What the driver calls it when no answer came in time. */
const silence = 'Query read timeout';

/** Whatever keeps a connection from being made, the request is not at fault. */
function rethrowUnavailable(error: unknown): never {
  throw createUnavailable(error);
}

/** Statements that each connection keeps prepared, and texts that are remembered until they come again. */
const namesMax = 400;
const seenMax = 1_000;

interface StatementNames {
  /** Undefined: not to be prepared. */
  nameOf(text: string): string | undefined;
  /** The tables have another shape than when they were prepared: all are prepared anew, under other names. */
  forget(): void;
}

/**
 * Planning the JSON of a person takes longer than reading it, so a text that comes again is prepared under a name.
 * Callers' filters make new texts without end: when all names are given, the rest is planned each time.
 */
function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let given = 0;
  return {
    nameOf(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= namesMax) return known;
      if (!seen.delete(text)) {
        if (seen.size >= seenMax) seen.clear();
        seen.add(text);
        return undefined;
      }
      const name = `s${given++}`;
      names.set(text, name);
      return name;
    },
    forget: () => names.clear(),
  };
}

const int8 = 20;

/** Row numbers and counts stay far below 2⁵³. */
const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
