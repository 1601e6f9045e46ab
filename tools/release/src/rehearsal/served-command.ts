import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endGroup, endWithUs } from './process-group.ts';
import { RehearsalFault } from './step-list.ts';

/** A server that a published command has started. */
export interface ServedCommand {
  readonly url: string;
  /** Ends it by SIGTERM; throws when that does not end it well. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly readyWithinMs?: number;
}

/** Starts a command that serves, on a free port, and waits until its log says where it listens. */
export async function startCommand(
  file: string,
  args: readonly string[],
  { cwd, env, readyWithinMs = 60_000 }: ServeOptions,
): Promise<ServedCommand> {
  // A group of its own: npx starts a shell, which starts the command.
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  endWithUs(child);
  const command = [file, ...args].join(' ');
  const ended = once(child, 'close');
  let said = '';
  const listening = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new RehearsalFault(`${command} did not listen. It said\n${said}`)),
      readyWithinMs,
    );
    const look = (chunk: string) => {
      said += chunk;
      const line = said.split('\n').find((each) => each.includes('"msg":"listening"'));
      if (line === undefined) return;
      clearTimeout(timer);
      resolve((JSON.parse(line) as { port: number }).port);
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    ended.then(([code]) => {
      clearTimeout(timer);
      reject(new RehearsalFault(`${command} ended with ${code}. It said\n${said}`));
    }, reject);
  });
  const stop = async () => {
    endGroup(child, 'SIGTERM');
    const timer = setTimeout(() => endGroup(child, 'SIGKILL'), 15_000);
    const [code, signal] = await ended;
    clearTimeout(timer);
    if (signal === 'SIGKILL') throw new RehearsalFault(`${command} did not end by SIGTERM. It said\n${said}`);
    if (code !== 0 && signal !== 'SIGTERM' && code !== 143) {
      throw new RehearsalFault(`${command} ended with ${code}. It said\n${said}`);
    }
  };
  try {
    return { url: `http://127.0.0.1:${await listening}`, stop };
  } catch (error) {
    endGroup(child, 'SIGKILL');
    throw error;
  }
}
