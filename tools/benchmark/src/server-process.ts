import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Core, onCore } from './cores.ts';
import type { Question } from './probe.mjs';
import { cpuUsOfTree, memoryOfTree } from './process-tree.ts';

export interface ServerProcess {
  readonly url: string;
  /** From just before the start to the first 200 of /health/ready. */
  readonly readyMs: number;
  /** Asks the probe in the process. */
  ask<T>(question: Question): Promise<T>;
  /** Stops it with SIGTERM, and with SIGKILL after 10 s. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Node by default. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly readyWithinMs?: number;
  /** False loads no probe: only the CPU and memory of the process and its children are known then. */
  readonly isProbed?: boolean;
  /** `server` by default. */
  readonly core?: Core | undefined;
}

/** Stops a server: for `adopt` of an AsyncDisposableStack. */
export const stop = (server: ServerProcess): Promise<void> => server.stop();

/** Starts a server process and waits until it is ready; throws with its output when it is not. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { program = process.execPath, args, cwd, env, port, readyWithinMs = 30_000, isProbed = true } = options;
  const startedMs = performance.now();
  const probe = isProbed ? ['--expose-gc', '--import', new URL('./probe.mjs', import.meta.url).href] : [];
  const [command, ...rest] = onCore(options.core ?? 'server', [program, ...probe, ...args]);
  const child = spawn(command, rest, {
    cwd,
    env: { ...outsideEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', isProbed ? 'ipc' : 'ignore'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-16_384);
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(deadline);
  }

  while (!(await isReady(port))) {
    const isLate = performance.now() - startedMs > readyWithinMs;
    if (isLate || hasEnded()) {
      await stop();
      throw new Error(`The server is not ready. Its output:\n${output}`);
    }
    await wait(2);
  }
  const readyMs = performance.now() - startedMs;

  return {
    url: `http://127.0.0.1:${port}`,
    readyMs,
    async ask<T>(question: Question) {
      if (!isProbed) return askSystem(child.pid as number, question) as T;
      const message = once(child, 'message');
      child.send(question);
      const [reply] = await message;
      return reply as T;
    },
    stop,
  };
}

function askSystem(pid: number, question: Question): number {
  if (question === 'cpu') return cpuUsOfTree(pid);
  if (question === 'memory') return memoryOfTree(pid);
  throw new Error(`Only a server with a probe reports ${question}.`);
}

/** Sends one request on a new connection. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200));
    });
    sent.once('error', () => resolve(false)).end();
  });
}

/** Returns the environment without the settings of other servers. */
function outsideEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ROSTERGATE_|NODE_OPTIONS|NODE_ENV)/.test(name)),
  );
}
