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
function killOnExit(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** Sends a signal to the process group of a child. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    // It has exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A server started by a published command. */
export interface ServedCommand {
  readonly url: string;
  /** Stops the server by SIGTERM; throws if it does not exit cleanly. */
  stop(): Promise<void>;
}

interface ServeOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly readyWithinMs?: number;
}

/** Starts a serving command and waits until its log contains the port. */
export async function startCommand(
  file: string,
  args: readonly string[],
  { cwd, env, readyWithinMs = 60_000 }: ServeOptions,
): Promise<ServedCommand> {
  // A process group, because npx starts a shell, which starts the command.
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  killOnExit(child);
  const command = [file, ...args].join(' ');
  const ended = once(child, 'close');
  let output = '';
  const listening = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new RehearsalFault(`${command} did not listen. Its output:\n${output}`)),
      readyWithinMs,
    );
    const read = (chunk: string) => {
      output += chunk;
      const line = output.split('\n').find((each) => each.includes('"msg":"listening"'));
      if (line === undefined) return;
      clearTimeout(timer);
      resolve((JSON.parse(line) as { port: number }).port);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    ended.then(([code]) => {
      clearTimeout(timer);
      reject(new RehearsalFault(`${command} exited with ${code}. Its output:\n${output}`));
    }, reject);
  });
  const stop = async () => {
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 15_000);
    const [code, signal] = await ended;
    clearTimeout(timer);
    if (signal === 'SIGKILL') throw new RehearsalFault(`${command} did not exit on SIGTERM. Its output:\n${output}`);
    if (code !== 0 && signal !== 'SIGTERM' && code !== 143) {
      throw new RehearsalFault(`${command} exited with ${code}. Its output:\n${output}`);
    }
  };
  try {
    return { url: `http://127.0.0.1:${await listening}`, stop };
  } catch (error) {
    signalGroup(child, 'SIGKILL');
    throw error;
  }
}
