import { pollUntil } from '../poll-until.ts';
import type { ServerProcess } from '../server-process.ts';
import type { SpawnedGateway } from '../spawn-gateway.ts';
import { askOnce } from './ask.ts';

/** Returns an endpoint whose response identifies the generation of the configuration. */
export const fixedEndpoint = (answer: unknown, path = '/answer'): object => ({
  path,
  service: 'static',
  parameters: { answer },
});

/** Returns the text of an endpoints.json. */
export const endpointsText = (endpoints: readonly object[]): string => JSON.stringify({ endpoints }, null, 2);

/** Resolves when `/answer` responds with the value: the edit is live. */
export async function untilResponse(gateway: SpawnedGateway, wanted: unknown): Promise<void> {
  const isLive = async () => (await askOnce(`${gateway.url}/answer`)).text === JSON.stringify(wanted);
  const describe = () => `/answer does not respond ${wanted}:\n${gateway.output().slice(-4_000)}`;
  await pollUntil(isLive, { withinMs: 20_000, everyMs: 5, describe });
}

/** Returns how many times a server has logged that it applied a configuration. */
export function countApplied({ log }: Pick<ServerProcess, 'log'>): number {
  return log.filter(({ msg }) => msg === 'configuration applied').length;
}

/** Waits up to 20 seconds for `times` applied configurations, because log lines arrive after responses. */
export async function countAppliedUpTo(server: Pick<ServerProcess, 'log'>, times: number): Promise<number> {
  const isReached = () => countApplied(server) >= times;
  await pollUntil(isReached, { withinMs: 20_000, everyMs: 10, describe: () => '' }).catch(() => {});
  return countApplied(server);
}
