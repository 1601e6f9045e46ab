import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServerProcess, spawnServer } from '../server-process.ts';
import { serverPrograms } from '../server-programs.ts';
import { portVariables } from '../start-server.ts';
import type { DeployedServer } from './deployed-server.ts';

export interface RunOptions {
  /** Keys and passwords, by file name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Further variables, such as secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** The addresses of the other servers, by their names in the files. */
  readonly addresses?: Readonly<Record<string, string>>;
}

export interface RunningDeployment extends ServerProcess {
  readonly url: string;
}

/**
 * Runs a server with the arguments, variables, files and working folder of a file in deploy/. Its folders are moved to a
 * temporary one, it uses a free port on loopback, and it runs from source.
 */
export async function runDeployed(server: DeployedServer, options: RunOptions = {}): Promise<RunningDeployment> {
  const root = await mkdtemp(join(tmpdir(), `deployed-${server.name}-`));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const here = (text: string) =>
    Object.entries(options.addresses ?? {}).reduce(
      (moved, [from, to]) => moved.replaceAll(from, to),
      text.replaceAll(/\/(etc\/rostergate|run\/rostergate|var\/lib\/rostergate|var\/empty)/g, `${root}$&`),
    );
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, here(text), { mode: 0o600 });
  };
  for (const [path, text] of Object.entries(server.files)) await write(here(path), text);
  for (const [name, text] of Object.entries(options.secrets ?? {})) {
    await write(join(here(server.secretsFolder), name), text);
  }
  const cwd = here(server.cwd);
  await mkdir(cwd, { recursive: true });
  const prefix = portVariables[server.name].replace(/PORT$/, '');
  const env = {
    ...Object.fromEntries(Object.entries(server.env).map(([name, text]) => [name, here(text)])),
    ...options.env,
    [`${prefix}HOST`]: '127.0.0.1',
    [`${prefix}PORT`]: '0',
  };
  const { file: program } = serverPrograms[server.name];
  const running = spawnServer({ program, args: server.args.map(here), cwd, env });
  onTestFinished(async () => {
    await running.stop();
  });
  const { port } = await running.logged(({ msg }) => msg === 'listening');
  return { ...running, url: `http://127.0.0.1:${port}` };
}
