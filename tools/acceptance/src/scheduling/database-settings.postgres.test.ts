import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase, type OwnDatabase } from '../database.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey } from '../staff/callers.ts';

let database: OwnDatabase;
let server: SchedulingProcess;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_DATABASE_CONNECTIONS_MAX: '3' } });
  client = new pg.Client({ connectionString: database.env.ROSTERGATE_SCHEDULING_DATABASE_URL });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.stop();
  await database.drop();
});

const whole = `/v2/staffmember?companyKey=${companyKey}`;

test('setting database_url: people are stored there, and no file is created', async () => {
  const { rows } = await client.query('SELECT count(*)::int AS people FROM staff');
  expect(rows[0].people).toBeGreaterThanOrEqual(1_000);
  expect((await server.callAs('reader', `${whole}&$count=true&$top=0`)).body['@odata.count']).toBe(1_000);
  expect(server.log.find(({ msg }) => msg === 'listening')?.database).toBe('postgresql');
  const url = inject('servers').env.ROSTERGATE_SCHEDULING_DATABASE_URL ?? '';
  expect(server.output()).not.toContain(new URL(url).password);
});

test('setting database_connections_max: limits the connections under any load', async () => {
  let most = 0;
  let isAsking = true;
  const watch = async () => {
    while (isAsking) {
      // PostgreSQL's own workers, such as autovacuum, are not connections.
      const sql =
        "SELECT count(*)::int AS used FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
      most = Math.max(most, (await client.query(sql)).rows[0].used);
    }
  };
  const watching = watch();
  const responses = await Promise.all(Array.from({ length: 20 }, () => server.callAs('reader', `${whole}&$top=50`)));
  isAsking = false;
  await watching;
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(3);
});

test('setting statement_timeout_ms: a query past it is 400 with the reason, and others continue', async () => {
  // A server of its own: on a busy machine a usual statement may take as long. The first one has added the people.
  const env = { ROSTERGATE_SCHEDULING_SEED: 'none', ROSTERGATE_SCHEDULING_STATEMENT_TIMEOUT_MS: '1000' };
  const limited = await startScheduling({ database, env });
  onTestFinished(async () => {
    await limited.stop();
  });
  const names = 'concat(concat(tolower(a/CategoryName),b/CategoryName),d/CategoryName)';
  const lambdas = `Tags/any(a:Tags/any(b:Tags/any(d:Skillset/any(c:contains(${names},c/TaskName)))))`;
  const costly = Array.from({ length: 6 }, () => lambdas).join(' or ');
  const { status, body } = await limited.callAs('admin', `${whole}&$filter=${encodeURIComponent(costly)}&$count=true`);
  expect([status, body.code, body.kind]).toEqual([400, 'query_too_costly', 'ValidationError']);
  await expect.poll(async () => (await limited.callAs('admin', `${whole}&$top=1`)).status).toBe(200);
});
