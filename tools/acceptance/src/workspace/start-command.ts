import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { collectOutput, outsideEnv } from '../start-server.ts';

export const startScript = fileURLToPath(new URL('../../../workspace/start.cjs', import.meta.url));

/** A command as it runs, with its output so far. */
export interface RunningCommand {
  readonly child: ChildProcess;
  output(): string;
  /** Resolves when its output matches; rejects when it ends before. */
  waitFor(pattern: RegExp): Promise<void>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

/** Runs a script of Node in a process group of its own, so that a signal to the group does not reach the tests. */
export function runCommand(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd?: string,
  args: readonly string[] = [],
): RunningCommand {
  const child = spawn(process.execPath, ['--conditions=source', script, ...args], {
    cwd,
    env: { ...outsideEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = collectOutput(child);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const waitFor = async (pattern: RegExp) => {
    let hasEnded = false;
    const end = ended.then(() => {
      hasEnded = true;
    });
    while (!pattern.test(output())) {
      if (hasEnded) throw new Error(`The command ended with ${child.exitCode}. Its output:\n${output()}`);
      await Promise.race([end, once(child.stdout as NodeJS.ReadableStream, 'data')]);
    }
  };
  return { child, output, waitFor, ended };
}
