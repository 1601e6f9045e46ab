import { delimiter, join, resolve } from 'node:path';

/** The root of the workspace. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** An error whose message is enough for the reader; it is printed without a stack. */
export class StartFault extends Error {}

/** Prints an error and returns its exit code. @param {unknown} error */
export function reportFault(error) {
  console.error(error instanceof StartFault ? error.message : error);
  return 1;
}

/**
 * Returns the environment for the programs of the workspace: its Node first on the PATH, and without the variables of
 * npm, which pnpm would read as its settings.
 * @param {NodeJS.ProcessEnv} env
 */
export function createWorkspaceEnv(env) {
  const inherited = Object.entries(env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: [join(root, 'node_modules/.bin'), env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  };
}
