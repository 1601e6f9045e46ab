import { mergeConfig } from 'vitest/config';
import workspace from '../../vitest.config.ts';

export default mergeConfig(workspace, {
  test: {
    globalSetup: ['../../tools/workspace/bundle-programs.ts'],
  },
});
