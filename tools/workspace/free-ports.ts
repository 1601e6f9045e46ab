import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns distinct ports that are free at the moment. */
export async function pickFreePorts(count: 3): Promise<[number, number, number]>;
export async function pickFreePorts(count: number): Promise<number[]>;
export async function pickFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

export async function pickFreePort(): Promise<number> {
  const [port] = await pickFreePorts(3);
  return port;
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isFree) await once(server.close(), 'close');
  return isFree;
}
