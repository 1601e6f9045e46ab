import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../../workspace/free-ports.ts';
import type { Core } from './cores.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export interface PeerOptions {
  /** What the script wants besides a port. */
  readonly args?: readonly string[];
  /** The one for what is measured, when absent. */
  readonly core?: Core;
}

/** Starts what ours is measured beside: a script that takes a port of this machine, and then whatever else it wants. */
export async function startPeer(script: URL, { args = [], core }: PeerOptions = {}): Promise<ServerProcess> {
  const port = await pickFreePort();
  const path = fileURLToPath(script);
  return startServer({ args: [path, String(port), ...args], cwd: process.cwd(), env: {}, port, core });
}
