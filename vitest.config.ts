import { defineConfig } from 'vitest/config';

/**
 * Packages run from source everywhere: the same `source` condition as the servers. The time limits only end what hangs:
 * on a busy machine starting a process alone can take seconds.
 */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: { execArgv: ['--conditions=source'], testTimeout: 30_000, hookTimeout: 60_000 },
});
