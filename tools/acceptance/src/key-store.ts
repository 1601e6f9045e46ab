import { expect } from 'vitest';
import { type GatewayProcess, makeGatewayFolder, runCommand } from './gateway-process.ts';
import { pollUntil } from './poll-until.ts';

/** How long a change may take to be in force everywhere, and what a busy machine may add. */
export const inForceMs = 2_000;
export const busyMs = 10_000;

/** Returns `rostergate keys` on a store. */
export async function openKeys(url: string, settings: Readonly<Record<string, unknown>> = {}) {
  const cwd = await makeGatewayFolder({ settings: { key_store_url: url, ...settings } });
  const run = (...args: string[]) => runCommand(['keys', ...args], { cwd });
  return {
    run,
    async create(name: string, ...more: string[]) {
      const { stdout, stderr, exitCode } = await run('create', '--name', name, ...more);
      expect(exitCode, stderr).toBe(0);
      return stdout.trim();
    },
  };
}

/** Returns the status of a request with the key, with the code of an error. */
export async function statusOf(gateway: GatewayProcess, key: string): Promise<string> {
  const { status, body } = await gateway.call('/auth/status', { headers: { 'X-API-Key': key } });
  return status === 200 ? '200' : `${status} ${body.code}`;
}

/** So many requests at once reach every worker of a gateway. */
const requestsAtOnce = 6;

/** Waits until every gateway, with each of its workers, responds to the key in this way. */
export const untilAll = (
  gateways: readonly GatewayProcess[],
  key: string,
  wanted: string,
  withinMs = inForceMs + busyMs,
) => {
  const asked = gateways.flatMap((each) => Array<GatewayProcess>(requestsAtOnce).fill(each));
  return pollUntil(
    async () => (await Promise.all(asked.map((each) => statusOf(each, key)))).every((status) => status === wanted),
    { withinMs, describe: () => `not ${wanted}: ${gateways.map(({ output }) => output()).join('\n')}` },
  );
};

/** Returns what readiness says of the key store. */
export const storeOf = async (gateway: GatewayProcess) => {
  const { status, body } = await gateway.call('/health/ready');
  return { httpStatus: status, ...(body as { dependencies: { key_store: object } }).dependencies.key_store };
};
