import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startPeer } from '../server-process.ts';

/** Starts a server that responds with these bytes: the minimum cost of the response. */
export async function startReadyMade(bytes: Uint8Array): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const file = join(folder, 'body.json');
  await writeFile(file, bytes);
  try {
    return await startPeer(new URL('ready-made.mjs', import.meta.url), { args: [file] });
  } finally {
    // The peer has read the file.
    await rm(folder, { recursive: true });
  }
}

/** Starts Express with one route and a small response. */
export function startExpress(): Promise<ServerProcess> {
  return startPeer(new URL('bare-express.mjs', import.meta.url));
}
