import { fileURLToPath } from 'node:url';
import type { ServerName } from './start-server.ts';

export interface ServerProgram {
  /** Its name where it is installed. */
  readonly command: string;
  /** What runs it from its sources. */
  readonly file: string;
}

export const serverPrograms: Readonly<Record<ServerName, ServerProgram>> = {
  gateway: { command: 'rostergate', file: mainOf('gateway') },
  'staff-proxy': { command: 'rostergate-staff-proxy', file: mainOf('staff-proxy') },
  scheduling: { command: 'rostergate-scheduling', file: mainOf('scheduling') },
};

function mainOf(name: ServerName): string {
  return fileURLToPath(new URL(`../../../apps/${name}/src/main.ts`, import.meta.url));
}
