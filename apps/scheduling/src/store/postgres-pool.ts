import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { createUnavailable, isLostConnection, isOutdatedPlan, toStoreError } from './postgres-errors.ts';
import { createSilence, type Silence } from './postgres-silence.ts';

export interface PostgresPoolOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
}

/** One connection, taken until it is released. */
export interface PostgresConnection extends PostgresPoolClient {
  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  /** Ends the statement that runs on it; resolves once the database was told. */
  cancel(): Promise<void>;
}

export interface PostgresConnections extends PostgresPool {
  connect(): Promise<PostgresConnection>;
}

/** How long a request waits for a connection, and a connection for the database: no longer than for a statement. */
const connectMsMax = 5_000;
/** Between two statements of a transaction, where statements have all the time that they need. */
const idleMsMax = 60_000;
/** The database ends a statement at its deadline; this much later it counts as silent. */
const graceMs = 500;

/**
 * Connections that open when they are needed and are replaced when they are lost. Errors are those of
 * `postgres-errors.ts`.
 */
export function createPostgresPool({
  url,
  connectionsMax,
  statementTimeoutMs,
}: PostgresPoolOptions): PostgresConnections {
  const connectMs = statementTimeoutMs > 0 ? Math.min(connectMsMax, statementTimeoutMs) : connectMsMax;
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementTimeoutMs,
    // Sooner than the statement: waiting for others is not the caller's fault.
    lock_timeout: Math.ceil(statementTimeoutMs * 0.8),
    // Whoever stands still in a transaction holds its company's lock: others do not wait longer than for a statement.
    idle_in_transaction_session_timeout: statementTimeoutMs > 0 ? statementTimeoutMs : idleMsMax,
    // The database ends what takes too long, unless nothing can be heard of it any more.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + graceMs }),
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
  const silence = createSilence(url);
  const canceller = createPostgresCanceller(url);
  const connect = () =>
    silence.guard(
      () => pool.connect(),
      (client) => client.release(),
    );
  return {
    options: pool.options,
    connect: async () =>
      checkOut({ connect, connectionsMax, silence, canceller, names }, await connect().catch(rethrowUnavailable)),
    async end() {
      silence.end();
      await Promise.all([pool.end(), canceller.end()]);
    },
  };
}

interface Source {
  readonly connect: () => Promise<pg.PoolClient>;
  readonly connectionsMax: number;
  readonly silence: Silence;
  readonly canceller: PostgresCanceller;
  readonly names: StatementNames;
}

/**
 * A connection may have been lost while nobody used it, which is known only when it is: what comes first on it, and
 * changes nothing, is asked again on another, so that a restart of the database fails no request that comes after it.
 */
function checkOut(source: Source, first: pg.PoolClient): PostgresConnection {
  const { connect, connectionsMax, silence, canceller, names } = source;
  let client: pg.PoolClient | undefined = first;
  let isSilent = false;
  let isUsed = false;
  const ask = async (text: string, values: readonly unknown[]) => {
    if (isSilent || client === undefined) throw createUnavailable();
    const name = values.length === 0 ? undefined : names.nameOf(text);
    try {
      return await client.query({ text, values: values as unknown[], ...(name !== undefined && { name }) });
    } catch (error) {
      isSilent = error instanceof Error && error.message === readTimeout;
      if (isSilent) silence.begin();
      if (isOutdatedPlan(error)) names.forget();
      throw error;
    }
  };
  const query = async (text: string, values: readonly unknown[]) => {
    // One more than there can be lost ones.
    for (let left = connectionsMax; ; left--) {
      try {
        const result = await ask(text, values);
        isUsed = true;
        return result;
      } catch (error) {
        if (isUsed || left === 0 || !changesNothing.test(text) || !isLostConnection(error)) throw toStoreError(error);
      }
      client?.release(true);
      client = undefined;
      client = await connect().catch(rethrowUnavailable);
    }
  };
  return {
    async cancel() {
      // The driver has it, and its types do not.
      const { processID } = (client ?? {}) as { processID?: number | null };
      if (typeof processID === 'number') await canceller.cancel(processID);
    },
    query: query as unknown as PostgresConnection['query'],
    // What was asked may still be answered, to whoever has the connection next.
    release: () => client?.release(isSilent),
  };
}

const changesNothing = /^(begin|start transaction|select)\b/i;

/** What the driver calls it when no answer came in time. */
const readTimeout = 'Query read timeout';

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

/** Ends statements that nobody waits for any more. */
interface PostgresCanceller {
  /** Resolves once the database was told, or cannot be: the statement then ends by its own deadline. */
  cancel(processId: number): Promise<void>;
  end(): Promise<void>;
}

const tellMsMax = 1_000;

/** Over one connection of its own: all others may be taken by what is to be ended. It is made at the first use. */
function createPostgresCanceller(url: string): PostgresCanceller {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: tellMsMax,
    query_timeout: tellMsMax,
    idleTimeoutMillis: 10_000,
    application_name: 'rostergate-scheduling-cancel',
  });
  // A connection that is lost takes the process along unless somebody listens.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async cancel(processId) {
      await pool.query('SELECT pg_cancel_backend($1)', [processId]).catch(() => {});
    },
    end: () => pool.end(),
  };
}
