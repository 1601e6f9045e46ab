import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Core, onCore } from './cores.ts';
import type { Question } from './probe.mjs';
import { cpuUsOfTree, memoryOfTree } from './process-tree.ts';

export interface ServerProcess {
  readonly url: string;
  /** From the moment before it was started until it answered that it is ready. */
  readonly readyMs: number;
  /** What the probe in the process says. */
  ask<T>(question: Question): Promise<T>;
  /** Ends it by SIGTERM, by its id. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Node when absent. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly readyWithinMs?: number;
  /** Without it nothing foreign is loaded into the process; what can be asked is what the system says of it and its children. */
  readonly isProbed?: boolean;
  /** The one for what is measured, when absent. */
  readonly core?: Core | undefined;
}

/** Starts a server as a process of its own and waits until it is ready; throws with what it said when it is not. */
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
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-16_384);
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
      throw new Error(`The server was not ready. It said:\n${said}`);
    }
    await wait(2);
  }
  const readyMs = performance.now() - startedMs;

  return {
    url: `http://127.0.0.1:${port}`,
    readyMs,
    async ask<T>(question: Question) {
      if (!isProbed) return askSystem(child.pid as number, question) as T;
      const answered = once(child, 'message');
      child.send(question);
      const [answer] = await answered;
      return answer as T;
    },
    stop,
  };
}

function askSystem(pid: number, question: Question): number {
  if (question === 'cpu') return cpuUsOfTree(pid);
  if (question === 'memory') return memoryOfTree(pid);
  throw new Error(`Only a server with a probe can be asked for ${question}.`);
}

/** One request on a connection of its own. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200));
    });
    asked.once('error', () => resolve(false)).end();
  });
}

/** The machine's environment without settings that somebody may have set for servers of their own. */
function outsideEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ROSTERGATE_|NODE_OPTIONS|NODE_ENV)/.test(name)),
  );
}
