import { mergeConfig } from 'vitest/config';
import workspace from '../../vitest.config.ts';

export default mergeConfig(workspace, {
  test: {
    globalSetup: ['../../tools/workspace/bundle-programs.ts'],
    // As for the acceptance tests: what is started on a machine of others may wait for seconds.
    retry: process.env.CI === 'true' ? 1 : 0,
  },
});
