import { defineConfig } from 'vitest/config';

/** Packages run from source everywhere: the same `source` condition as the servers. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: { execArgv: ['--conditions=source'] },
});
