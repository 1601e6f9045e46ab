import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import type { ServerName } from '../server-names.ts';
import { type DeployedServer, readImage } from './deployed-server.ts';
import { readCompose } from './read-compose.ts';
import { readKubernetes } from './read-kubernetes.ts';
import { readSystemd } from './read-systemd.ts';
import { type RunningDeployment, runDeployed } from './run-deployed.ts';

const ways = [
  ['compose.yaml', readCompose],
  ['the Kubernetes example', readKubernetes],
  ['the systemd units', readSystemd],
] as const;

const key = 'key-of-the-deployment';
const { urls, credentials } = inject('servers');
const account = {
  email: credentials.SCHEDULING_ADMIN_EMAIL,
  password_file: 'admin.password',
  company_key: credentials.COMPANY_KEY,
  admin: true,
};
const entry = { name: 'ops', owner: 'ops', sha256: createHash('sha256').update(key).digest('hex') };

test.each(ways)('%s starts servers that find each other, report their health, and stop in time', async (way, read) => {
  // The default ports are replaced by free ones.
  const isOnOneMachine = way === 'the systemd units';
  const { host } = new URL(urls.scheduling);
  const [scheduling, proxy] = await Promise.all([
    runDeployed(withoutServices(read('scheduling'))),
    runDeployed(withoutServices(read('staff-proxy')), {
      addresses: { 'scheduling:8020': host },
      env: isOnOneMachine ? { ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling } : {},
      secrets: {
        'admin.password': credentials.SCHEDULING_ADMIN_PASSWORD,
        'proxy-keys.json': JSON.stringify({ accounts: { admin: account }, keys: [{ ...entry, account: 'admin' }] }),
      },
    }),
  ]);
  const proxyHost = new URL(proxy.url).host;
  const gateway = await runDeployed(withoutServices(read('gateway')), {
    addresses: { 'staff-proxy:8010': proxyHost },
    env: { STAFF_PROXY_KEY: key, ...(isOnOneMachine ? { STAFF_PROXY_ADDRESS: proxyHost } : {}) },
    secrets: { 'keys.json': JSON.stringify({ keys: [entry] }) },
  });

  const response = await fetch(`${gateway.url}/api/staff?$top=1`, { headers: { 'X-API-Key': key } });
  expect([response.status, await response.json()]).toEqual([
    200,
    [expect.objectContaining({ LastName: expect.any(String) })],
  ]);

  const running = { gateway, 'staff-proxy': proxy, scheduling };
  for (const [name, server] of Object.entries(running) as [ServerName, RunningDeployment][]) {
    for (const path of read(name).probes) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
    if (way === 'compose.yaml') expect([name, await healthOf(name, server.url)]).toEqual([name, 'healthy']);
    const before = performance.now();
    expect([name, await server.stop()]).toEqual([name, 0]);
    expect(performance.now() - before).toBeLessThan(read(name).stopMs);
  }
  expect(await healthOf('gateway', gateway.url)).toBe('not healthy');
});

/** Removes Redis and PostgreSQL: limits are counted in the process, and people are stored in a file. */
function withoutServices(server: DeployedServer): DeployedServer {
  const env = Object.entries(server.env).filter(([name]) => !/_(REDIS|DATABASE)_URL$/.test(name));
  return { ...server, env: Object.fromEntries(env) };
}

/** Returns the result of the image's health check for a server at another port. */
async function healthOf(name: ServerName, url: string): Promise<string> {
  const { healthcheck, port } = readImage(name);
  const [program, ...args] = healthcheck.map((word) => word.replace(`http://127.0.0.1:${port}`, url));
  expect(program).toBe('node');
  return promisify(execFile)(process.execPath, args).then(
    () => 'healthy',
    () => 'not healthy',
  );
}
