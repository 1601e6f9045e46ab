import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresUsageStore } from './postgres-usage-store.ts';
import { countOf, describeUsageStore } from './usage-store.contract.ts';

const name = `usage_${randomUUID().replaceAll('-', '')}`;
const server = new URL(process.env.TEST_POSTGRES_URL ?? '');
const database = new URL(server);
database.pathname = name;

async function run(url: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

beforeAll(() => run(server, `CREATE DATABASE ${name}`));
afterAll(() => run(server, `DROP DATABASE ${name} WITH (FORCE)`));

describeUsageStore('The store of usage in PostgreSQL', { open: () => openPostgresUsageStore(database.href) });

it('needs no right to create tables where they exist', async () => {
  await (await openPostgresUsageStore(database.href)).close();
  await run(
    database,
    `CREATE ROLE ${name} LOGIN PASSWORD 'p'; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`,
  );
  const url = Object.assign(new URL(database), { username: name, password: 'p' });
  const store = await openPostgresUsageStore(url.href);
  await store.add({ writer: 'plain', sequence: 1, counts: [countOf({ owner: 'plain' })] });
  await store.close();
  await run(database, `DROP OWNED BY ${name}; DROP ROLE ${name}`);
  expect(url.username).toBe(name);
});

it('rejects when the database does not exist, and leaves no connection', async () => {
  const url = Object.assign(new URL(database), { pathname: '/no_such_database' });
  await expect(openPostgresUsageStore(url.href)).rejects.toThrow('no_such_database');
});
