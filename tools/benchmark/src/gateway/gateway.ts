import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import type { Core } from '../cores.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { createPriceEndpoints, priceService, priceSettings } from './configurations.ts';

const app = (path: string) => fileURLToPath(new URL(`../../../../apps/gateway/${path}`, import.meta.url));

/** The arguments that run the program from its sources, or as published. */
const forms = {
  source: ['--conditions=source', app('src/main.ts')],
  built: [app('dist/main.js')],
} as const;

export type Form = keyof typeof forms;

export function isBuilt(): boolean {
  return existsSync(app('dist/main.js'));
}

export interface Gateway extends ServerProcess {
  /** Replaces endpoints.json by rename. */
  configure(endpoints: readonly object[]): Promise<void>;
}

export interface GatewayOptions {
  readonly endpoints: readonly object[];
  /** `built` by default if there is a build. */
  readonly form?: Form;
  readonly isProbed?: boolean;
  /** `server` by default. */
  readonly core?: Core;
  /** The content of settings.json; without limits by default. */
  readonly settings?: object;
  /** The keys of keys.json; no file by default. */
  readonly keys?: readonly object[];
  /** The files of the services folder, by name. */
  readonly services?: Readonly<Record<string, string>>;
}

/** Starts a gateway on a free port, in a temporary folder that stopping removes. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { endpoints, form = isBuilt() ? 'built' : 'source', isProbed = true, core, keys, services = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const configure = async (next: readonly object[]) => {
    await writeFile(join(folder, 'endpoints.next'), JSON.stringify({ endpoints: next }, null, 2));
    await rename(join(folder, 'endpoints.next'), join(folder, 'endpoints.json'));
  };
  await configure(endpoints);
  const settings = options.settings ?? { rate_limit_enabled: false };
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ log_level: 'warn', ...settings }));
  if (keys !== undefined) await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys }), { mode: 0o600 });
  await mkdir(join(folder, 'services'));
  for (const [name, text] of Object.entries(services)) await writeFile(join(folder, 'services', name), text);
  const port = await pickFreePort();
  const server = await startServer({
    args: [...forms[form], 'serve'],
    cwd: folder,
    env: { ROSTERGATE_PORT: String(port) },
    port,
    isProbed,
    core,
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

/** Starts a gateway with `count` endpoints of the price service and a limit above the load. */
export function startPriceGateway(
  count: number,
  keys: readonly object[],
  { settings, ...options }: Pick<GatewayOptions, 'settings' | 'isProbed' | 'core'> = {},
): Promise<Gateway> {
  return startGateway({
    ...options,
    endpoints: createPriceEndpoints(count),
    keys,
    services: { 'price.ts': priceService },
    settings: { ...priceSettings, ...settings },
  });
}
