import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toSql, toSqlKeys } from '../src/index.ts';
import { describeDifferential, type Engine, toKey } from './differential.contract.ts';
import { mapping, schema, tableRows } from './people.ts';

describeDifferential('PostgreSQL', createPostgres);

/** Creates a database on the server of the test run. */
async function createPostgres(): Promise<Engine> {
  const serverUrl = process.env.TEST_POSTGRES_URL;
  const database = `odata_${randomUUID().replaceAll('-', '')}`;
  const server = await connect(serverUrl);
  await server.query(`CREATE DATABASE ${database}`);
  const url = new URL(serverUrl as string);
  url.pathname = database;
  const client = await connect(url.href);
  for (const sql of schema({ text: 'text', double: 'double precision', boolean: 'boolean' })) await client.query(sql);
  return {
    async load(rows) {
      for (const [table, values] of Object.entries(tableRows(rows))) {
        await client.query(`DELETE FROM ${table}`);
        for (const row of values) {
          const places = row.map((_, i) => `$${i + 1}`).join(', ');
          await client.query(`INSERT INTO ${table} VALUES (${places})`, row);
        }
      }
    },
    async find(query) {
      const { where, orderby } = toSql(query, 'postgres', { mapping, row: 'p' });
      const parameters = [...(where?.parameters ?? []), ...(orderby?.parameters ?? [])];
      const keys = toSqlKeys(query, 'postgres', { mapping, row: 'p', firstParameter: parameters.length + 1 });
      const columns = ['key', ...keys.map(({ text }, i) => `${text} AS k${i}`)].join(', ');
      const order = orderby === undefined ? '' : `${orderby.text}, `;
      const text = `SELECT ${columns} FROM person AS p WHERE ${where?.text ?? 'true'} ORDER BY ${order}key COLLATE "C"`;
      const { rows } = await client.query(text, [...parameters, ...keys.flatMap((key) => key.parameters)]);
      return rows.map((row) => ({ key: row.key, values: keys.map((_, i) => toKey(row[`k${i}`], query.orderby[i])) }));
    },
    async close() {
      await client.end();
      await server.query(`DROP DATABASE ${database}`);
      await server.end();
    },
  };
}

async function connect(connectionString: string | undefined): Promise<pg.Client> {
  if (connectionString === undefined)
    throw new Error('TEST_POSTGRES_URL is not set: run this test with TEST_WITH=postgres.');
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
