import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AtEnd, makeTemporaryFolder } from './at-end.ts';
import { replaceFile } from './replace-file.ts';
import { noteOrigin } from './running-origins.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { serverPrograms } from './server-programs.ts';

/** The key of every gateway of these tests, unless its settings differ. */
export const goodKey = 'acceptance-key-of-the-gateway';

export interface GatewayFolder {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly endpoints?: readonly object[];
  /** The policies that the endpoints may name. */
  readonly policies?: Readonly<Record<string, object>>;
  /** More files of the folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface GatewayOptions extends GatewayFolder {
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments after `serve`. */
  readonly args?: readonly string[];
}

export interface SpawnedGateway extends ServerProcess {
  readonly folder: string;
  readonly url: string;
  /** Writes a file of its folder. */
  write(path: string, content: string | object): Promise<void>;
}

/** Starts a gateway on a free port in a new folder; `atEnd` stops it and removes the folder. */
export async function spawnGateway(options: GatewayOptions, atEnd: AtEnd): Promise<SpawnedGateway> {
  return spawnGatewayIn(await makeGatewayFolder(options, atEnd), options, atEnd);
}

/** Starts a gateway on a free port in a folder that has its files; `atEnd` stops it. */
export async function spawnGatewayIn(
  folder: string,
  { args = [], env, settings }: Pick<GatewayOptions, 'args' | 'env' | 'settings'>,
  atEnd: AtEnd,
): Promise<SpawnedGateway> {
  const server = spawnServer({
    program: serverPrograms.gateway.file,
    args: ['serve', ...args],
    cwd: folder,
    env: { ROSTERGATE_PORT: '0', ...env },
  });
  atEnd(server.stop);
  const { port } = await server.logged(({ msg }) => msg === 'listening');
  const scheme = settings?.tls_certificate_file ? 'https' : 'http';
  const url = `${scheme}://127.0.0.1:${port}`;
  noteOrigin('gateway', url, server.child);
  return {
    ...server,
    folder,
    url,
    write: (path, content) =>
      writeInto(folder, path, typeof content === 'string' ? content : JSON.stringify(content, null, 2)),
  };
}

/** Creates a folder with a configuration; `atEnd` removes it. */
export async function makeGatewayFolder(options: GatewayFolder, atEnd: AtEnd): Promise<string> {
  const folder = await makeTemporaryFolder('rostergate-gateway-', atEnd);
  for (const [path, text] of Object.entries(filesOf(options))) await writeInto(folder, path, text);
  return folder;
}

/** Returns the files of a configuration by path. */
export function filesOf({ settings = {}, endpoints, policies, files = {} }: GatewayFolder): Record<string, string> {
  return {
    'settings.json': JSON.stringify({ api_keys: goodKey, rate_limit_enabled: false, ...settings }, null, 2),
    ...(endpoints === undefined ? {} : { 'endpoints.json': JSON.stringify({ endpoints, policies }, null, 2) }),
    ...files,
  };
}

async function writeInto(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  // Only the owner may read the file with keys.
  await replaceFile(file, text, path.endsWith('keys.json') ? 0o600 : undefined);
}
