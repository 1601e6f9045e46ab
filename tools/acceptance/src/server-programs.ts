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
