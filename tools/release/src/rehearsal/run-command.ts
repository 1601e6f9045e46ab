import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { RehearsalFault } from './step-list.ts';

/** The pnpm of the workspace. The one in `.bin` sets NODE_PATH, which exposes more packages. */
export const pnpm = join(import.meta.dirname, '../../../../node_modules/pnpm/pnpm');

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Returns stderr too. */
  readonly withErrors?: boolean;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program and returns its output; throws with the output when it fails. */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await tryCommand(file, args, options);
  if (exitCode === 0) return options.withErrors ? stdout + stderr : stdout;
  const output = `${stdout}${stderr}`.trim().split('\n').slice(-40).join('\n');
  throw new RehearsalFault(`${[file, ...args].join(' ')} exited with ${exitCode}.\n${output}`);
}

/** Runs a program and returns its exit code and output. */
export async function tryCommand(
  file: string,
  args: readonly string[],
  { cwd, env = outsideEnv(), input = '', timeoutMs = 600_000 }: CommandOptions,
): Promise<CommandOutcome> {
  const child = spawn(file, args, { cwd, env, stdio: 'pipe', detached: true });
  killOnExit(child);
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutMs);
  // A program that does not read its input may exit before it is written.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  const [exitCode] = (await once(child, 'close').finally(() => clearTimeout(timer))) as [number | null];
  return { exitCode, ...output };
}

/**
 * Returns the environment outside of this workspace: without variables that pnpm, npm and the commands read, and without
 * its programs on the PATH.
 */
export function outsideEnv(): NodeJS.ProcessEnv {
  const isOurs = /^(npm_|pnpm_|rostergate_|node_options$|node_path$|node_env$|init_cwd$|ci$|vitest)/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs.test(name)));
  const path = (env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return { ...env, PATH: path.join(':'), NO_COLOR: '1' };
}

/** The author of commits and tags in a rehearsal; git requires one. */
export const rehearsalAuthor = {
  GIT_AUTHOR_NAME: 'rehearsal',
  GIT_AUTHOR_EMAIL: 'rehearsal@localhost',
  GIT_COMMITTER_NAME: 'rehearsal',
  GIT_COMMITTER_EMAIL: 'rehearsal@localhost',
} as const;

const running = new Set<ChildProcess>();

// Process groups would survive an interrupted rehearsal.
process.once('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/** Kills the process group of a `detached` child when this process exits. */
export function killOnExit(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** Sends a signal to the process group of a child. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    // It has exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
