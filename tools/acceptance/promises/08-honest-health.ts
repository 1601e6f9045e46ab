import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, judge } from '../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { findPostgres, startPostgres } from '../../workspace/start-postgres.ts';
import type { AtEnd } from '../src/at-end.ts';
import { createFile, createPostgresDatabase } from '../src/database.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask-once.ts';
import { definePromise, NotRun, type Trial } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-redis.ts';
import { spawnServer } from '../src/server-process.ts';
import { serverPrograms } from '../src/server-programs.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';
import { spawnScheduling } from '../src/spawn-scheduling.ts';

/** Something that a server depends on, taken away and given back. */
interface Outage {
  readonly name: string;
  readonly url: string;
  /** What readiness says meanwhile. */
  readonly status: number;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

export const promise = definePromise({
  number: 8,
  title: 'Health is honest',
  done: 'Redis is killed and frozen, PostgreSQL killed, the API behind the proxy ended; and each comes back',
  target: 'readiness correct in 2 s, liveness unaffected',
  isAlone: true,
  async run(trial) {
    if (findPostgres() === undefined) throw new NotRun('PostgreSQL is not here: apt-get install postgresql.');
    const outages = [...(await redisOutages(trial.atEnd)), ...(await databaseOutages(trial.atEnd))];
    const figures: Figure[] = [];
    for (const outage of outages) figures.push(...(await tryOutage(outage, trial)));
    return figures;
  },
});

async function tryOutage({ name, url, status, begin, end }: Outage, { often, say }: Trial): Promise<Figure[]> {
  let [noticedMs, backMs, aliveMs] = [0, 0, 0];
  let dead = 0;
  let isEnding = false;
  const watching = (async () => {
    while (!isEnding) {
      const startedMs = performance.now();
      const { status: alive } = await askOnce(`${url}/health/live`);
      if (alive !== 200) dead++;
      aliveMs = Math.max(aliveMs, performance.now() - startedMs);
      await wait(20);
    }
  })();
  /** How long until readiness says so, and says nothing else any more. */
  const until = async (wanted: number): Promise<number> => {
    const startedMs = performance.now();
    const isSo = async () => (await askOnce(`${url}/health/ready`)).status === wanted;
    await pollUntil(isSo, { withinMs: 30_000, everyMs: 20, describe: () => `readiness is not ${wanted}: ${name}` });
    return performance.now() - startedMs;
  };
  const rounds = often({ ci: 1, full: 5 });
  for (let i = 0; i < rounds; i++) {
    await until(200);
    await begin();
    noticedMs = Math.max(noticedMs, await until(status));
    await end();
    backMs = Math.max(backMs, await until(200));
  }
  isEnding = true;
  await watching;
  say(`${name} done`);
  return [
    judge({ name: `until it is told: ${name}`, unit: 'ms', max: 2_000 }, noticedMs),
    judge({ name: `until it is back: ${name}`, unit: 'ms', max: 2_000 }, backMs),
    judge({ name: 'times not alive', unit: '', max: 0 }, dead),
    judge({ name: 'slowest to be alive', unit: 'ms', max: 500 }, aliveMs),
  ];
}

async function redisOutages(atEnd: AtEnd): Promise<Outage[]> {
  const redis = await needRedis(atEnd);
  const settings = { rate_limit_enabled: true, redis_url: redis.url, rate_limit_on_store_failure: 'closed' };
  const { url } = await spawnGateway({ settings }, atEnd);
  return [
    { name: 'Redis killed', url, status: 503, begin: redis.stop, end: redis.start },
    { name: 'Redis frozen', url, status: 503, begin: redis.freeze, end: redis.thaw },
  ];
}

async function databaseOutages(atEnd: AtEnd): Promise<Outage[]> {
  const postgres = await startPostgres();
  atEnd(postgres.close);
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-health-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { env } = await loadDemoCredentials(folder);
  const { env: databaseEnv } = await createPostgresDatabase(postgres.url);
  const { ROSTERGATE_SCHEDULING_DATABASE_FILE, ...accounts } = env;
  const api = await spawnScheduling({ ...accounts, ...databaseEnv });
  atEnd(api.stop);
  const file = await createFile();
  atEnd(file.drop);
  let upstream = await spawnScheduling({ ...env, ...file.env });
  atEnd(() => upstream.stop());
  const { port } = new URL(upstream.url);
  const proxy = spawnServer({
    ...{ program: serverPrograms['staff-proxy'].file, args: ['serve'], cwd: folder },
    env: { ...env, ROSTERGATE_PROXY_PORT: '0', ROSTERGATE_PROXY_UPSTREAM_URL: upstream.url },
  });
  atEnd(proxy.stop);
  const { port: proxyPort } = await proxy.logged(({ msg }) => msg === 'listening');
  return [
    { name: 'PostgreSQL killed', url: api.url, status: 503, begin: postgres.stop, end: postgres.start },
    {
      name: 'API behind the proxy ended',
      url: `http://127.0.0.1:${proxyPort}`,
      status: 503,
      begin: () => upstream.stop(),
      end: async () => {
        upstream = await spawnScheduling({ ...env, ...file.env, ROSTERGATE_SCHEDULING_PORT: port });
      },
    },
  ];
}
