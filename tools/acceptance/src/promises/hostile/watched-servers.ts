import { type DemoCredentials, loadDemoCredentials } from '../../../../workspace/demo-credentials.mjs';
import { type AtEnd, makeTemporaryFolder } from '../../at-end.ts';
import type { ServerProcess } from '../../server-process.ts';
import { type GatewayFolder, goodKey, spawnGateway } from '../../spawn-gateway.ts';
import { spawnProxy } from '../../spawn-proxy.ts';
import { spawnScheduling } from '../../spawn-scheduling.ts';
import type { ServerName } from '../../start-server.ts';
import { logIn } from '../ask-as.ts';

export interface WatchedServer extends ServerProcess {
  readonly name: ServerName;
  readonly url: string;
  /** The credentials of an administrator. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface WatchedServers {
  readonly all: readonly WatchedServer[];
  readonly credentials: DemoCredentials;
}

export interface WatchedOptions {
  /** Settings of the gateway and of the staff proxy. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** More of the configuration of the gateway. @param upstream the address of the server behind the proxy */
  readonly gateway?: (upstream: string) => GatewayFolder;
}

/** A service that returns the text of its path and query. */
const hello = `import { defineService, z } from 'rostergate';
export default defineService({ name: 'hello', summary: 'x', parameters: z.object({ name: z.string(), note: z.string().optional() }), response: z.object({ name: z.string(), note: z.string().optional() }), handle: ({ name, note }) => ({ name, note }) });
`;

/** A service that validates its body strictly. */
const strict = `import { defineService, z } from 'rostergate';
const Tag = z.strictObject({ TagKey: z.string(), Name: z.string().max(10) });
export default defineService({ name: 'strict', summary: 'x', parameters: z.object({}), body: z.strictObject({ message: z.string(), StaffId: z.string(), Tags: z.array(Tag) }), response: z.object({}), handle: () => ({}) });
`;

/** Starts the three servers on the demo data, with access to output and process; the gateway echoes requests. */
export async function startWatchedServers(
  atEnd: AtEnd,
  { settings = {}, gateway: configure = () => ({}) }: WatchedOptions = {},
): Promise<WatchedServers> {
  const folder = await makeTemporaryFolder('rostergate-hostile-', atEnd);
  const { credentials, env } = await loadDemoCredentials(folder);
  const scheduling = await spawnScheduling(env);
  atEnd(scheduling.stop);
  const { SCHEDULING_ADMIN_EMAIL: email, SCHEDULING_ADMIN_PASSWORD: password, COMPANY_KEY: company_key } = credentials;
  const proxy = await spawnProxy(
    {
      settings: { upstream_url: scheduling.url, ...settings },
      keysFile: { accounts: { admin: { email, password, company_key, admin: true } } },
      env: { ROSTERGATE_PROXY_KEYS_FILE: env.ROSTERGATE_PROXY_KEYS_FILE as string },
    },
    atEnd,
  );
  const endpoints = [
    { path: '/api/echo', method: 'POST', service: 'echo', requires_auth: true },
    { path: '/api/hello/{name}', method: 'GET', service: 'hello' },
    { path: '/api/tree/{name*}', method: 'GET', service: 'hello' },
    { path: '/api/strict', method: 'POST', service: 'strict' },
  ];
  const more = configure(scheduling.url);
  const gateway = await spawnGateway(
    {
      ...more,
      settings: { ...settings, ...more.settings },
      endpoints: [...endpoints, ...(more.endpoints ?? [])],
      files: { 'services/hello.ts': hello, 'services/strict.ts': strict, ...more.files },
    },
    atEnd,
  );
  const admin = await logIn(scheduling.url, email, password);
  return {
    credentials,
    all: [
      { ...gateway, name: 'gateway', headers: { 'X-API-Key': goodKey } },
      { ...proxy, name: 'staff-proxy', headers: { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY } },
      { ...scheduling, name: 'scheduling', headers: admin },
    ],
  };
}
