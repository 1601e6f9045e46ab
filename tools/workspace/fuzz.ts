import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findPostgres } from './start-postgres.ts';
import { createWorkspaceEnv, root } from './workspace.mjs';

const env = { ODATA_FUZZ_CASES: '100000', ...createWorkspaceEnv(process.env) };
console.log(`${env.ODATA_FUZZ_CASES} random OData queries for each database, and as many malformed ones.`);

/** Runs the tests of one file; the property is that a database returns the same rows as the predicate in memory. */
const runTests = (file: string, more: Record<string, string> = {}): number => {
  const folder = join(root, 'packages/odata');
  const vitest = spawnSync('vitest', ['run', file], { cwd: folder, env: { ...env, ...more }, stdio: 'inherit' });
  return vitest.status ?? 1;
};

let failed = runTests('test/mutations.test.ts') + runTests('test/sqlite.test.ts');
if (findPostgres() === undefined) {
  console.log('PostgreSQL is not installed, so its queries were skipped. To run them: apt-get install postgresql');
} else failed += runTests('test/differential.postgres.test.ts', { TEST_WITH: 'postgres' });
process.exitCode = failed === 0 ? 0 : 1;
