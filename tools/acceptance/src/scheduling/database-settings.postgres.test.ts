import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, type OwnDatabase } from '../database.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey } from '../staff/callers.ts';

let database: OwnDatabase;
let server: SchedulingProcess;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  const env = {
    ROSTERGATE_SCHEDULING_DATABASE_CONNECTIONS_MAX: '3',
    ROSTERGATE_SCHEDULING_STATEMENT_TIMEOUT_MS: '400',
  };
  server = await startScheduling({ database, env });
  client = new pg.Client({ connectionString: database.env.ROSTERGATE_SCHEDULING_DATABASE_URL });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.stop();
  await database.drop();
});

const whole = `/v2/staffmember?companyKey=${companyKey}`;

test('setting database_url: people are kept there, and no file is made', async () => {
  const { rows } = await client.query('SELECT count(*)::int AS people FROM staff');
  expect(rows[0].people).toBeGreaterThanOrEqual(1_000);
  expect((await server.callAs('reader', `${whole}&$count=true&$top=0`)).body['@odata.count']).toBe(1_000);
  expect(server.log.find(({ msg }) => msg === 'listening')?.database).toBe('postgresql');
  const url = inject('servers').env.ROSTERGATE_SCHEDULING_DATABASE_URL ?? '';
  expect(server.output()).not.toContain(new URL(url).password);
});

test('setting database_connections_max: never more than so many at a time, whatever is asked', async () => {
  let most = 0;
  let isAsking = true;
  const watch = async () => {
    while (isAsking) {
      // PostgreSQL's own workers, such as those of autovacuum, are nobody's connections.
      const sql =
        "SELECT count(*)::int AS used FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
      most = Math.max(most, (await client.query(sql)).rows[0].used);
    }
  };
  const watching = watch();
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.callAs('reader', `${whole}&$top=50`)));
  isAsking = false;
  await watching;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(3);
});

test('setting statement_timeout_ms: a query past it is 400 and says so, and others go on', async () => {
  const lambdas =
    'Tags/any(a:Tags/any(b:Skillset/any(c:contains(concat(tolower(a/CategoryName),b/CategoryName),c/TaskName))))';
  const costly = Array.from({ length: 6 }, () => lambdas).join(' or ');
  const { status, body } = await server.callAs('admin', `${whole}&$filter=${encodeURIComponent(costly)}&$count=true`);
  expect([status, body.code, body.kind]).toEqual([400, 'query_too_costly', 'ValidationError']);
  expect((await server.callAs('admin', `${whole}&$top=1`)).status).toBe(200);
});
