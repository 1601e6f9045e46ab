import { join } from 'node:path';

const { TEST_PROGRAMS } = process.env;

/** What tests start: the source, or what a run of all of them has made of it. */
export const program =
  TEST_PROGRAMS === undefined ? join(import.meta.dirname, '../src/main.ts') : join(TEST_PROGRAMS, 'gateway/main.js');
