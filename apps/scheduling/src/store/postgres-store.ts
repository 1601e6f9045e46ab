import { randomUUID } from 'node:crypto';
import { Problem } from '@rostergate/runtime/problem';
import { Kysely, PostgresDialect } from 'kysely';
import { createAccountStore } from '../accounts/sql-account-store.ts';
import { migrate } from './migrate.ts';
import { createUnavailable, isWorthRepeating } from './postgres-errors.ts';
import { lockCompany, postgresFlavour } from './postgres-flavour.ts';
import { createPostgresPool, type PostgresConnections, type PostgresPoolOptions } from './postgres-pool.ts';
import type { ReadEngine } from './read-engine.ts';
import type { Sql } from './sql-flavour.ts';
import { createSqlStaffStore } from './sql-staff-store.ts';
import { refreshOutdatedDocuments } from './staff-documents.ts';
import type { OpenStore } from './staff-store.ts';
import type { Tables, TransactCompany } from './tables.ts';

export interface PostgresStoreOptions extends PostgresPoolOptions {
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** A key for somebody or something new. */
  readonly newKey?: () => string;
}

/** Opens a database that is there, empty or not, and brings it to the newest shape. Several may do so at once. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<OpenStore> {
  const { clock = Date.now, newKey = randomUUID } = options;
  const migrated = await prepareDatabase(options.url);
  const { pool, db } = connect(options);
  const transact = createTransactCompany(db, options.statementTimeoutMs);
  return {
    migrated,
    store: createSqlStaffStore({
      ...{ reads: db, writes: db, engine: createPostgresReadEngine(pool), transact },
      ...{ flavour: postgresFlavour, clock, newKey },
    }),
    accounts: createAccountStore(db, postgresFlavour),
  };
}

/** Over a connection of its own, which has all the time that it needs. */
async function prepareDatabase(url: string): Promise<readonly string[]> {
  const { db } = connect({ url, connectionsMax: 1, statementTimeoutMs: 0 });
  try {
    const migrated = await migrate(db as unknown as Kysely<unknown>, postgresFlavour.columnTypes);
    await refreshOutdatedDocuments(db, postgresFlavour, createTransactCompany(db, Number.POSITIVE_INFINITY));
    return migrated;
  } finally {
    await db.destroy();
  }
}

function connect(options: PostgresPoolOptions) {
  const pool = createPostgresPool(options);
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}

const attemptsMax = 3;

/** Who waits for a company waits without a connection, so that one company's writers leave some to all the others. */
function createTransactCompany(db: Kysely<Tables>, waitMsMax: number): TransactCompany {
  const inTurn = createTurns();
  return (companyKey, work) => {
    const askedMs = performance.now();
    return inTurn(companyKey, async () => {
      for (let attempt = 1; ; attempt++) {
        if (performance.now() - askedMs > waitMsMax) throw createUnavailable();
        try {
          return await db.transaction().execute(async (trx) => {
            await lockCompany(trx, companyKey);
            return work(trx);
          });
        } catch (error) {
          // A write takes long because of what else goes on, and not because of what was asked.
          if (error instanceof Problem && error.code === 'query_too_costly') throw createUnavailable(error.cause);
          if (attempt === attemptsMax || !isWorthRepeating(error)) throw error;
        }
      }
    });
  };
}

/** Reads straight from the connections: a statement ends in the database when nobody waits for it any more. */
function createPostgresReadEngine(connections: PostgresConnections): ReadEngine {
  return {
    async select<R>({ text, parameters }: Sql, signal?: AbortSignal) {
      signal?.throwIfAborted();
      const client = await connections.connect();
      let cancelled: Promise<void> | undefined;
      const cancel = () => {
        cancelled = client.cancel();
      };
      try {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', cancel);
        const { rows } = await client.query<R>(text, parameters);
        return rows;
      } finally {
        signal?.removeEventListener('abort', cancel);
        // Whoever has the connection next is not to be cancelled in its place.
        await cancelled;
        client.release();
      }
    },
  };
}

/** Runs what has the same key one by one, in the order in which it came, and all else side by side. */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    last.set(key, own);
    const leave = () => {
      if (last.get(key) === own) last.delete(key);
    };
    own.then(leave, leave);
    return own;
  };
}
