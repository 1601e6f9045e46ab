import { join } from 'node:path';
import { type AtEnd, makeTemporaryFolder } from './at-end.ts';
import { replaceFile } from './replace-file.ts';
import { noteOrigin } from './running-origins.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { serverPrograms } from './server-programs.ts';

export interface ProxyFolder {
  /** proxy-keys.json. */
  readonly keysFile: ProxyKeysFile;
  /** staff-proxy.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** More files of the folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface ProxyKeysFile {
  readonly accounts: Readonly<Record<string, object>>;
  readonly keys?: readonly object[];
  readonly tokens?: readonly object[];
}

export interface ProxyOptions extends ProxyFolder {
  readonly env?: Readonly<Record<string, string>>;
}

export interface SpawnedProxy extends ServerProcess {
  readonly folder: string;
  readonly url: string;
  /** Writes files of its folder and waits until the proxy has applied them. */
  edit(files: Readonly<Record<string, string | object>>): Promise<void>;
  /** Makes a change to its files and waits until the proxy has applied it. */
  applied(change: () => Promise<unknown>): Promise<void>;
}

/** Starts a staff proxy on a free port in a new folder; `atEnd` stops it and removes the folder. */
export async function spawnProxy(options: ProxyOptions, atEnd: AtEnd): Promise<SpawnedProxy> {
  const folder = await makeProxyFolder(options, atEnd);
  const env = { ROSTERGATE_PROXY_PORT: '0', ...options.env };
  const server = spawnServer({ program: serverPrograms['staff-proxy'].file, args: ['serve'], cwd: folder, env });
  atEnd(server.stop);
  const { port } = await server.logged(({ msg }) => msg === 'listening');
  const applied = async (change: () => Promise<unknown>) => {
    const before = server.log.length;
    await change();
    await server.logged((line) => line.msg === 'configuration applied' && server.log.indexOf(line) >= before);
  };
  const url = `${options.settings?.tls_certificate_file ? 'https' : 'http'}://127.0.0.1:${port}`;
  noteOrigin('staff-proxy', url, server.child);
  return {
    ...server,
    folder,
    url,
    applied,
    edit: (files) => applied(() => writeInto(folder, files)),
  };
}

/** Creates a folder with a configuration; `atEnd` removes it. */
export async function makeProxyFolder(
  { keysFile, settings = {}, files = {} }: ProxyFolder,
  atEnd: AtEnd,
): Promise<string> {
  const folder = await makeTemporaryFolder('rostergate-staff-proxy-', atEnd);
  await writeInto(folder, {
    'staff-proxy.json': { rate_limit_enabled: false, ...settings },
    'proxy-keys.json': keysFile,
    ...files,
  });
  return folder;
}

/** Writes files of a configuration. */
export async function writeInto(folder: string, files: Readonly<Record<string, string | object>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    // Only the owner may read the file with keys.
    await replaceFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2), 0o600);
  }
}
