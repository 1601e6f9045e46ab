import { sendRequests } from './load.ts';
import type { Contender } from './side-by-side.ts';

const warming = 2_000;
const counted = 2_000;

/** Bytes of the heap that a request takes, which no neighbour on the machine changes. */
export async function bytesPerRequest({ server, paths, headers }: Contender): Promise<number> {
  const load = { url: server.url, path: () => String(paths[0]), headers: headers[0] ?? {}, connections: 8 };
  await sendRequests(load, warming);
  const before = await server.ask<number>('allocated');
  const { failed } = await sendRequests(load, counted);
  if (failed > 0) throw new Error(`${failed} of ${counted} requests such as ${paths[0]} failed.`);
  return ((await server.ask<number>('allocated')) - before) / counted;
}
