import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endGroup, endWithUs } from './process-group.ts';
import { RehearsalFault } from './step-list.ts';

/** The workspace's own, as a machine may have none; the one in `.bin` shows what it runs more packages than are its own. */
export const pnpm = join(import.meta.dirname, '../../../../node_modules/pnpm/pnpm');

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Whether what it says of errors and warnings is given back too. */
  readonly withErrors?: boolean;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end and throws, with what it said, when that is not a good one. */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await tryCommand(file, args, options);
  if (exitCode === 0) return options.withErrors ? stdout + stderr : stdout;
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-40).join('\n');
  throw new RehearsalFault(`${[file, ...args].join(' ')} ended with ${exitCode}.\n${said}`);
}

/** Runs a program to its end, whichever that is. */
export async function tryCommand(
  file: string,
  args: readonly string[],
  { cwd, env = outsideEnv(), input = '', timeoutMs = 600_000 }: CommandOptions,
): Promise<CommandOutcome> {
  const child = spawn(file, args, { cwd, env, stdio: 'pipe', detached: true });
  endWithUs(child);
  const timer = setTimeout(() => endGroup(child, 'SIGKILL'), timeoutMs);
  // A program that does not read its input may end before it is written.
  child.stdin.on('error', () => undefined).end(input);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  const [exitCode] = (await once(child, 'close').finally(() => clearTimeout(timer))) as [number | null];
  return { exitCode, ...said };
}

/**
 * The environment of somebody who knows nothing of this workspace: without what pnpm, npm and the commands would read
 * there, and without its programs on the PATH.
 */
export function outsideEnv(): NodeJS.ProcessEnv {
  const isOurs = /^(npm_|pnpm_|rostergate_|node_options$|node_path$|node_env$|init_cwd$|ci$|vitest)/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs.test(name)));
  const path = (env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return { ...env, PATH: path.join(':'), NO_COLOR: '1' };
}

/** Who commits and tags in a rehearsal: git wants somebody. */
export const rehearsalAuthor = {
  GIT_AUTHOR_NAME: 'rehearsal',
  GIT_AUTHOR_EMAIL: 'rehearsal@localhost',
  GIT_COMMITTER_NAME: 'rehearsal',
  GIT_COMMITTER_EMAIL: 'rehearsal@localhost',
} as const;
