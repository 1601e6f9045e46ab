import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../pick-free-port.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

const app = (path: string) => fileURLToPath(new URL(`../../../../apps/gateway/${path}`, import.meta.url));

/** How the program is run: from its sources, or as it is published. */
export const forms = {
  source: ['--conditions=source', app('src/main.ts')],
  built: [app('dist/main.js')],
} as const;

export type Form = keyof typeof forms;

export function isBuilt(): boolean {
  return existsSync(app('dist/main.js'));
}

export interface Gateway extends ServerProcess {
  /** Swaps in another endpoints.json, as an editor that writes aside and renames. */
  configure(endpoints: readonly object[]): Promise<void>;
}

export interface GatewayOptions {
  readonly endpoints: readonly object[];
  /** As it is published, where absent and built. */
  readonly form?: Form;
  readonly isProbed?: boolean;
}

/** Starts a gateway without limits on a free port of this machine, in a folder of its own that goes with it. */
export async function startGateway({
  endpoints,
  form = isBuilt() ? 'built' : 'source',
  isProbed = true,
}: GatewayOptions): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const configure = async (next: readonly object[]) => {
    await writeFile(join(folder, 'endpoints.next'), JSON.stringify({ endpoints: next }, null, 2));
    await rename(join(folder, 'endpoints.next'), join(folder, 'endpoints.json'));
  };
  await configure(endpoints);
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ rate_limit_enabled: false, log_level: 'warn' }));
  const port = await pickFreePort();
  const server = await startServer({
    args: [...forms[form], 'serve'],
    cwd: folder,
    env: { ROSTERGATE_PORT: String(port) },
    port,
    isProbed,
  });
  return {
    ...server,
    configure,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
