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

/** Starts a registry on loopback that stores the packages of this workspace and forwards all others to `uplink`. */
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

/** Returns settings without an uplink for our packages: only the versions published here can be installed. */
function createRegistryConfig(folder: string, uplink: string) {
  const local = { access: '$all', publish: '$all', unpublish: '$all' };
  return {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: { outside: { url: uplink, timeout: '60s', maxage: '1h', max_fails: 20 } },
    packages: {
      rostergate: local,
      'create-rostergate': local,
      '@rostergate/*': local,
      '**': { access: '$all', proxy: 'outside' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
    max_body_size: '50mb',
  };
}
