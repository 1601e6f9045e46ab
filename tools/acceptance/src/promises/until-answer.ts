import { pollUntil } from '../poll-until.ts';
import type { SpawnedGateway } from '../spawn-gateway.ts';
import { askOnce } from './ask-once.ts';

/** Resolves once `/answer` says this: the edit is live. */
export async function untilAnswer(gateway: SpawnedGateway, wanted: unknown): Promise<void> {
  const isLive = async () => (await askOnce(`${gateway.url}/answer`)).text === JSON.stringify(wanted);
  const describe = () => `the answer ${wanted}:\n${gateway.said().slice(-4_000)}`;
  await pollUntil(isLive, { withinMs: 20_000, everyMs: 5, describe });
}
