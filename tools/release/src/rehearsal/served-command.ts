import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killOnExit, signalGroup } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

/** A server started by a published command. */
export interface ServedCommand {
  readonly url: string;
  /** Stops the server by SIGTERM; throws if it does not exit cleanly. */
  stop(): Promise<void>;
}

export interface ServeOptions {
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
