import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../workspace/program-file.ts';
import type { ServerName } from './server-names.ts';

export interface ServerProgram {
  /** The name of the installed command. */
  readonly command: string;
  /** The main file. */
  readonly file: string;
}

export const serverPrograms: Readonly<Record<ServerName, ServerProgram>> = {
  gateway: { command: 'rostergate', file: programFile('gateway') },
  'staff-proxy': { command: 'rostergate-staff-proxy', file: programFile('staff-proxy') },
  scheduling: { command: 'rostergate-scheduling', file: programFile('scheduling') },
};

/**
 * The scheduling API as most tests start it: hashing a password takes an eighth of the CPU time. Tests that depend on this
 * time, and those of the command itself, start the program of users.
 */
export const lowCostScheduling =
  process.env.TEST_PROGRAMS === undefined
    ? fileURLToPath(new URL('../../../apps/scheduling/test/low-cost-main.ts', import.meta.url))
    : join(dirname(serverPrograms.scheduling.file), 'low-cost-main.js');
