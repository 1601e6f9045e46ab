import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoCredentials, loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { pickFreePorts } from '../../workspace/free-ports.ts';
import { addStranger, type Stranger } from './add-stranger.ts';
import { type RunningServer, type ServerName, startServer } from './start-server.ts';
import { startTickerStandIn } from './ticker-stand-in.ts';

/** What the tests know of the servers they call. */
export interface RunningServers {
  readonly urls: Readonly<Record<ServerName, string>>;
  readonly credentials: DemoCredentials;
  readonly stranger: Stranger;
  /** All that the servers read from their environment but their ports. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts the three servers as processes of their own, with fresh credentials and a stand-in for the public ticker.
 * @param more settings besides, such as another database
 */
export async function startServers(
  more: Readonly<Record<string, string>> = {},
): Promise<RunningServers & { stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'rostergate-acceptance-'));
  const { credentials, env: demoEnv } = await loadDemoCredentials(directory);
  const stranger = await addStranger(credentials, demoEnv);
  const ticker = await startTickerStandIn();
  const [gateway, staffProxy, scheduling] = await pickFreePorts(3);
  const ports: Record<ServerName, number> = { gateway, 'staff-proxy': staffProxy, scheduling };
  const env = {
    ...demoEnv,
    ...manyRequests,
    ROSTERGATE_PROXY_UPSTREAM_URL: `http://127.0.0.1:${ports.scheduling}`,
    STAFF_PROXY_ADDRESS: `127.0.0.1:${ports['staff-proxy']}`,
    ROSTERGATE_CRYPTO_UPSTREAM_URL: ticker.url,
    ...more,
  };
  const names = ['scheduling', 'staff-proxy', 'gateway'] as const;
  const givenUp = new AbortController();
  const starts = names.map((name) => startServer({ name, port: ports[name], env, signal: givenUp.signal }));
  for (const start of starts) start.catch((error) => givenUp.abort(error));
  const outcomes = await Promise.allSettled(starts);
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stop = async () => {
    await Promise.all(started.map((server: RunningServer) => server.stop()));
    await ticker.stop();
    await rm(directory, { recursive: true, force: true });
  };
  if (givenUp.signal.aborted) {
    await stop();
    throw givenUp.signal.reason;
  }
  const urls = Object.fromEntries(started.map(({ name, url }) => [name, url])) as Record<ServerName, string>;
  return { urls, credentials, stranger, env, stop };
}

/** The whole suite comes from one address and uses few keys; what the limits do is tested on servers of its own. */
const manyRequests = {
  ROSTERGATE_RATE_LIMIT_PER_MINUTE: '100000',
  ROSTERGATE_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '100000',
  ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE: '100000',
  ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '100000',
};
