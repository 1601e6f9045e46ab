import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AtEnd } from './at-end.ts';
import { outsideEnv } from './start-server.ts';
import { whenTestEnds } from './when-test-ends.ts';

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
  /** Registers the end of the program, which is killed then; by default the end of the test. */
  readonly atEnd?: AtEnd;
}

/** Runs a program of the workspace until it exits. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<CommandOutcome> {
  const { cwd, env = {}, input = '', atEnd = whenTestEnds } = options;
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    cwd,
    env: { ...outsideEnv(), NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  atEnd(async () => child.kill('SIGKILL'));
  // A program that does not read its input may exit before it is written.
  child.stdin.on('error', () => undefined).end(input);
  const outcome = { exitCode: null as number | null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    outcome.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    outcome.stderr += chunk;
  });
  [outcome.exitCode] = (await once(child, 'close')) as [number | null];
  return outcome;
}
