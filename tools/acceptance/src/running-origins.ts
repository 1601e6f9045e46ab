import type { ChildProcess } from 'node:child_process';
import { hasEnded } from './end-process.ts';
import type { ServerName } from './start-server.ts';

const origins = new Map<string, { readonly name: ServerName; readonly child: ChildProcess }>();

/** Notes where a server listens, so that responses of servers that a test starts itself are logged as well. */
export function noteOrigin(name: ServerName, url: string, child: ChildProcess): void {
  origins.set(url, { name, child });
}

/** The server that this process has started at an origin; undefined once it has ended. */
export function serverStartedAt(origin: string): ServerName | undefined {
  const found = origins.get(origin);
  return found === undefined || hasEnded(found.child) ? undefined : found.name;
}
