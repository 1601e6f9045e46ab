import { delimiter, join, resolve } from 'node:path';

/** The root folder of the workspace. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** A fault whose message is enough; its stack is not printed. */
export class StartFault extends Error {}

/** Prints a fault and returns the exit code. @param {unknown} error */
export function reportFault(error) {
  console.error(error instanceof StartFault ? error.message : error);
  return 1;
}

/**
 * Returns the environment of the workspace's own programs: its Node is first in PATH, and the variables of npm are removed,
 * because pnpm would read them as its own settings.
 * @param {NodeJS.ProcessEnv} env
 */
export function createWorkspaceEnv(env) {
  const others = Object.entries(env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(others),
    PATH: [join(root, 'node_modules/.bin'), env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  };
}
