import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { type AtEnd, makeTemporaryFolder } from '../src/at-end.ts';
import { createFile, createPostgresDatabase } from '../src/database.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { needPostgres, needRedis } from '../src/promises/need-services.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { spawnServer } from '../src/server-process.ts';
import { serverPrograms } from '../src/server-programs.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';
import { spawnScheduling } from '../src/spawn-scheduling.ts';

/** An outage of a dependency of a server. */
interface Outage {
  readonly name: string;
  readonly url: string;
  /** The process of the server. */
  readonly pid: number;
  /** The status of readiness during the outage. */
  readonly status: number;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

export const promise = definePromise({
  number: 8,
  title: 'Health reflects every dependency',
  done: 'Redis is killed and frozen, PostgreSQL is killed, and the upstream of the proxy is stopped; each then comes back',
  excludes: 'time in which the server or the client waited for the CPU',
  target: 'readiness correct within 2 s, liveness unaffected',
  runsAlone: 'at full scale',
  async run(trial) {
    const outages = [...(await redisOutages(trial.atEnd)), ...(await databaseOutages(trial.atEnd))];
    const figures: Figure[] = [];
    for (const outage of outages) figures.push(...(await tryOutage(outage, trial)));
    return figures;
  },
});

async function tryOutage({ name, url, pid, status, begin, end }: Outage, trial: Trial): Promise<Figure[]> {
  const { byScale, say, atEnd } = trial;
  const stalls = watchStalls([pid, process.pid], atEnd);
  let [noticedMs, backMs, aliveMs] = [0, 0, 0];
  let dead = 0;
  let isEnding = false;
  const watching = (async () => {
    while (!isEnding) {
      const startedMs = performance.now();
      const { status: alive } = await askOnce(`${url}/health/live`);
      if (alive !== 200) dead++;
      aliveMs = Math.max(aliveMs, stalls.lateMs(startedMs));
      await wait(20);
    }
  })();
  /** Returns the milliseconds until readiness has the status. */
  const until = async (wanted: number): Promise<number> => {
    const startedMs = performance.now();
    const isReached = async () => (await askOnce(`${url}/health/ready`)).status === wanted;
    await pollUntil(isReached, {
      withinMs: 30_000,
      everyMs: 20,
      describe: () => `readiness is not ${wanted}: ${name}`,
    });
    return stalls.lateMs(startedMs);
  };
  const rounds = byScale({ ci: 1, full: 5 });
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
    toFigure({ name: `until reported: ${name}`, unit: 'ms', max: 2_000 }, noticedMs),
    toFigure({ name: `until recovered: ${name}`, unit: 'ms', max: 2_000 }, backMs),
    toFigure({ name: 'liveness failures', unit: '', max: 0 }, dead),
    toFigure({ name: 'slowest liveness response', unit: 'ms', max: 500 }, aliveMs),
  ];
}

async function redisOutages(atEnd: AtEnd): Promise<Outage[]> {
  const redis = await needRedis(atEnd);
  const settings = { rate_limit_enabled: true, redis_url: redis.url, rate_limit_on_store_failure: 'closed' };
  const { url, child } = await spawnGateway({ settings }, atEnd);
  const pid = child.pid as number;
  return [
    { name: 'Redis killed', url, pid, status: 503, begin: redis.stop, end: redis.start },
    { name: 'Redis frozen', url, pid, status: 503, begin: redis.freeze, end: redis.thaw },
  ];
}

async function databaseOutages(atEnd: AtEnd): Promise<Outage[]> {
  const postgres = await needPostgres(atEnd);
  const folder = await makeTemporaryFolder('rostergate-health-', atEnd);
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
    {
      ...{ name: 'PostgreSQL killed', url: api.url, pid: api.child.pid as number, status: 503 },
      ...{ begin: postgres.stop, end: postgres.start },
    },
    {
      name: 'upstream of the proxy stopped',
      url: `http://127.0.0.1:${proxyPort}`,
      pid: proxy.child.pid as number,
      status: 503,
      begin: () => upstream.stop(),
      end: async () => {
        upstream = await spawnScheduling({ ...env, ...file.env, ROSTERGATE_SCHEDULING_PORT: port });
      },
    },
  ];
}
