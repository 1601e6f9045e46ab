import { delimiter, join, resolve } from 'node:path';

/** Where the workspace lies, whatever the current directory. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** A fault that one line tells; no stack helps whoever reads it. */
export class StartFault extends Error {}

/** Prints a fault and gives the exit code that goes with it. @param {unknown} error */
export function reportFault(error) {
  console.error(error instanceof StartFault ? error.message : error);
  return 1;
}

/**
 * The environment in which the workspace's own programs run: its Node first on the path, and nothing of the npm that
 * started us, which pnpm would take for its own settings.
 * @param {NodeJS.ProcessEnv} env
 */
export function createWorkspaceEnv(env) {
  const kept = Object.entries(env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, 'node_modules/.bin'), env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  };
}
