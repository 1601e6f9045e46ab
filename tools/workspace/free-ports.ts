import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives to servers on port 0 and to clients, which could take one before its use. */
const [lowest, highest] = [15_000, 32_000];

/** Returns distinct ports that are free at the moment. */
export async function pickFreePorts(count: 3): Promise<[number, number, number]>;
export async function pickFreePorts(count: number): Promise<number[]>;
export async function pickFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(lowest, highest);
    if (await isPortFree(port)) ports.add(port);
  }
  return [...ports];
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
