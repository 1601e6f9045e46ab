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

/** Runs a statement outside of the test databases. */
export async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (url === undefined) throw new Error('Run this with TEST_WITH=postgres: it needs a server.');
  return url;
}
