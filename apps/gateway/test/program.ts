import { join } from 'node:path';

const { TEST_PROGRAMS } = process.env;

/** The program that tests start: the source, or the bundle of a full run. */
export const program =
  TEST_PROGRAMS === undefined ? join(import.meta.dirname, '../src/main.ts') : join(TEST_PROGRAMS, 'gateway/main.js');

/** Reads the configurations of folders, in the same form. */
export const folderReader =
  TEST_PROGRAMS === undefined
    ? join(import.meta.dirname, 'running/read-folders.ts')
    : join(TEST_PROGRAMS, 'gateway/read-folders.js');
