import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '../../../workspace/start-postgres.ts';
import { createPostgresDatabase } from '../database.ts';
import { type GatewayProcess, goodKey, runCommand, startGateway } from '../gateway-process.ts';
import { pollUntil } from '../poll-until.ts';
import { whenTestEnds } from '../when-test-ends.ts';

const endpoints = [{ path: '/api/fixed', service: 'static', parameters: { answer: 'fixed' } }];
const headers = { 'X-API-Key': goodKey };

const callTimes = (gateway: GatewayProcess, times: number) =>
  Promise.all(Array.from({ length: times }, () => gateway.call('/api/fixed', { headers })));

test('setting usage_store_url: gateways share a database, and an outage of it loses and repeats no count', async () => {
  const database = await startPostgres();
  whenTestEnds(database.close);
  const env = { ROSTERGATE_USAGE_STORE_URL: database.url };
  const start = () =>
    startGateway({ endpoints, env, settings: { usage: { flush_seconds: 1 }, rate_limit_enabled: true } });
  const [one, two] = await Promise.all([start(), start()]);
  const usageIn = async ({ url }: GatewayProcess) => {
    const ready = (await (await fetch(`${url}/health/ready`)).json()) as { dependencies: { usage: UsageStatus } };
    return ready.dependencies.usage;
  };
  const becomes = (gateway: GatewayProcess, status: string) =>
    pollUntil(async () => (await usageIn(gateway)).status === status, {
      ...{ withinMs: 60_000, everyMs: 200, describe: gateway.output },
    });
  await Promise.all([callTimes(one, 20), callTimes(two, 30)]);

  await callTimes(one, 7);
  await database.stop();
  await callTimes(one, 13);
  await becomes(one, 'degraded');
  expect((await usageIn(one)).waiting_requests).toBeGreaterThanOrEqual(13);
  const unavailable = await one.call('/usage', { headers });
  expect([unavailable.status, unavailable.body.code]).toEqual([503, 'unavailable']);
  expect(unavailable.headers.has('ratelimit')).toBe(true);

  await database.start();
  await becomes(one, 'ready');
  await callTimes(two, 10);
  expect(await Promise.all([one.stop(), two.stop()])).toEqual([0, 0]);
  const { stdout } = await runCommand(['usage', '--by', 'operation', '--json'], { cwd: one.folder, env });
  const rows: { operation: string; requests: number }[] = JSON.parse(stdout);
  const counts = rows.filter(({ operation }) => operation === 'getApiFixed');
  expect(counts.reduce((sum, { requests }) => sum + requests, 0)).toBe(80);
  expect(one.output() + two.output()).not.toContain(new URL(database.url).password);
});

interface UsageStatus {
  readonly status: string;
  readonly waiting_requests: number;
}

interface SqlPanel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql: string }[];
}

test('setting usage_store_url: every panel of the Grafana dashboard shows the counts', async () => {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL ?? '');
  whenTestEnds(database.drop);
  const url = database.env.ROSTERGATE_SCHEDULING_DATABASE_URL ?? '';
  const gateway = await startGateway({
    endpoints,
    env: { ROSTERGATE_USAGE_STORE_URL: url },
    settings: { usage: {} },
  });
  await callTimes(gateway, 3);
  expect(await gateway.stop()).toBe(0);
  const dashboard = readFileSync(new URL('../../../../ops/grafana/usage.json', import.meta.url), 'utf8');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  whenTestEnds(() => client.end());
  for (const { title, targets } of (JSON.parse(dashboard) as { panels: SqlPanel[] }).panels) {
    for (const { rawSql } of targets) {
      // What Grafana writes for its macro.
      const sql = rawSql.replaceAll('$__timeFilter(hour)', `hour BETWEEN now() - interval '7 days' AND now()`);
      const { rows } = await client.query(sql);
      const total = rows.reduce((sum, { requests }) => sum + Number(requests), 0);
      expect(total, title).toBeGreaterThanOrEqual(3);
    }
  }
});
