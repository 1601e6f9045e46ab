import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { program } from './program.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly execArgv?: readonly string[];
  /** Called with the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the real program, without settings from the environment. */
export function startRostergate(args: readonly string[], { cwd, env = {}, execArgv = [] }: RunOptions = {}) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['--conditions=source', ...execArgv, program, ...args], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs the real program until it exits. */
export async function runRostergate(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = startRostergate(args, options);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  options.onStart?.(child);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code: code ?? signal, ...texts };
}

/** Returns an empty folder, removed when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
