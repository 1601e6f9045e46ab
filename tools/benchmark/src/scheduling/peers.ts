import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPeer } from '../peer.ts';
import type { ServerProcess } from '../server-process.ts';

/** The same bytes, ready-made: what no server can do without. */
export async function startReadyMade(bytes: Uint8Array): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const file = join(folder, 'answer.json');
  await writeFile(file, bytes);
  try {
    return await startPeer(new URL('ready-made.mjs', import.meta.url), { args: [file] });
  } finally {
    // It has read them.
    await rm(folder, { recursive: true });
  }
}

/** One route of Express as it comes, with a small answer. */
export function startExpress(): Promise<ServerProcess> {
  return startPeer(new URL('bare-express.mjs', import.meta.url));
}
