import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import type { AtEnd } from '../at-end.ts';
import type { ProxyOptions, SpawnedProxy } from '../spawn-proxy.ts';
import { type FaultUpstream, startFaultUpstream } from './fault-upstream.ts';

/** What a caller of the proxy got, and when. */
export interface Outcome {
  readonly status: number;
  readonly code: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the answer came to its end. */
  readonly isWhole: boolean;
  readonly headMs: number;
  readonly endMs: number;
}

export interface AskOptions {
  /** Name of the service account whose key is used; breakers, logins and places are each account's own. */
  readonly account: string;
  readonly method?: string;
  readonly path?: string;
  readonly json?: unknown;
  /** Hangs up then, when the answer has not ended by itself. */
  readonly hangUpMs?: number;
}

/** A real proxy before an upstream that fails as it is told to. */
export interface FaultedProxy<Proxy extends SpawnedProxy = SpawnedProxy> {
  readonly proxy: Proxy;
  readonly upstream: FaultUpstream;
  ask(options: AskOptions): Promise<Outcome>;
  /** File descriptors that the process has open, sockets among them. */
  openFiles(): Promise<number>;
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface FaultedProxyOptions {
  /** Names of service accounts, each with a key of its own. */
  readonly accounts: readonly string[];
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** @param start how the proxy is started */
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
    ask: (options) => ask(proxy.url, options),
    openFiles: async () => (await readdir(`/proc/${pid}/fd`)).length,
    residentBytes: async () =>
      Number(/VmRSS:\s*(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024,
    stop,
  };
}

/** What an account logs in with at the upstream. */
export function emailOf(account: string): string {
  return `${account}@up.test`;
}

export function keyOf(account: string): string {
  return `key-of-${account}`;
}

/** Over a connection of its own, so that nothing but the proxy's own is left behind. */
function ask(baseUrl: string, options: AskOptions): Promise<Outcome> {
  const { account, method = 'GET', path = '/v2/staffmember', json, hangUpMs = 60_000 } = options;
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      'X-API-Key': keyOf(account),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const request = sendRequest(baseUrl + path, { method, headers, agent: false }, (response) => {
      const headMs = performance.now() - startedMs;
      let body = '';
      response.setEncoding('utf8').on('data', (text) => {
        // Of what never ends the beginning is enough.
        if (body.length < 1_000_000) body += text;
      });
      response
        .on('error', () => undefined)
        .once('close', () => {
          const code = /"code":"(\w+)"/.exec(body)?.[1] ?? '';
          const { statusCode: status = 0, headers, complete: isWhole } = response;
          resolve({ status, code, body, headers, isWhole, headMs, endMs: performance.now() - startedMs });
        });
    });
    request.on('error', reject);
    setTimeout(() => request.destroy(), hangUpMs).unref();
    request.end(json === undefined ? undefined : JSON.stringify(json));
  });
}
