import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { createUnavailable, isLostConnection, isOutdatedPlan, toStoreError } from './postgres-errors.ts';
import { createResponseGuard, type ResponseGuard } from './postgres-response-guard.ts';

export interface PostgresPoolOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
}

/** A connection that is checked out until it is released. */
export interface PostgresConnection extends PostgresPoolClient {
  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  /** Cancels the running statement; resolves once the database has received the request. */
  cancel(): Promise<void>;
}

export interface PostgresConnections extends PostgresPool {
  connect(): Promise<PostgresConnection>;
}

/** Maximum wait of a request for a connection, and of a connection for the database; never longer than a statement. */
const connectMsMax = 5_000;
/** Maximum idle time within a transaction when statements have no timeout. */
const idleMsMax = 60_000;
/** The database ends a statement at its deadline; without a response this much later it counts as unresponsive. */
const graceMs = 500;

/**
 * Returns a pool that opens connections on demand and replaces lost ones. It throws the errors of `postgres-errors.ts`.
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
    // Earlier than the statement timeout: waiting for a lock is not the caller's fault.
    lock_timeout: Math.ceil(statementTimeoutMs * 0.8),
    // An idle transaction holds its company's lock: others wait no longer than for a statement.
    idle_in_transaction_session_timeout: statementTimeoutMs > 0 ? statementTimeoutMs : idleMsMax,
    // The database ends long statements; this ends the wait when it does not respond.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + graceMs }),
    // Compiling a filter of many conditions takes seconds and ignores timeouts; running it takes milliseconds.
    onConnect: (client) => client.query('SET jit = off'),
    keepAlive: true,
    application_name: 'rostergate-scheduling',
    types: numbersAsNumbers,
  });
  // An unhandled error event of a lost connection would end the process; its next user gets the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  const names = createStatementNames();
  const responseGuard = createResponseGuard(url);
  const canceller = createPostgresCanceller(url);
  const connect = () =>
    responseGuard.guard(
      () => pool.connect(),
      (client) => client.release(),
    );
  return {
    options: pool.options,
    connect: async () =>
      checkOut({ connect, connectionsMax, responseGuard, canceller, names }, await connect().catch(rethrowUnavailable)),
    async end() {
      responseGuard.end();
      await Promise.all([pool.end(), canceller.end()]);
    },
  };
}

interface Source {
  readonly connect: () => Promise<pg.PoolClient>;
  readonly connectionsMax: number;
  readonly responseGuard: ResponseGuard;
  readonly canceller: PostgresCanceller;
  readonly names: StatementNames;
}

/**
 * Returns a checked-out connection. An idle connection may be lost without notice: the first statement, if it changes
 * nothing, is repeated on another connection, so that no request fails after a restart of the database.
 */
function checkOut(source: Source, first: pg.PoolClient): PostgresConnection {
  const { connect, connectionsMax, responseGuard, canceller, names } = source;
  let client: pg.PoolClient | undefined = first;
  let isUnresponsive = false;
  let isUsed = false;
  const ask = async (text: string, values: readonly unknown[]) => {
    if (isUnresponsive || client === undefined) throw createUnavailable();
    const name = values.length === 0 ? undefined : names.nameOf(text);
    try {
      return await client.query({ text, values: values as unknown[], ...(name !== undefined && { name }) });
    } catch (error) {
      isUnresponsive = error instanceof Error && error.message === readTimeout;
      if (isUnresponsive) responseGuard.reportNoResponse();
      if (isOutdatedPlan(error)) names.forget();
      throw error;
    }
  };
  const query = async (text: string, values: readonly unknown[]) => {
    // One try more than connections that can be lost.
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
      // The driver has this field; its types do not.
      const { processID } = (client ?? {}) as { processID?: number | null };
      if (typeof processID === 'number') await canceller.cancel(processID);
    },
    query: query as unknown as PostgresConnection['query'],
    // A late response could reach the next user of the connection.
    release: () => client?.release(isUnresponsive),
  };
}

const changesNothing = /^(begin|start transaction|select)\b/i;

/** The driver's message when no response arrives in time. */
const readTimeout = 'Query read timeout';

/** A failed connection is never the fault of the request. */
function rethrowUnavailable(error: unknown): never {
  throw createUnavailable(error);
}

const int8 = 20;

/** Row numbers and counts stay far below 2⁵³. */
const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/** Maximum of prepared statements per connection, and of texts remembered until they occur again. */
const namesMax = 400;
const seenMax = 1_000;

interface StatementNames {
  /** Undefined: do not prepare this text. */
  nameOf(text: string): string | undefined;
  /** The tables have changed: prepares all statements again, under new names. */
  forget(): void;
}

/**
 * Returns names for prepared statements. Planning the JSON of a person takes longer than reading it, so a text that
 * occurs again is prepared. Callers' filters produce new texts without end: when all names are used, further texts are
 * planned each time.
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

/** Cancels statements whose client has disconnected. */
interface PostgresCanceller {
  /** Resolves once the database has received the request. If it cannot be sent, the statement ends at its deadline. */
  cancel(processId: number): Promise<void>;
  end(): Promise<void>;
}

const cancelMsMax = 1_000;

/** Uses a connection of its own, opened on first use, because the others may all be busy. */
function createPostgresCanceller(url: string): PostgresCanceller {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: cancelMsMax,
    query_timeout: cancelMsMax,
    idleTimeoutMillis: 10_000,
    application_name: 'rostergate-scheduling-cancel',
  });
  // An unhandled error event of a lost connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async cancel(processId) {
      await pool.query('SELECT pg_cancel_backend($1)', [processId]).catch(() => {});
    },
    end: () => pool.end(),
  };
}
