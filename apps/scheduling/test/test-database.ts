import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Closes its remaining connections and drops it. */
  drop(): Promise<void>;
}

/** Creates an empty database on the server of the test run, or a copy of another one, which has no connections. */
export async function createTestDatabase(copied = 'template1'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(`CREATE DATABASE ${name} TEMPLATE ${copied}`);
  const url = new URL(serverUrl());
  url.pathname = name;
  return { name, url: url.href, drop: () => runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

let server: pg.Pool | undefined;

/** Runs a statement outside of the test databases. */
export async function runOnServer(statement: string): Promise<void> {
  server ??= connectToServer();
  await server.query(statement);
}

/** One connection for all tests of a process, because logging in takes as long as many statements. */
function connectToServer(): pg.Pool {
  const pool = new pg.Pool({ connectionString: serverUrl(), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server ends before this process.
  pool.on('error', () => {});
  return pool;
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (url === undefined) throw new Error('Run this with TEST_WITH=postgres: it needs a server.');
  return url;
}
