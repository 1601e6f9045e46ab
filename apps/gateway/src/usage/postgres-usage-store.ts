import { Problem } from '@rostergate/server/problem';
import pg from 'pg';
import { removedHoursMax, type UsageQuery, type UsageRow, type UsageStore } from './usage-store.ts';

const connectMs = 3_000;
/** The database ends a long query; this ends the wait when it does not respond. */
const queryMs = 5_000;
const graceMs = 1_000;

// Every name is the same in each schema of the search path, so that several gateways can have a schema each.
const tables = `
  CREATE TABLE IF NOT EXISTS rostergate_usage (
    hour timestamptz NOT NULL, owner text NOT NULL, key text NOT NULL, operation text NOT NULL, status text NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (hour, owner, key, operation, status)
  );
  CREATE TABLE IF NOT EXISTS rostergate_usage_writers (
    writer text PRIMARY KEY, sequence bigint NOT NULL, seen timestamptz NOT NULL
  );
`;

// One statement is one transaction. A repeated delta waits for the first, and then adds nothing.
const addDelta = `
  WITH added AS (
    INSERT INTO rostergate_usage_writers AS known (writer, sequence, seen) VALUES ($1, $2, now())
    ON CONFLICT (writer) DO UPDATE SET sequence = excluded.sequence, seen = excluded.seen
      WHERE known.sequence < excluded.sequence
    RETURNING 1
  )
  INSERT INTO rostergate_usage AS known (hour, owner, key, operation, status, requests)
  SELECT to_timestamp(delta.hour * 3600.0), delta.owner, delta.key, delta.operation, delta.status, delta.requests
  FROM added, unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
    AS delta (hour, owner, key, operation, status, requests)
  -- In one order, so that two writers do not wait for each other.
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (hour, owner, key, operation, status) DO UPDATE SET requests = known.requests + excluded.requests
`;

/** Opens the counts of a database, which several machines may share. */
export async function openPostgresUsageStore(url: string): Promise<UsageStore> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs + graceMs,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'rostergate-usage',
  });
  // An unhandled error event of a lost connection would end the process; the next statement gets the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await createTables(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }

  return {
    async add({ writer, sequence, counts }) {
      const columns = (['hour', 'owner', 'key', 'operation', 'status', 'requests'] as const).map((name) =>
        counts.map((count) => count[name]),
      );
      await pool.query(addDelta, [writer, sequence, ...columns]);
    },
    read: (query) => inTransaction(pool, (client) => read(client, query)),
    async removeBefore(hour) {
      // LEAST ignores the null of an empty table.
      const { rows } = await pool.query(
        `SELECT LEAST($1::timestamptz, min(hour) + interval '${removedHoursMax} hours') AS end FROM rostergate_usage`,
        [new Date(hour * 3_600_000)],
      );
      const { end } = rows[0] as { readonly end: Date };
      // One hour per statement, which has a deadline.
      for (;;) {
        const { rowCount } = await pool.query(
          'DELETE FROM rostergate_usage WHERE hour = (SELECT min(hour) FROM rostergate_usage WHERE hour < $1)',
          [end],
        );
        if (rowCount === 0) break;
      }
      await pool.query('DELETE FROM rostergate_usage_writers WHERE seen < $1', [end]);
    },
    close: () => pool.end(),
  };
}

async function createTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`SELECT to_regclass('rostergate_usage') IS NOT NULL
    AND to_regclass('rostergate_usage_writers') IS NOT NULL AS "isThere"`);
  // The user of a gateway may be one that creates no tables.
  if (rows[0]?.isThere === true) return;
  await inTransaction(pool, async (client) => {
    // PostgreSQL reports a conflict when two processes create a table at once.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('rostergate_usage'))`);
    await client.query(tables);
  });
}

async function read(
  client: pg.PoolClient,
  { owner, fromHour, toHour, intervalHours, by, rowsMax }: UsageQuery,
): Promise<readonly UsageRow[]> {
  const parts = by.map((part) => `, ${part}`).join('');
  const order = ['1', ...by.map((part) => `${part} COLLATE "C"`)].join(', ');
  // The hours of an owner are looked up one by one; those of all owners are one range.
  const where =
    owner === undefined
      ? '($3::text IS NULL)'
      : "owner = $3 AND hour = ANY (ARRAY(SELECT generate_series($1::timestamptz, $2::timestamptz, interval '1 hour')))";
  const { rows } = await client.query(
    `SELECT (floor(extract(epoch FROM hour) / 3600 / ${intervalHours}) * ${intervalHours})::int AS hour${parts},
      sum(requests)::float8 AS requests
    FROM rostergate_usage WHERE hour >= $1 AND hour < $2 AND ${where}
    GROUP BY 1${parts} ORDER BY ${order} LIMIT ${rowsMax}`,
    [new Date(fromHour * 3_600_000), new Date(toHour * 3_600_000), owner ?? null],
  );
  return rows;
}

async function inTransaction<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    // A startup parameter would be rejected by PgBouncer.
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${queryMs}`);
    const result = await run(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error as Error;
    if ((error as { code?: unknown }).code === '57014') {
      throw new Problem('query_too_costly', 'Ask for a shorter range, or fewer parts in "by".', { cause: error });
    }
    throw error;
  } finally {
    // A connection in a failed transaction is closed.
    client.release(failure);
  }
}
