import { hash } from 'node:crypto';
import { hitScript } from './hit-script.ts';
import type { Hit, HitState, Verdict } from './hit-store.ts';
import { createRedisConnection, describeRedisError } from './redis-connection.ts';
import { RemoteCountError, type RemoteCounter } from './remote-counter.ts';

export interface RedisCounterOptions {
  /** `redis://` or `rediss://`, with user, password and database where needed. */
  readonly url: string;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  readonly windowMs: number;
}

/**
 * Counts in Redis: what comes together travels together, in one write, and each hit is decided by one script.
 * It connects when the first hits are to be counted.
 * @throws RangeError for an address that is none.
 */
export function createRedisCounter({ url, prefix, windowMs }: RedisCounterOptions): RemoteCounter {
  const connection = createRedisConnection(url);
  const window = String(windowMs);

  async function run(hits: readonly Hit[]): Promise<Verdict[]> {
    const names: string[] = [];
    const args = [window];
    for (const { keys, limits } of hits) {
      args.push(String(keys.length));
      for (let i = 0; i < keys.length; i++) {
        names.push(nameOf(prefix, keys[i] as string));
        args.push(String(limits[i]));
      }
    }
    return readVerdicts(hits, (await connection.run(hitScript, names, args)) as number[]);
  }

  return {
    name: 'redis',
    async count(hits) {
      try {
        return await run(hits);
      } catch (error) {
        throw new RemoteCountError(describeRedisError(error));
      }
    },
    reset: connection.reset,
    close: async () => connection.close(),
  };
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
