import { hash } from 'node:crypto';
import { hitScript, hitScriptSha } from './hit-script.ts';
import type { Hit, HitState, Verdict } from './hit-store.ts';
import { RemoteCountError, type RemoteCounter } from './remote-counter.ts';

export interface RedisCounterOptions {
  /** `redis://` or `rediss://`, with user, password and database where needed. */
  readonly url: string;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  readonly windowMs: number;
}

type Client = ReturnType<typeof createRedisClient>;

/**
 * Counts in Redis: what comes together travels together, in one write, and each hit is decided by one script.
 * It connects when the first hits are to be counted.
 * @throws RangeError for an address that is none.
 */
export function createRedisCounter({ url, prefix, windowMs }: RedisCounterOptions): RemoteCounter {
  checkRedisUrl(url);
  const window = String(windowMs);
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
    // Whoever waits for an answer hears of it; without a listener the process would end.
    client.on('error', () => {});
    client.unref();
    current = client;
    await client.connect();
    if (!isClosed) return client;
    client.destroy();
    throw new RemoteCountError('closed');
  }

  async function run(hits: readonly Hit[], client: Client): Promise<Verdict[]> {
    const names: string[] = [];
    const args = [window];
    for (const { keys, limits } of hits) {
      args.push(String(keys.length));
      for (let i = 0; i < keys.length; i++) {
        names.push(nameOf(prefix, keys[i] as string));
        args.push(String(limits[i]));
      }
    }
    const rest = [String(names.length), ...names, ...args];
    const reply = (await client.sendCommand(['EVALSHA', hitScriptSha, ...rest]).catch((error: unknown) => {
      // Redis was started anew, or another one has taken its place.
      if (answerCode(error) === 'NOSCRIPT') return client.sendCommand(['EVAL', hitScript, ...rest]);
      throw error;
    })) as unknown as number[];
    return readVerdicts(hits, reply);
  }

  function reset(): void {
    const client = current;
    current = undefined;
    if (client?.isOpen) client.destroy();
  }

  return {
    name: 'redis',
    async count(hits) {
      try {
        const found = connection();
        return await run(hits, found instanceof Promise ? await found : found);
      } catch (error) {
        throw new RemoteCountError(describe(error));
      }
    },
    reset,
    async close() {
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
    // The store decides when to try again.
    socket: { reconnectStrategy: false, connectTimeout: 2_000 },
  });
}

/** @throws RangeError in words that do not repeat the address, which holds a password. */
export function checkRedisUrl(url: string): void {
  try {
    const { protocol, hostname, username, password, pathname } = new URL(url);
    decodeURIComponent(username + password);
    if (/^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname)) return;
  } catch {
    // Said below: the error of the parser would repeat the address.
  }
  throw new RangeError(
    'This is no address of a Redis. Write redis://user:password@host:port/0, with special characters in the password as %XX.',
  );
}

/** Neither an owner nor an address stands in Redis: half a SHA-256 names a key well enough. */
function nameOf(prefix: string, key: string): string {
  return prefix + hash('sha256', key, 'base64url').slice(0, 22);
}

function readVerdicts(hits: readonly Hit[], reply: readonly number[]): Verdict[] {
  let at = 0;
  return hits.map(({ keys }) => {
    const verdict = new Array<HitState>(keys.length);
    for (let i = 0; i < keys.length; i++) {
      verdict[i] = { isAdmitted: reply[at] === 1, used: reply[at + 1] as number, resetMs: reply[at + 2] as number };
      at += 3;
    }
    return verdict;
  });
}

/** The code that an answer of Redis begins with, such as `NOSCRIPT`. */
function answerCode(error: unknown): string | undefined {
  const { message } = error as { message?: unknown };
  return typeof message === 'string' ? /^[A-Z]+(?= )/.exec(message)?.[0] : undefined;
}

/** Only codes: a message may hold an address or what was sent. */
function describe(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return `Redis cannot be reached (${code}).`;
  const answer = answerCode(error);
  if (answer === undefined) return 'The connection to Redis was lost.';
  return /^(WRONGPASS|NOAUTH|NOPERM)$/.test(answer)
    ? `Redis refuses the user, the password or the rights (${answer}).`
    : `Redis refuses to count (${answer}).`;
}
