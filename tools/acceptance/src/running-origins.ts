import type { ChildProcess } from 'node:child_process';
import { hasEnded } from './end-process.ts';
import type { ServerName } from './server-names.ts';

const origins = new Map<string, { readonly name: ServerName; readonly child: ChildProcess }>();

/** Records the origin of a server, so that its responses are logged. */
export function noteOrigin(name: ServerName, url: string, child: ChildProcess): void {
  origins.set(url, { name, child });
}

/** Returns the server that this process started at an origin; undefined after its exit. */
export function serverStartedAt(origin: string): ServerName | undefined {
  const found = origins.get(origin);
  return found === undefined || hasEnded(found.child) ? undefined : found.name;
}
