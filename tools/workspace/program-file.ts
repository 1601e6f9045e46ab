import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ProgramName = 'gateway' | 'staff-proxy' | 'scheduling';

/** Returns the main file of a program: its source, or its bundle in a run of all tests. */
export function programFile(name: ProgramName): string {
  const { TEST_PROGRAMS } = process.env;
  return TEST_PROGRAMS === undefined ? join(programSource(name), 'main.ts') : join(TEST_PROGRAMS, name, 'main.js');
}

export function programSource(name: ProgramName): string {
  return fileURLToPath(new URL(`../../apps/${name}/src`, import.meta.url));
}
