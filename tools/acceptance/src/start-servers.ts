import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoCredentials, loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { pickFreePort } from '../../workspace/free-ports.ts';
import { addOtherCompany, type OtherCompany } from './add-other-company.ts';
import { createEndings } from './at-end.ts';
import { portalClient, startOidcIssuer } from './oidc-issuer.ts';
import type { ServerName } from './server-names.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { startTickerStandIn } from './ticker-stand-in.ts';

/** The shared servers of all tests. */
export interface RunningServers {
  readonly urls: Readonly<Record<ServerName, string>>;
  readonly credentials: DemoCredentials;
  readonly otherCompany: OtherCompany;
  /** The environment of the servers except their ports. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts the three servers with new credentials and a stand-in for the public ticker service.
 * @param more additional settings, such as another database
 */
export async function startServers(
  more: Readonly<Record<string, string>> = {},
): Promise<RunningServers & { stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'rostergate-acceptance-'));
  const { credentials, env: demoEnv } = await loadDemoCredentials(directory);
  const otherCompany = await addOtherCompany(credentials, demoEnv);
  const ticker = await startTickerStandIn();
  const endings = createEndings();
  const issuer = await startOidcIssuer(endings.atEnd);
  const started: RunningServer[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    await ticker.stop();
    await endings.end();
    await rm(directory, { recursive: true, force: true });
  };
  // The portal writes it.
  const keysFile = join(directory, 'keys.json');
  await writeFile(keysFile, '{ "keys": [] }\n', { mode: 0o600 });
  const env: Record<string, string> = {
    ...{ ...demoEnv, ...manyRequests, ROSTERGATE_CRYPTO_UPSTREAM_URL: ticker.url },
    ROSTERGATE_KEYS_FILE: keysFile,
    ROSTERGATE_USAGE: JSON.stringify({ file: join(directory, 'usage.sqlite') }),
    ROSTERGATE_JWT_ISSUERS: JSON.stringify([issuer.settings]),
    ROSTERGATE_PORTAL_CLIENT_SECRET: portalClient.client_secret,
  };
  const start = async (name: ServerName, port = 0) => {
    const server = await startServer({ name, port, env: { ...env, ...more } });
    started.push(server);
    return server.url;
  };
  try {
    // In sequence, because each needs the address of the previous one.
    const scheduling = await start('scheduling');
    env.ROSTERGATE_PROXY_UPSTREAM_URL = scheduling;
    const staffProxy = await start('staff-proxy');
    env.STAFF_PROXY_ADDRESS = new URL(staffProxy).host;
    const port = await pickFreePort();
    env.ROSTERGATE_PORTAL = JSON.stringify({ ...portal, base_url: `http://127.0.0.1:${port}` });
    const urls = { gateway: await start('gateway', port), 'staff-proxy': staffProxy, scheduling };
    return { urls, credentials, otherCompany, env: { ...env, ...more }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A tool, so that its operation of the contract is served. */
const mcp = { tools: [{ operation_id: 'listEndpoints', name: 'endpoints' }], resource: 'https://api.example.com/mcp' };

/** The portal, so that its operations are served. */
const portal = { issuer: 'corp', client_id: portalClient.client_id };

/** All tests use one address and few keys. Tests of the limits start their own servers. */
const manyRequests = {
  ROSTERGATE_MCP: JSON.stringify(mcp),
  ROSTERGATE_RATE_LIMIT_PER_MINUTE: '100000',
  ROSTERGATE_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '100000',
  ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE: '100000',
  ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '100000',
};
