import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteOrigin } from './running-origins.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { lowCostScheduling } from './server-programs.ts';

export interface SpawnedScheduling extends ServerProcess {
  readonly url: string;
  readonly folder: string;
}

/** Starts a scheduling server on a free port in a new folder, removed by `stop`. The caller stops it. */
export async function spawnScheduling(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  program = lowCostScheduling,
): Promise<SpawnedScheduling> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-scheduling-'));
  const all = { ROSTERGATE_SCHEDULING_PORT: '0', ...env };
  const server = spawnServer({ program, args, cwd: folder, env: all });
  const stop = async () => {
    const exitCode = await server.stop();
    await rm(folder, { recursive: true, force: true });
    return exitCode;
  };
  const { port } = await server
    .logged(({ msg }) => msg === 'listening')
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  const url = `http://127.0.0.1:${port}`;
  noteOrigin('scheduling', url, server.child);
  return { ...server, stop, folder, url };
}
