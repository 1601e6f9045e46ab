import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerName } from './start-server.ts';

export interface ServerProgram {
  /** Its name where it is installed. */
  readonly command: string;
  /** What runs it: its sources, or the file that a run of all tests has made of them. */
  readonly file: string;
}

/** Those that load no module of a user's. */
export const bundled: readonly ServerName[] = ['staff-proxy', 'scheduling'];

export const serverPrograms: Readonly<Record<ServerName, ServerProgram>> = {
  gateway: { command: 'rostergate', file: mainOf('gateway') },
  'staff-proxy': { command: 'rostergate-staff-proxy', file: mainOf('staff-proxy') },
  scheduling: { command: 'rostergate-scheduling', file: mainOf('scheduling') },
};

function mainOf(name: ServerName): string {
  const { TEST_PROGRAMS } = process.env;
  if (TEST_PROGRAMS !== undefined && bundled.includes(name)) return join(TEST_PROGRAMS, `${name}.mjs`);
  return fileURLToPath(new URL(`../../../apps/${name}/src/main.ts`, import.meta.url));
}
