import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endProcess, hasEnded } from './end-process.ts';
import { pollUntil } from './poll-until.ts';
import { noteOrigin } from './running-origins.ts';

export type ServerName = 'gateway' | 'staff-proxy' | 'scheduling';

export interface RunningServer {
  readonly name: ServerName;
  readonly url: string;
  /** Ends it as an operator would, by SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

export interface StartServerOptions {
  readonly name: ServerName;
  /** With 0 the server takes a free one. */
  readonly port: number;
  /** `ROSTERGATE_…` settings, the port excepted. */
  readonly env: Readonly<Record<string, string>>;
  readonly readyWithinMs?: number;
  /** What answers 200 once it can be called; another path than readiness for a server that is never ready. */
  readonly readyPath?: string;
}

/**
 * Starts a server from its sources and waits for it to be ready.
 * @throws with what it said when it does not get there
 */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { name, port, env, readyWithinMs = 30_000, readyPath = '/health/ready' } = options;
  let url = urlOf(port);
  const child = spawn(process.execPath, ['--conditions=source', 'src/main.ts', ...commands[name]], {
    cwd: fileURLToPath(new URL(`../../../apps/${name}`, import.meta.url)),
    env: { ...outsideEnv(), ...env, [portVariables[name]]: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = keepTail(child);
  const stop = () => endProcess(child);
  const isReady = async () => {
    if (hasEnded(child))
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}. It said:\n${said()}`);
    if (url === urlOf(0)) url = urlOf(portSaid(said()) ?? 0);
    if (url === urlOf(0)) return false;
    return fetch(url + readyPath).then(
      async (answer) => (await answer.text()) !== '' && answer.status === 200,
      () => false,
    );
  };
  try {
    await pollUntil(isReady, { withinMs: readyWithinMs, describe: () => `${name} was not ready. It said:\n${said()}` });
  } catch (error) {
    await stop();
    throw error;
  }
  noteOrigin(name, url, child);
  return { name, url, stop };
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

function portSaid(text: string): number | undefined {
  const [, port] = /"port":(\d+).*"msg":"listening"/.exec(text) ?? [];
  return port === undefined ? undefined : Number(port);
}

export const portVariables: Readonly<Record<ServerName, string>> = {
  gateway: 'ROSTERGATE_PORT',
  'staff-proxy': 'ROSTERGATE_PROXY_PORT',
  scheduling: 'ROSTERGATE_SCHEDULING_PORT',
};

/** The gateway's program does more than serve. */
const commands: Readonly<Record<ServerName, readonly string[]>> = {
  gateway: ['serve'],
  'staff-proxy': [],
  scheduling: [],
};

/** The machine's environment without settings that somebody may have set for servers of their own. */
export function outsideEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ROSTERGATE_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
  );
  return Object.fromEntries(kept);
}

/** The last lines of both outputs, for whoever has to find out why it ended. */
export function keepTail(child: ChildProcess, charactersMax = 16_384): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-charactersMax);
    });
  }
  return () => text;
}
