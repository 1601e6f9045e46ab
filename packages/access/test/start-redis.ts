import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Returns the id of its process. */
  pid(): number;
  /** Kills the process, as a crash would. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** Suspends the process: connections stay open, without responses. */
  freeze(): void;
  thaw(): void;
  /** Kills the process and removes its folder. */
  close(): Promise<void>;
}

export interface RedisOptions {
  readonly password?: string;
  /** More options of the server, by name. */
  readonly more?: Readonly<Record<string, string>>;
  /** The lines of a sentinel's configuration; it is a sentinel then. */
  readonly sentinel?: readonly string[];
}

/** Starts a Redis for a test, in memory, on a free port of this machine. Needs `redis-server` on the PATH. */
export async function startRedis({ password, more = {}, sentinel }: RedisOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-redis-'));
  let port = await findFreePort();
  let child: ChildProcess | undefined;

  const start = async () => {
    child = await spawnRedis(
      port,
      folder,
      { ...more, ...(password === undefined ? {} : { requirepass: password }) },
      sentinel,
    );
  };
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  for (let tries = 1; ; tries++) {
    try {
      await start();
      break;
    } catch (error) {
      // Another process may have taken the port.
      if (tries === 3 || !String(error).includes('Address already in use')) throw error;
      port = await findFreePort();
    }
  }
  return {
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    port,
    pid: () => child?.pid as number,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function spawnRedis(
  port: number,
  folder: string,
  more: Readonly<Record<string, string>>,
  sentinel?: readonly string[],
): Promise<ChildProcess> {
  const file = join(folder, 'sentinel.conf');
  if (sentinel !== undefined) await writeFile(file, sentinel.join('\n'));
  const common = { port: String(port), bind: '127.0.0.1', dir: folder };
  const options = sentinel === undefined ? { ...common, save: '', appendonly: 'no', ...more } : common;
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', sentinel === undefined ? args : [file, ...args, '--sentinel'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Error('This test needs redis-server. Install it with apt-get install redis-server.')
          : error,
      ),
    );
    // Not at its exit: its output may not be read to the end by then.
    child.once('close', (code) => reject(new Error(`redis-server exited with ${code}:\n${output}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/Ready to accept connections|Sentinel ID is/.test(output)) resolve();
    });
  });
  return child;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
