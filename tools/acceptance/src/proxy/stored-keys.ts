import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { busyMs, inForceMs } from '../key-store.ts';
import { pollUntil } from '../poll-until.ts';
import { makeProxyFolder, type ProxyProcess, runProxyCommand } from '../proxy-process.ts';
import { accounts } from './recorded-proxy.ts';

/** Returns `rostergate-staff-proxy keys` on a store, with the accounts of recorded proxies. */
export async function openProxyKeys(key_store_url: string, settings: Readonly<Record<string, unknown>> = {}) {
  const folder = await makeProxyFolder({ keysFile: { accounts }, settings });
  // As an operator sets it: the address is a secret.
  const env = { ROSTERGATE_PROXY_KEY_STORE_URL: key_store_url };
  const run = (...args: string[]) => runProxyCommand(['keys', ...args], { cwd: folder, env });
  return {
    folder,
    run,
    async create(name: string, ...more: string[]) {
      const { stdout, stderr, exitCode } = await run('create', '--name', name, ...more);
      expect(exitCode, stderr).toBe(0);
      return stdout.trim();
    },
  };
}

/** Returns the status and the code of a read with a key or a token. */
export async function outcomeOf(proxy: ProxyProcess, credential: string): Promise<string> {
  const headers = { Authorization: `Bearer ${credential}` };
  const { status, body } = await proxy.call('/v2/staffmember', { headers });
  return `${status} ${body.code}`;
}

/** Returns the token of a login with a key, or the code of the error. */
export async function logIn(proxy: ProxyProcess, email: string, password: string): Promise<string> {
  const { body } = await proxy.call('/v2/login', { method: 'POST', json: { email, password } });
  return body.access_token ?? body.code;
}

/** The most that a round of requests counts towards `inForceMs`. Without load it takes less. */
const roundMsMax = 150;

/**
 * Waits until every proxy responds to the credential in this way, for `inForceMs` from the acknowledgement of a change. On a
 * busy machine rounds of requests take longer, as what they wait for does: each counts `roundMsMax` at most.
 */
export async function untilInForce(
  proxies: readonly ProxyProcess[],
  credential: string,
  wanted: string,
): Promise<void> {
  for (let countedMs = 0; ; ) {
    const startedMs = performance.now();
    const outcomes = await Promise.all(proxies.map((each) => outcomeOf(each, credential)));
    if (outcomes.every((outcome) => outcome === wanted)) return;
    if (countedMs > inForceMs) throw new Error(`${outcomes.join(', ')}, not ${wanted}, after ${inForceMs} ms`);
    await wait(50);
    countedMs += Math.min(performance.now() - startedMs, roundMsMax);
  }
}

/** Waits until every proxy responds to the credential in this way. */
export const untilAll = (proxies: readonly ProxyProcess[], credential: string, wanted: string, withinMs = inForceMs) =>
  pollUntil(
    async () => (await Promise.all(proxies.map((each) => outcomeOf(each, credential)))).every((one) => one === wanted),
    {
      withinMs: withinMs + busyMs,
      describe: () => `not ${wanted}: ${proxies.map((each) => each.output()).join('\n')}`,
    },
  );

/** Returns what readiness says of the key store. */
export async function storeOf(proxy: ProxyProcess): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await proxy.call('/health/ready');
  return { httpStatus: status, ...body.dependencies.key_store };
}
