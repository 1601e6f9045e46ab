import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runServer } from 'verdaccio';
import { stringify } from 'yaml';

export interface LocalRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a registry on loopback that keeps our packages itself and passes on to `uplink` what it is asked of others. */
export async function startLocalRegistry(folder: string, uplink: string): Promise<LocalRegistry> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'config.yaml');
  await writeFile(file, stringify(createRegistryConfig(folder, uplink)));
  const server = (await runServer(file)) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/`, stop };
}

/** Ours have no uplink: what is installed under these names can only be what was published here. */
function createRegistryConfig(folder: string, uplink: string) {
  const ours = { access: '$all', publish: '$all', unpublish: '$all' };
  return {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: { outside: { url: uplink, timeout: '60s', maxage: '1h', max_fails: 20 } },
    packages: { rostergate: ours, '@rostergate/*': ours, '**': { access: '$all', proxy: 'outside' } },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
    max_body_size: '50mb',
  };
}
