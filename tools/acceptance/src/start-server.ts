import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endProcess, hasEnded } from './end-process.ts';
import { pollUntil } from './poll-until.ts';
import { noteOrigin } from './running-origins.ts';
import type { ServerName } from './server-names.ts';
import { lowCostScheduling, serverPrograms } from './server-programs.ts';

export type { ServerName };

export interface RunningServer {
  readonly name: ServerName;
  readonly url: string;
  /** Stops it by SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

export interface StartServerOptions {
  readonly name: ServerName;
  /** With 0 the server uses a free port. */
  readonly port: number;
  /** `ROSTERGATE_…` settings except the port. */
  readonly env: Readonly<Record<string, string>>;
  readonly readyWithinMs?: number;
  /** The path that responds 200 once the server can be called; readiness by default. */
  readonly readyPath?: string;
}

/**
 * Starts a server and waits until it is ready.
 * @throws with its output if it does not become ready
 */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { name, port, env, readyWithinMs = 60_000, readyPath = '/health/ready' } = options;
  let url = urlOf(port);
  const program = name === 'scheduling' ? lowCostScheduling : serverPrograms[name].file;
  const child = spawn(process.execPath, ['--conditions=source', program, ...commands[name]], {
    cwd: fileURLToPath(new URL(`../../../apps/${name}`, import.meta.url)),
    env: { ...outsideEnv(), ...env, [portVariables[name]]: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const stop = () => endProcess(child);
  const isReady = async () => {
    if (hasEnded(child))
      throw new Error(`${name} exited with ${child.exitCode ?? child.signalCode}. Its output:\n${output()}`);
    if (url === urlOf(0)) url = urlOf(loggedPort(output()) ?? 0);
    if (url === urlOf(0)) return false;
    return fetch(url + readyPath).then(
      async (response) => (await response.text()) !== '' && response.status === 200,
      () => false,
    );
  };
  try {
    await pollUntil(isReady, {
      withinMs: readyWithinMs,
      describe: () => `${name} was not ready. Its output:\n${output()}`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  noteOrigin(name, url, child);
  return { name, url, stop };
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

function loggedPort(text: string): number | undefined {
  const [, port] = /"port":(\d+).*"msg":"listening"/.exec(text) ?? [];
  return port === undefined ? undefined : Number(port);
}

export const portVariables: Readonly<Record<ServerName, string>> = {
  gateway: 'ROSTERGATE_PORT',
  'staff-proxy': 'ROSTERGATE_PROXY_PORT',
  scheduling: 'ROSTERGATE_SCHEDULING_PORT',
};

/** The arguments that serve: the program of the gateway has other commands too. */
const commands: Readonly<Record<ServerName, readonly string[]>> = {
  gateway: ['serve'],
  'staff-proxy': [],
  scheduling: [],
};

/** Returns the environment without settings of servers and tests. */
export function outsideEnv(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ROSTERGATE_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
  );
  return Object.fromEntries(inherited);
}

/** Returns a function with the end of both outputs, for error messages. */
export function collectOutput(child: ChildProcess, charactersMax = 16_384): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-charactersMax);
    });
  }
  return () => text;
}
