import { randomUUID } from 'node:crypto';
import { Problem } from '@rostergate/server/problem';
import { Kysely, PostgresDialect } from 'kysely';
import { createAccountStore } from '../accounts/sql-account-store.ts';
import { createWebhookStore } from '../webhooks/sql-webhook-store.ts';
import { migrate } from './migrate.ts';
import { createPause } from './pace.ts';
import { createUnavailable, isWorthRepeating } from './postgres-errors.ts';
import { lockCompany, postgresFlavour } from './postgres-flavour.ts';
import { createPostgresPool, type PostgresConnections, type PostgresPoolOptions } from './postgres-pool.ts';
import type { ReadEngine } from './read-engine.ts';
import type { Sql } from './sql-flavour.ts';
import { refreshOutdatedDocuments } from './staff-documents.ts';
import { createStaffStore, type OpenStore } from './staff-store.ts';
import type { Tables, TransactCompany } from './tables.ts';

export interface PostgresStoreOptions extends PostgresPoolOptions {
  readonly clock?: () => number;
  readonly newKey?: () => string;
}

/** Opens an existing database, empty or not, and migrates it. Several processes may do so at once. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<OpenStore> {
  const { clock = Date.now, newKey = randomUUID } = options;
  const migrated = await prepareDatabase(options.url);
  const { pool, db } = connect(options);
  const transact = createTransactCompany(db, options.statementTimeoutMs);
  const engine = createPostgresReadEngine(pool);
  const parts = { reads: db, writes: db, engine, transact, flavour: postgresFlavour, clock };
  return {
    migrated,
    store: createStaffStore({ ...parts, newKey, pause: createPause() }),
    accounts: createAccountStore(db, postgresFlavour),
    webhooks: createWebhookStore(parts),
  };
}

/** Migrates over a connection of its own, which has no timeouts. */
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

/** Queued writes of a company hold no connection, so that one company's writers leave connections for the others. */
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
          // A write is slow because of other work, not because of its request.
          if (error instanceof Problem && error.code === 'query_too_costly') throw createUnavailable(error.cause);
          if (attempt === attemptsMax || !isWorthRepeating(error)) throw error;
        }
      }
    });
  };
}

/** Returns an engine that cancels a statement in the database when the client disconnects. */
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
        // A late cancellation must not hit the next user of the connection.
        await cancelled;
        client.release();
      }
    },
  };
}

/** Returns a function that runs work of the same key in order, one at a time, and of different keys in parallel. */
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
