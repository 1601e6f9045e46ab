import { readFile } from 'node:fs/promises';
// The test helper of its package; tools may import files that packages do not export.
import { type RedisServer, startRedis } from '../../../../packages/access/test/start-redis.ts';
import { loadDemoCredentials } from '../../../workspace/demo-credentials.mjs';
import { pickFreePorts } from '../../../workspace/free-ports.ts';
import { type PostgresServer, startPostgres } from '../../../workspace/start-postgres.ts';
import { type AtEnd, makeTemporaryFolder } from '../at-end.ts';
import { pollUntil } from '../poll-until.ts';
import type { ServerProcess } from '../server-process.ts';
import { spawnGateway } from '../spawn-gateway.ts';
import { spawnProxy } from '../spawn-proxy.ts';
import { spawnScheduling } from '../spawn-scheduling.ts';

/** One server at a fixed address, with a new process after each restart. */
export interface Member {
  readonly url: string;
  process(): ServerProcess;
  /** Stops the process by a signal and starts a new one at the same address; resolves once it is ready. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Two of each server: both gateways use both proxies, and each proxy its own scheduling server. */
export interface Fleet {
  readonly gateways: readonly Member[];
  readonly proxies: readonly Member[];
  readonly schedulings: readonly Member[];
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
}

export interface FleetOptions {
  readonly gatewaySettings?: Readonly<Record<string, unknown>>;
  readonly proxySettings?: Readonly<Record<string, unknown>>;
  readonly schedulingEnv?: Readonly<Record<string, string>>;
}

/** Starts six servers on one Redis and one PostgreSQL, with the endpoints `GET /api/staff` and `POST /api/staff`. */
export async function startFleet(options: FleetOptions, atEnd: AtEnd): Promise<Fleet> {
  const { gatewaySettings = {}, proxySettings = {}, schedulingEnv = {} } = options;
  const folder = await makeTemporaryFolder('rostergate-fleet-', atEnd);
  const { credentials, env } = await loadDemoCredentials(folder);
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  atEnd(postgres.close);
  atEnd(redis.close);
  const ports = await pickFreePorts(6);
  const portOf = (kind: number, i: number) => String(ports[kind * 2 + i]);
  const inTurn = async (start: (i: number) => Promise<Member>) => [await start(0), await start(1)];

  const schedulings = await inTurn((i) =>
    startMember(
      (endings) =>
        spawnScheduling({
          ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: env.ROSTERGATE_SCHEDULING_ACCOUNTS_FILE ?? '',
          ROSTERGATE_SCHEDULING_DATABASE_URL: postgres.url,
          ROSTERGATE_SCHEDULING_SEED: 'demo',
          ...schedulingEnv,
          ROSTERGATE_SCHEDULING_PORT: portOf(0, i),
        }).then((server) => {
          endings(server.stop);
          return server;
        }),
      atEnd,
    ),
  );
  const keysFile = JSON.parse(await readFile(env.ROSTERGATE_PROXY_KEYS_FILE ?? '', 'utf8'));
  const proxies = await inTurn((i) =>
    startMember(
      (endings) =>
        spawnProxy(
          {
            keysFile,
            settings: { upstream_url: schedulings[i]?.url, redis_url: redis.url, ...proxySettings },
            env: { ROSTERGATE_PROXY_PORT: portOf(1, i) },
          },
          endings,
        ),
      atEnd,
    ),
  );
  const upstream = {
    targets: proxies.map(({ url }) => url),
    path: '/v2/staffmember',
    headers: { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY },
  };
  const endpoints = ['GET', 'POST'].map((method) => ({ path: '/api/staff', method, service: 'http', upstream }));
  const gateways = await inTurn((i) =>
    startMember(
      (endings) =>
        spawnGateway(
          {
            settings: { redis_url: redis.url, ...gatewaySettings },
            endpoints,
            env: { ROSTERGATE_PORT: portOf(2, i) },
          },
          endings,
        ),
      atEnd,
    ),
  );
  return { gateways, proxies, schedulings, redis, postgres };
}

async function startMember(
  spawn: (atEnd: AtEnd) => Promise<ServerProcess & { readonly url: string }>,
  atEnd: AtEnd,
): Promise<Member> {
  let server = await spawn(atEnd);
  const { url } = server;
  return {
    url,
    process: () => server,
    async restart(signal) {
      if (signal === 'SIGKILL') server.child.kill(signal);
      await server.stop();
      server = await spawn(atEnd);
      await pollUntil(async () => (await fetch(`${url}/health/ready`)).status === 200, {
        withinMs: 30_000,
        describe: () => `${url} is not ready`,
      });
    },
  };
}
