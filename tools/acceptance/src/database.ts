import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A database of a test's own: a file, or one on the PostgreSQL server that the run has started. */
export interface OwnDatabase {
  /** What a scheduling server has to be told to use it. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Of the kind that the run is about: `TEST_WITH=postgres` runs the same files on PostgreSQL. */
export async function createDatabase(): Promise<OwnDatabase> {
  const { TEST_WITH, TEST_POSTGRES_URL } = process.env;
  if (TEST_WITH !== 'postgres') return createFile();
  if (TEST_POSTGRES_URL === undefined) throw new Error('TEST_WITH=postgres starts a server, and there is none.');
  return createPostgresDatabase(TEST_POSTGRES_URL);
}

/** A file of its own. */
export async function createFile(): Promise<OwnDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-database-'));
  return {
    env: { ROSTERGATE_SCHEDULING_DATABASE_FILE: join(folder, 'scheduling.sqlite') },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @param server URL of any database there, which is used to make the other one */
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

/** Runs one statement on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
