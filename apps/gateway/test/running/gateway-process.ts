import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { type AtEnd, whenTestEnds } from '../at-end.ts';
import { program } from '../program.ts';

const goodKey = 'key-of-the-running-gateway';

export interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly faults?: readonly string[];
  readonly trigger?: string;
  readonly [name: string]: unknown;
}

export interface GatewayProcess {
  readonly folder: string;
  readonly url: string;
  readonly child: ChildProcess;
  /** Lines of the log, except requests. */
  readonly log: readonly LogLine[];
  /** Returns everything it wrote to both outputs. */
  readonly output: () => string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Returns the `configuration` of its readiness. */
  readonly configurationStatus: () => Promise<{ status: string; reason?: string; since?: string }>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit code. */
  readonly stop: () => Promise<number | null>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** By default the end of the test. */
  readonly atEnd?: AtEnd;
}

/** Returns a folder with these files, private ones with mode 600; it is removed at the end. */
export async function makeFolder(
  files: Readonly<Record<string, string | object>>,
  atEnd = whenTestEnds,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await put(join(folder, name), content);
  return folder;
}

/** Writes a file in place. */
export async function put(path: string, content: string | object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  if (path.endsWith('keys.json')) await chmod(path, 0o600);
}

/** Runs `rostergate serve`, which may fail to start. */
export function spawnGateway(folder: string, { env = {}, args = [], atEnd = whenTestEnds }: StartOptions = {}) {
  const child = spawn(process.execPath, ['--conditions=source', program, 'serve', '--config', folder, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ROSTERGATE_PORT: '0',
      ROSTERGATE_CRYPTO_UPSTREAM_URL: 'http://127.0.0.1:9/',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('{') && !line.includes('"request_id"')) log.push(JSON.parse(line) as LogLine);
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, log, ended, output: () => output };
}

/** Runs `rostergate serve` and waits until it listens. */
export async function startGateway(folder: string, options: StartOptions = {}): Promise<GatewayProcess> {
  const { child, log, ended, output } = spawnGateway(folder, options);
  const line = await until(
    () => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${output()}`);
      return log.find(({ msg }) => msg === 'listening');
    },
    'the start',
    60_000,
  );
  const url = `http://127.0.0.1:${line.port}`;
  return {
    folder,
    url,
    child,
    log,
    output,
    ended,
    fetch: (path, init) => fetch(url + path, init),
    async configurationStatus() {
      const body = (await (await fetch(`${url}/health/ready`)).json()) as {
        dependencies: { configuration: { status: string; reason?: string } };
      };
      return body.dependencies.configuration;
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Polls until there is a result or a timeout. */
export async function until<T>(
  ask: () => T | Promise<T>,
  what = 'what was waited for',
  withinMs = 20_000,
): Promise<NonNullable<T>> {
  const endsMs = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
    if (performance.now() > endsMs) throw new Error(`In ${withinMs} ms there was not ${what}.`);
    await wait(20);
  }
}

export const withKey = (key = goodKey): RequestInit => ({ headers: { 'X-API-Key': key } });

/** Returns one endpoint with a fixed response. */
export const fixed = (answer: unknown, path = '/answer') => ({ path, service: 'static', parameters: { answer } });
