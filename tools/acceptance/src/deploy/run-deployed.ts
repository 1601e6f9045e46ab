import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServerProcess, spawnServer } from '../server-process.ts';
import { serverPrograms } from '../server-programs.ts';
import { portVariables } from '../start-server.ts';
import type { DeployedServer } from './deployed-server.ts';

export interface RunOptions {
  /** Keys and passwords, by the names of their files. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What is set beside, such as secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the other servers are, by what the files call them. */
  readonly addresses?: Readonly<Record<string, string>>;
}

export interface RunningDeployment extends ServerProcess {
  readonly url: string;
}

/**
 * Runs a server as one of the files in deploy/ does: its arguments, variables, files and working folder. Its folders
 * are moved below a temporary one, its port is any free one on loopback, and it runs from source.
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
