import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { createTestLog } from './tools/workspace/log-tests.ts';
import { createFailureNames } from './tools/workspace/name-failures.ts';

/** What a test may need beyond npm, by the word in its file's name, such as `x.redis.test.ts`: a program, or load. */
const needs = ['redis', 'postgres', 'chromium', 'curl', 'maven', 'stress'];
const need = process.env.TEST_WITH;
if (need !== undefined && !needs.includes(need)) throw new Error(`TEST_WITH is one of ${needs.join(', ')}.`);

const selection =
  need === undefined
    ? { exclude: [...configDefaults.exclude, ...needs.map((name) => `**/*.${name}.test.ts`)] }
    : { include: [`**/*.${need}.test.ts`], passWithNoTests: true };

/** What starts such a program once for all tests of a run. */
const globalSetup = need === 'postgres' ? [join(import.meta.dirname, 'tools/workspace/start-postgres.ts')] : [];

// What tests start from source is compiled once for all of them: half of the time that a start takes goes into that.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/**
 * Packages run from source everywhere: the same `source` condition as the servers. The time limits only end what hangs:
 * on a busy machine starting a process alone can take seconds. `npm test` needs nothing but npm; with `TEST_WITH=redis`
 * and the like just the tests run that need that program, with `TEST_WITH=stress` those that load a server for long. The
 * files of a package share the modules that they load, in as many processes as there are cores: whatever a test changes
 * beyond itself it puts back.
 */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    ...selection,
    isolate: false,
    globalSetup,
    // A test waits half of the time for the database.
    ...(need === 'postgres' ? { maxWorkers: 2 } : {}),
    reporters: [
      'default',
      createFailureNames(),
      createTestLog({ root: import.meta.dirname, folder: process.cwd(), need: need ?? 'npm' }),
    ],
    execArgv: ['--conditions=source'],
    // Their own TypeScript has the same condition, which Node does not read from packages.
    server: { deps: { inline: ['@modelcontextprotocol/client', 'eventsource', 'eventsource-parser'] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
