import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A separate database for a test: a file, or a database on the PostgreSQL server of the run. */
export interface OwnDatabase {
  /** The settings of a scheduling server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Creates a file, or with `TEST_WITH=postgres` a PostgreSQL database. */
export async function createDatabase(): Promise<OwnDatabase> {
  const { TEST_WITH, TEST_POSTGRES_URL } = process.env;
  if (TEST_WITH !== 'postgres') return createFile();
  if (TEST_POSTGRES_URL === undefined) throw new Error('TEST_WITH=postgres requires TEST_POSTGRES_URL.');
  return createPostgresDatabase(TEST_POSTGRES_URL);
}

/** Creates a file. */
export async function createFile(): Promise<OwnDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-database-'));
  return {
    env: { ROSTERGATE_SCHEDULING_DATABASE_FILE: join(folder, 'scheduling.sqlite') },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @param server URL of any database on the server */
export async function createPostgresDatabase(server: string): Promise<OwnDatabase> {
  const name = `acceptance_${randomUUID().replaceAll('-', '')}`;
  await runSql(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    env: { ROSTERGATE_SCHEDULING_DATABASE_URL: url.href },
    drop: () => runSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Runs one statement on a new connection. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
