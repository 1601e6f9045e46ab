import { createHash } from 'node:crypto';
import { parseRedisAddress, type RedisAddress } from './redis-address.ts';

/** A Lua script, with the SHA-1 that Redis knows it by. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function createRedisScript(text: string): RedisScript {
  return Object.freeze({ text, sha: createHash('sha1').update(text).digest('hex') });
}

/**
 * A connection to a Redis server, a cluster or the master of sentinels, opened at the first use and again after a loss.
 * It has no deadlines of its own.
 */
export interface RedisConnection {
  /** Whether all keys of a script must have the same hash tag, because they are spread over nodes. */
  readonly isCluster: boolean;
  /** Runs a script. Rejects when it has not run, or may not have run. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Ends the connection and rejects what is in progress on it; the next use opens another one. */
  reset(): void;
  close(): void;
}

/** A client of node-redis. */
interface Client {
  readonly isReady: () => boolean;
  readonly connect: () => Promise<unknown>;
  readonly send: (firstKey: string | undefined, command: string[]) => Promise<unknown>;
  /** Ends its connections, in whichever state they are. */
  readonly close: () => void;
}

/**
 * Returns a connection that is not open yet.
 * @param url an address as `parseRedisAddress` parses it
 * @throws RangeError for an invalid URL
 */
export function createRedisConnection(url: string): RedisConnection {
  const address = parseRedisAddress(url);
  const loading = import('redis');
  let connecting: Promise<Client> | undefined;
  let current: Client | undefined;
  let isClosed = false;

  function connection(): Client | Promise<Client> {
    if (current?.isReady()) return current;
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  async function connect(): Promise<Client> {
    const redis = await loading;
    reset();
    const client = createClientOf(redis, address);
    current = client;
    await client.connect();
    if (!isClosed && current === client) return client;
    client.close();
    throw new Error('closed');
  }

  function reset(): void {
    current?.close();
    current = undefined;
  }

  return {
    isCluster: address.kind === 'cluster',
    async run({ text, sha }, keys, args) {
      const found = connection();
      const client = found instanceof Promise ? await found : found;
      const rest = [String(keys.length), ...keys, ...args];
      return client.send(keys[0], ['EVALSHA', sha, ...rest]).catch((error: unknown) => {
        // Redis was restarted, or another one replaced it.
        if (replyCode(error) === 'NOSCRIPT') return client.send(keys[0], ['EVAL', text, ...rest]);
        throw error;
      });
    },
    reset,
    close() {
      isClosed = true;
      reset();
    },
  };
}

function createClientOf(redis: typeof import('redis'), address: RedisAddress): Client {
  const { kind, nodes, isSecure, username, password, database, master, sentinelPassword } = address;
  // The next use opens another connection.
  const socket = {
    reconnectStrategy: false as const,
    connectTimeout: 2_000,
    ...(isSecure ? { tls: true as const } : {}),
  };
  const login = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
  const common = { RESP: 2 as const, maintNotifications: 'disabled' as const, disableClientInfo: true };
  if (kind === 'cluster') {
    const rootNodes = nodes.map(({ host, port }) => ({ socket: { host, port } }));
    // A node that is down must not keep the others from being used.
    const cluster = redis.createCluster({
      ...{ rootNodes, minimizeConnections: true, RESP: 2, maintNotifications: 'disabled' },
      defaults: { ...common, ...login, socket },
    });
    return toClient(
      cluster,
      () => cluster.isOpen,
      (key, command) => cluster.sendCommand(key, false, command),
    );
  }
  if (kind === 'sentinel') {
    const sentinel = redis.createSentinel({
      ...{ name: master, sentinelRootNodes: [...nodes], RESP: 2, masterPoolSize: 1, maxCommandRediscovers: 0 },
      nodeClientOptions: { ...common, ...login, ...(database === undefined ? {} : { database }), socket },
      sentinelClientOptions: {
        ...common,
        socket,
        ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
      },
    });
    return toClient(
      sentinel,
      () => sentinel.isReady,
      (_key, command) => sentinel.sendCommand(false, command),
    );
  }
  const [{ host, port } = { host: '', port: 0 }] = nodes;
  const client = redis.createClient({
    ...common,
    ...login,
    ...(database === undefined ? {} : { database }),
    socket: { ...socket, host, port } as never,
  });
  client.unref();
  return toClient(
    client,
    () => client.isReady,
    (_key, command) => client.sendCommand(command),
  );
}

interface NodeRedis {
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: 'error', listener: () => void): unknown;
}

function toClient(client: NodeRedis, isReady: () => boolean, send: Client['send']): Client {
  // Pending commands reject with the error; without a listener the process would end.
  client.on('error', () => {});
  return {
    isReady,
    send,
    connect: () => client.connect(),
    close() {
      // What is closed already throws or rejects.
      new Promise((resolve) => resolve(client.destroy())).catch(() => {});
    },
  };
}

/** Returns the code that an error of Redis begins with, such as `NOSCRIPT`. */
function replyCode(error: unknown): string | undefined {
  const { message } = error as { message?: unknown };
  return typeof message === 'string' ? /^[A-Z]+(?= )/.exec(message)?.[0] : undefined;
}

/** Describes an error of Redis by its code alone: a message may contain an address or sent values. */
export function describeRedisError(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return `Redis cannot be reached (${code}).`;
  const reply = replyCode(error);
  if (reply === undefined) return 'The connection to Redis was lost.';
  return /^(WRONGPASS|NOAUTH|NOPERM)$/.test(reply)
    ? `Redis rejects the user, the password or the permissions (${reply}).`
    : `Redis rejects the command (${reply}).`;
}
