import { createHash } from 'node:crypto';

/** A Lua script, with the SHA-1 that Redis knows it by. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function createRedisScript(text: string): RedisScript {
  return Object.freeze({ text, sha: createHash('sha1').update(text).digest('hex') });
}

/** One connection to a Redis, opened at the first use and again after a loss. It has no deadlines of its own. */
export interface RedisConnection {
  /** Runs a script. Rejects when it has not run, or may not have run. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Ends the connection and rejects what is in progress on it; the next use opens another one. */
  reset(): void;
  close(): void;
}

type Client = ReturnType<typeof createRedisClient>;

/**
 * Returns a connection that is not open yet.
 * @param url `redis://` or `rediss://`, with user, password and database where needed
 * @throws RangeError for an invalid URL
 */
export function createRedisConnection(url: string): RedisConnection {
  checkRedisUrl(url);
  const loading = import('redis');
  let connecting: Promise<Client> | undefined;
  let current: Client | undefined;
  let isClosed = false;

  function connection(): Client | Promise<Client> {
    if (current?.isReady) return current;
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  async function connect(): Promise<Client> {
    const redis = await loading;
    reset();
    const client = createRedisClient(redis, url);
    // Pending commands reject with the error; without a listener the process would end.
    client.on('error', () => {});
    client.unref();
    current = client;
    await client.connect();
    if (!isClosed) return client;
    client.destroy();
    throw new Error('closed');
  }

  function reset(): void {
    const client = current;
    current = undefined;
    if (client?.isOpen) client.destroy();
  }

  return {
    async run({ text, sha }, keys, args) {
      const found = connection();
      const client = found instanceof Promise ? await found : found;
      const rest = [String(keys.length), ...keys, ...args];
      return client.sendCommand(['EVALSHA', sha, ...rest]).catch((error: unknown) => {
        // Redis was restarted, or another one replaced it.
        if (replyCode(error) === 'NOSCRIPT') return client.sendCommand(['EVAL', text, ...rest]);
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

function createRedisClient({ createClient }: typeof import('redis'), url: string) {
  return createClient({
    url,
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    // The next use opens another connection.
    socket: { reconnectStrategy: false, connectTimeout: 2_000 },
  });
}

/** @throws RangeError with a message that does not repeat the URL, which may hold a password */
export function checkRedisUrl(url: string): void {
  try {
    const { protocol, hostname, username, password, pathname } = new URL(url);
    decodeURIComponent(username + password);
    if (/^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname)) return;
  } catch {
    // The error of the parser would repeat the URL.
  }
  throw new RangeError(
    'The URL of Redis is invalid. Write redis://user:password@host:port/0, with special characters in the password as %XX.',
  );
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
