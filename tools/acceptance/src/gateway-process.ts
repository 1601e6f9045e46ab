import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Answer, type CallOptions, call, forgetContract } from './call.ts';
import { type CommandOutcome, type RunOptions, runProgram } from './run-program.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';

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

export interface GatewayProcess extends ServerProcess {
  readonly folder: string;
  readonly url: string;
  /** Calls it; throws unless the contract that it serves allows the answer. */
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Writes a file of its folder in place. */
  write(path: string, content: string | object): Promise<void>;
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
  const server = spawnServer({
    program,
    args: ['serve', ...(options.args ?? [])],
    cwd: folder,
    env: { ROSTERGATE_PORT: '0', ...options.env },
  });
  onTestFinished(async () => {
    await server.stop();
  });
  const { port } = await server.logged(({ msg }) => msg === 'listening');
  const scheme = options.settings?.tls_certificate_file ? 'https' : 'http';
  const url = `${scheme}://127.0.0.1:${port}`;
  // Another may have had the port before.
  forgetContract(url);
  return {
    ...server,
    folder,
    url,
    call: (path, more) => call('gateway', path, { baseUrl: url, ...more }),
    write: async (path, content) => {
      await writeInto(folder, path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      forgetContract(url);
    },
  };
}

/** Runs the `rostergate` command to its end. */
export const runCommand = (args: readonly string[], options: RunOptions): Promise<CommandOutcome> =>
  runProgram(program, args, options);

async function writeInto(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  // The file with keys must be its owner's alone.
  if (path.endsWith('keys.json')) await chmod(file, 0o600);
}
