import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { createWorkspaceEnv, reportFault, root } from './workspace.mjs';

process.exit(await test(process.argv.slice(2)).catch(reportFault));

/** @param {string[]} args options for turbo, such as `--filter=rostergate` or `--force` */
async function test(args) {
  await install({ root, env: process.env, isTerminal: Boolean(process.stderr.isTTY) });
  const concurrency = `--concurrency=${Math.max(2, availableParallelism())}`;
  const defaults = ['--ui=stream', '--log-order=grouped', '--continue', concurrency].filter(
    (option) => !args.some((arg) => arg.startsWith(option.replace(/=.*/, ''))),
  );
  const turbo = spawnSync(join(root, 'node_modules/.bin/turbo'), ['run', 'test', ...defaults, ...args], {
    cwd: root,
    env: createWorkspaceEnv(process.env),
    stdio: 'inherit',
  });
  return turbo.status ?? 1;
}
