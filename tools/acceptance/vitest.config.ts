import { configDefaults, mergeConfig } from 'vitest/config';
import workspace from '../../vitest.config.ts';

/** Files about the staff servers in which the database makes no difference, or is always SQLite. */
const onAnyDatabase = [
  ...['scheduling/settings', 'scheduling/failed-logins', 'scheduling/broken-database', 'scheduling/metadata'],
  ...['scheduling/commands/settings-and-faults', 'scheduling/simulation-settings'],
  // Requests that are rejected before the database is read.
  ...['staff/odata/rejections', 'staff/proxy-differences'],
].map((name) => `src/${name}.test.ts`);

/** With PostgreSQL the files about the scheduling API run a second time, its servers on that database. */
const onPostgres = {
  include: [
    'src/staff/**/*.test.ts',
    'src/clients/staff-client.test.ts',
    'src/scheduling/**/*.test.ts',
    'src/gateway/**/*.postgres.test.ts',
    'src/documents/**/*.postgres.test.ts',
  ],
  exclude: [...configDefaults.exclude, '**/*.{redis,chromium,curl,maven,stress}.test.ts', ...onAnyDatabase],
};

export default mergeConfig(workspace, {
  test: {
    globalSetup: ['../workspace/bundle-programs.ts', 'src/global-setup.ts'],
    setupFiles: ['src/watch-fetch.ts'],
    // Tests wait half of the time for deadlines and started servers; browsers and databases use the CPU instead.
    maxWorkers: process.env.TEST_WITH === undefined ? 3 : 2,
    // Most tests start their own servers, which takes longer beside other tests.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    ...(process.env.TEST_WITH === 'postgres' ? onPostgres : {}),
  },
});
