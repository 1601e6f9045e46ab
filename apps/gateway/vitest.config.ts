import { mergeConfig } from 'vitest/config';
import workspace from '../../vitest.config.ts';

export default mergeConfig(workspace, { test: { globalSetup: ['test/bundle-program.ts'] } });
