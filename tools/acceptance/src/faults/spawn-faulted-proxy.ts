import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { AtEnd } from '../at-end.ts';
import type { ProxyOptions, SpawnedProxy } from '../spawn-proxy.ts';
import { type AskTimedOptions, askTimed, type Outcome } from './ask-timed.ts';
import { type FaultUpstream, startFaultUpstream } from './fault-upstream.ts';

export interface AskOptions extends Omit<AskTimedOptions, 'headers'> {
  /** The service account whose key is used; each account has its own breaker, login and queue. */
  readonly account: string;
  readonly path?: string;
}

/** A proxy in front of an upstream with configurable faults. */
export interface FaultedProxy<Proxy extends SpawnedProxy = SpawnedProxy> {
  readonly proxy: Proxy;
  readonly upstream: FaultUpstream;
  ask(options: AskOptions): Promise<Outcome>;
  /** The number of open file descriptors of the process, sockets included. */
  openFiles(): Promise<number>;
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface FaultedProxyOptions {
  /** The names of the service accounts; each has its own key. */
  readonly accounts: readonly string[];
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the upstream and the proxy. @param start starts the proxy */
export async function spawnFaultedProxy<Proxy extends SpawnedProxy>(
  { accounts, settings = {}, env = {} }: FaultedProxyOptions,
  start: (options: ProxyOptions, atEnd: AtEnd) => Promise<Proxy>,
): Promise<FaultedProxy<Proxy>> {
  const upstream = await startFaultUpstream();
  const keysFile = {
    accounts: Object.fromEntries(
      accounts.map((name) => [
        name,
        { email: emailOf(name), password: 'canary-password', company_key: 'C-1', admin: true },
      ]),
    ),
    keys: accounts.map((name) => ({
      name,
      owner: name,
      sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
      account: name,
    })),
  };
  const ends: (() => Promise<unknown>)[] = [upstream.stop];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const proxy = await start(
    { keysFile, settings: { upstream_url: upstream.url, ...settings }, env },
    (end) => void ends.push(end),
  ).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { pid } = proxy.child;
  return {
    proxy,
    upstream,
    ask: ({ account, path = '/v2/staffmember', ...more }) =>
      askTimed(proxy.url + path, { headers: { 'X-API-Key': keyOf(account) }, ...more }),
    openFiles: async () => (await readdir(`/proc/${pid}/fd`)).length,
    residentBytes: async () =>
      Number(/VmRSS:\s*(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024,
    stop,
  };
}

/** Returns the e-mail with which an account logs in at the upstream. */
export function emailOf(account: string): string {
  return `${account}@up.test`;
}

export function keyOf(account: string): string {
  return `key-of-${account}`;
}
