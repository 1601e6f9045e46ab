import { hash } from 'node:crypto';
import type { Hit, HitState, HitStore, Verdict } from './hit-store.ts';
import { createRedisConnection, describeRedisError } from './redis-connection.ts';
import { hitScript } from './redis-hit-script.ts';
import { probeHit, RemoteCountError, type RemoteCounter } from './remote-counter.ts';
import { createRemoteHitStore, type RemoteHitStoreOptions } from './remote-hit-store.ts';

export interface RedisHitStoreOptions extends Omit<RemoteHitStoreOptions, 'counter'> {
  /** Of a server, a cluster or sentinels, as `parseRedisAddress` parses it. */
  readonly url: string;
  /** The first part of the names of all keys. */
  readonly prefix: string;
}

/**
 * Returns a store for all processes and machines that share a Redis and the prefix. Starts to connect without waiting.
 */
export function createRedisHitStore({ url, prefix, ...options }: RedisHitStoreOptions): HitStore {
  const counter = createRedisCounter({ url, prefix, windowMs: options.windowMs });
  return createRemoteHitStore({ ...options, counter });
}

type RedisCounterOptions = Pick<RedisHitStoreOptions, 'url' | 'prefix' | 'windowMs'>;

/**
 * Returns a counter that sends all hits of a batch in one command, or one for each in a cluster. It connects with the
 * first batch. The keys of one client have one hash tag, so that a cluster decides a hit in one place.
 * @throws RangeError for an invalid URL
 */
function createRedisCounter({ url, prefix, windowMs }: RedisCounterOptions): RemoteCounter {
  const connection = createRedisConnection(url);
  const window = String(windowMs);

  async function run(hits: readonly Hit[]): Promise<Verdict[]> {
    const names: string[] = [];
    const args = [window];
    for (const { client, keys, limits, windows } of hits) {
      args.push(String(keys.length));
      const start = connection.isCluster ? `${prefix}{${digestOf(client ?? (keys[0] as string))}}` : prefix;
      for (let i = 0; i < keys.length; i++) {
        names.push(start + digestOf(keys[i] as string));
        args.push(windows === undefined ? String(limits[i]) : `${limits[i]}/${windows[i]}`);
      }
    }
    return readVerdicts(hits, (await connection.run(hitScript, names, args)) as number[]);
  }

  return {
    name: 'redis',
    async count(hits) {
      try {
        return await (connection.isCluster ? countInCluster(hits, run) : run(hits));
      } catch (error) {
        throw new RemoteCountError(describeRedisError(error));
      }
    },
    reset: connection.reset,
    close: async () => connection.close(),
  };
}

/** Returns half a SHA-256, so that neither owners nor addresses are stored in Redis. */
function digestOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22);
}

/** The probe in a cluster: hits in many slots, so that every master has to count some. */
const clusterProbe: readonly Hit[] = Array.from({ length: 32 }, (_, i) => ({
  keys: [`probe ${i}`],
  limits: [Number.MAX_SAFE_INTEGER],
}));

/** Counts hits in a cluster: each alone, because the keys of one command must be on one node. */
async function countInCluster(
  hits: readonly Hit[],
  run: (hits: readonly Hit[]) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  const sent = hits.includes(probeHit) ? [...hits, ...clusterProbe] : hits;
  const verdicts = await Promise.all(sent.map((hit) => run([hit])));
  return verdicts.slice(0, hits.length).flat();
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
