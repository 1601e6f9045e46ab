import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { createFailureNames } from './tools/workspace/name-failures.ts';

/** What a test may need beyond npm, by the word in its file's name, such as `x.redis.test.ts`. */
const programs = ['redis', 'postgres', 'chromium'];
const program = process.env.TEST_WITH;
if (program !== undefined && !programs.includes(program))
  throw new Error(`TEST_WITH is one of ${programs.join(', ')}.`);

const selection =
  program === undefined
    ? { exclude: [...configDefaults.exclude, ...programs.map((name) => `**/*.${name}.test.ts`)] }
    : { include: [`**/*.${program}.test.ts`], passWithNoTests: true };

/** What starts such a program once for all tests of a run. */
const globalSetup = program === 'postgres' ? [join(import.meta.dirname, 'tools/workspace/start-postgres.ts')] : [];

/**
 * Packages run from source everywhere: the same `source` condition as the servers. The time limits only end what hangs:
 * on a busy machine starting a process alone can take seconds. `npm test` needs nothing but npm; with `TEST_WITH=redis`
 * and the like just the tests run that need that program.
 */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    ...selection,
    globalSetup,
    reporters: ['default', createFailureNames()],
    execArgv: ['--conditions=source'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
