import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../pick-free-port.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

/**
 * SAP CAP 10.1 on SQLite as recorded on another machine, with the same data: its licence lets nobody ship it. A bare
 * Express route, recorded beside it, tells how fast that machine was.
 */
export const recordedCap = { listCpuMs: 107, singlePerSecond: 547, expressCpuUs: 21.4 };

/** The same bytes, ready-made: what no server can do without. */
export async function startReadyMade(bytes: Uint8Array): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const file = join(folder, 'answer.json');
  await writeFile(file, bytes);
  try {
    return await startPeer('ready-made.mjs', [file]);
  } finally {
    // It has read them.
    await rm(folder, { recursive: true });
  }
}

/** One route of Express as it comes, with a small answer. */
export function startExpress(): Promise<ServerProcess> {
  return startPeer('bare-express.mjs', []);
}

async function startPeer(script: string, args: readonly string[]): Promise<ServerProcess> {
  const port = await pickFreePort();
  const path = fileURLToPath(new URL(script, import.meta.url));
  return startServer({ args: [path, String(port), ...args], cwd: process.cwd(), env: {}, port });
}
