import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Answer, type CallOptions, call, forgetContract } from './call.ts';
import { endProcess, hasEnded } from './end-process.ts';
import { pollUntil } from './poll-until.ts';
import { outsideEnv } from './start-server.ts';

const program = fileURLToPath(new URL('../../../apps/gateway/src/main.ts', import.meta.url));

/** A key that every gateway of these tests knows, unless its settings say otherwise. */
export const goodKey = 'acceptance-key-of-the-gateway';
export const withKey = { headers: { 'X-API-Key': goodKey } };

export interface GatewayFolder {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly endpoints?: readonly object[];
  /** More files beside settings.json, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface GatewayOptions extends GatewayFolder {
  readonly env?: Readonly<Record<string, string>>;
  /** After `serve`. */
  readonly args?: readonly string[];
}

/** One line of the gateway's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

export interface GatewayProcess {
  readonly folder: string;
  readonly url: string;
  readonly child: ChildProcess;
  readonly log: readonly LogLine[];
  /** Everything that was written to either output. */
  said(): string;
  /** Calls it; throws unless the contract that it serves allows the answer. */
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Writes a file of its folder in place. */
  write(path: string, content: string | object): Promise<void>;
  /** Resolves with the first line of the log that fits. */
  logged(fits: (line: LogLine) => boolean): Promise<LogLine>;
  /** Ends it by SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Makes a folder with a configuration, removed when the test ends. */
export async function makeGatewayFolder({ settings = {}, endpoints, files = {} }: GatewayFolder): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-gateway-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const all: Record<string, string> = {
    'settings.json': JSON.stringify({ api_keys: goodKey, rate_limit_enabled: false, ...settings }, null, 2),
    ...(endpoints === undefined ? {} : { 'endpoints.json': JSON.stringify({ endpoints }, null, 2) }),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) await writeInto(folder, path, text);
  return folder;
}

/** Starts a gateway of its own on a free port, in a folder of its own; ended when the test ends. */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const folder = await makeGatewayFolder(options);
  const child = spawn(process.execPath, ['--conditions=source', program, 'serve', ...(options.args ?? [])], {
    cwd: folder,
    env: { ...outsideEnv(), ROSTERGATE_PORT: '0', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  let text = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    text += `${line}\n`;
    if (line.startsWith('{')) log.push(JSON.parse(line) as LogLine);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const said = () => text;
  const stop = () => endProcess(child);
  onTestFinished(async () => {
    await stop();
  });
  const logged = async (fits: (line: LogLine) => boolean): Promise<LogLine> => {
    let found: LogLine | undefined;
    const isThere = () => {
      found = log.find(fits);
      if (found === undefined && hasEnded(child)) throw new Error(`The gateway ended with ${child.exitCode}:\n${text}`);
      return found !== undefined;
    };
    await pollUntil(isThere, { withinMs: 20_000, everyMs: 20, describe: () => `no such line in the log:\n${text}` });
    return found as LogLine;
  };
  const { port } = await logged(({ msg }) => msg === 'listening');
  const scheme = options.settings?.tls_certificate_file ? 'https' : 'http';
  const url = `${scheme}://127.0.0.1:${port}`;
  return {
    folder,
    url,
    child,
    log,
    said,
    call: (path, more) => call('gateway', path, { baseUrl: url, ...more }),
    write: async (path, content) => {
      await writeInto(folder, path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      forgetContract(url);
    },
    logged,
    stop,
  };
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the `rostergate` command to its end. */
export async function runCommand(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    cwd,
    env: { ...outsideEnv(), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
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

async function writeInto(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  // The file with keys must be its owner's alone.
  if (path.endsWith('keys.json')) await chmod(file, 0o600);
}
