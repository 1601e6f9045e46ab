import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renameOver } from '../../../../../apps/gateway/test/running/edit-styles.ts';
import { type DemoCredentials, loadDemoCredentials } from '../../../../workspace/demo-credentials.mjs';
import { type AtEnd, makeTemporaryFolder } from '../../at-end.ts';
import { createFile } from '../../database.ts';
import { type ServerProcess, spawnServer } from '../../server-process.ts';
import { type SpawnedGateway, spawnGateway } from '../../spawn-gateway.ts';
import { type SpawnedProxy, spawnProxy } from '../../spawn-proxy.ts';
import { spawnScheduling } from '../../spawn-scheduling.ts';
import { endpointsText, fixedEndpoint } from '../live-edits.ts';
import { inspectable } from '../read-resources.ts';

export interface SoakServers {
  readonly gateway: SpawnedGateway;
  readonly proxy: SpawnedProxy;
  readonly scheduling: ServerProcess & { readonly url: string };
  /** A server without logic. */
  readonly bare: ServerProcess & { readonly url: string };
  readonly credentials: DemoCredentials;
  /** Edits the configuration of the gateway and of the proxy, differently for each number. */
  readonly edit: (n: number) => Promise<void>;
}

const manyRequests = 1_000_000;
const limits = {
  rate_limit_enabled: true,
  rate_limit_per_minute: manyRequests,
  rate_limit_per_minute_authenticated: manyRequests,
  log_sample_every: manyRequests,
};

/** Starts the servers of the soak: the three servers, the proxy in front of the API with a cache, and a bare server. */
export async function startSoakServers(atEnd: AtEnd): Promise<SoakServers> {
  const folder = await makeTemporaryFolder('rostergate-soak-', atEnd);
  const { credentials, env } = await loadDemoCredentials(folder);
  const database = await createFile();
  atEnd(database.drop);
  const accounts = { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: env.ROSTERGATE_SCHEDULING_ACCOUNTS_FILE ?? '' };
  const seed = { ROSTERGATE_SCHEDULING_SEED: 'demo', ROSTERGATE_SCHEDULING_LOG_SAMPLE_EVERY: String(manyRequests) };
  const scheduling = await spawnScheduling({ ...accounts, ...seed, ...database.env, ...inspectable });
  atEnd(scheduling.stop);

  const proxySettings = { ...limits, upstream_url: scheduling.url };
  const keysFile = JSON.parse(await readFile(env.ROSTERGATE_PROXY_KEYS_FILE ?? '', 'utf8'));
  const proxyFile = (n: number) => ({ ...proxySettings, cache_seconds_max: 60 + (n % 2) });
  const proxy = await spawnProxy({ keysFile, settings: proxyFile(0), env: inspectable }, atEnd);

  const bareServer = spawnServer({
    program: fileURLToPath(new URL('./bare-server.ts', import.meta.url)),
    ...{ args: [], cwd: folder, env: {} },
  });
  atEnd(bareServer.stop);
  const { port } = await bareServer.logged(({ msg }) => msg === 'listening');
  const bare = { ...bareServer, url: `http://127.0.0.1:${port}` };

  const endpoints = (n: number) => endpointsOf(bare.url, n);
  const gateway = await spawnGateway({ settings: limits, endpoints: endpoints(0), env: inspectable }, atEnd);
  const edit = async (n: number) => {
    await renameOver(join(gateway.folder, 'endpoints.json'), endpointsText(endpoints(n)));
    await renameOver(join(proxy.folder, 'staff-proxy.json'), JSON.stringify(proxyFile(n)));
  };
  return { gateway, proxy, scheduling, bare, credentials, edit };
}

/** Returns endpoints whose responses, routes, limits and targets differ for each edit. */
function endpointsOf(upstream: string, n: number): object[] {
  const http = { service: 'http', requires_auth: true };
  return [
    fixedEndpoint(n),
    { ...fixedEndpoint('few', '/few'), rate_limit_per_minute: 30 + (n % 3) },
    { path: '/echo', method: 'POST', service: 'echo', requires_auth: true },
    { path: '/plain', ...http, upstream: { targets: [upstream], path: `/plain/${n % 5}`, timeout_ms: 15_000 } },
    { path: '/stream', ...http, upstream: { targets: [upstream], path: '/stream', timeout_ms: 15_000 } },
    ...Array.from({ length: 20 }, (_, i) => fixedEndpoint(i, `/of/${n % 7}/${i}`)),
  ];
}
