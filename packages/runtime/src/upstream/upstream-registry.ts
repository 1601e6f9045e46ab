import type { Registry } from 'prom-client';
import { balance } from './balance.ts';
import { type BreakerOptions, createBreaker, noBreaker } from './breaker.ts';
import { createRetryBudget, type RetryOptions, withDeadline, withRetries } from './retries.ts';
import { createSharedByKey, createSharedPool, type SharedPool } from './shared-pool.ts';
import { createTarget, type Target } from './target.ts';
import { createUpstream, type SendOnce, type UpstreamOptions } from './upstream.ts';
import { createUpstreamMetrics, type UpstreamMetrics } from './upstream-metrics.ts';

/** Servers that share requests, and what may be tried with them. */
export interface UpstreamGroup {
  /** http or https addresses; a path in one stands before the path of each request. */
  readonly targets: readonly string[];
  /** How long the head of an answer may take, retries included. */
  readonly timeoutMs: number;
  readonly retries: number;
  /** On whose behalf: what fails for one scope opens no breaker for another. Connections are shared all the same. */
  readonly scope?: string;
  /** How its connections are made and read, and how many; as the registry has it when absent. */
  readonly connections?: Pick<UpstreamOptions, 'connectTimeoutMs' | 'bodyTimeoutMs' | 'connectionsMax'>;
  /** A 429 is handed on at once: whoever asks has its own way to keep a limit. */
  readonly relaysLimits?: boolean;
  /** Asks whatever became of the last request, as a check of health must. */
  readonly isUnbroken?: boolean;
}

export interface UpstreamLease {
  readonly send: SendOnce;
  /** `unavailable`: every target rejects all requests now. `degraded`: a breaker is not closed, but requests may go. */
  readonly state: 'ready' | 'degraded' | 'unavailable';
  /** From here on the connections are no concern of the holder; a request that still comes is served all the same. */
  release(): void;
}

export interface UpstreamRegistryOptions {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly wait: RetryOptions['wait'];
  readonly breaker?: Omit<BreakerOptions, 'clock'>;
  /** For connections. */
  readonly upstream?: Omit<UpstreamOptions, 'baseUrl' | 'clock' | 'headersTimeoutMs'>;
}

/**
 * All upstreams of a process. Connections are shared by host, breakers by address, patience and scope, and whoever asks for the
 * same group again, such as the next configuration, gets the same one as long as somebody holds it.
 */
export interface UpstreamRegistry {
  /** @throws RangeError for an address that is none. */
  lease(group: UpstreamGroup): UpstreamLease;
  /** Degraded while a breaker is not closed; names hosts, without what else their addresses hold. */
  status(): UpstreamStatus;
  /** From here on what goes out is counted in these metrics. */
  countIn(metrics: Registry): void;
  /** Cuts what is in flight and closes every connection. */
  destroy(): Promise<void>;
}

export interface UpstreamStatus {
  readonly status: 'ready' | 'degraded';
  readonly targets: number;
  readonly open: readonly string[];
  readonly [detail: string]: unknown;
}

export function createUpstreamRegistry(options: UpstreamRegistryOptions): UpstreamRegistry {
  const { clock, random, wait } = options;
  let metrics: UpstreamMetrics | undefined;

  const pools = createSharedByKey<SharedPool>(
    (key) => {
      const { origin, connections } = JSON.parse(key) as PoolKey;
      const pool = createSharedPool(() =>
        createUpstream({ ...options.upstream, ...connections, baseUrl: origin, clock }),
      );
      pool.hold();
      return pool;
    },
    (pool) => pool.release(),
  );

  const hosts = createSharedByKey<string>(
    (host) => host,
    (host) => metrics?.forget(host),
  );

  const targets = createSharedByKey<KnownTarget>(
    (key) => {
      const { address, isUnbroken, connections } = JSON.parse(key) as TargetKey;
      const { origin, host, pathname } = parseTarget(address);
      const pool = JSON.stringify({ origin, connections } satisfies PoolKey);
      const { send } = pools.take(pool);
      const target = createTarget({
        send,
        prefix: pathname.replace(/\/+$/, ''),
        breaker: isUnbroken ? noBreaker : createBreaker({ ...options.breaker, clock }),
        clock,
        onOutcome: (outcome, durationMs) => metrics?.observe(host, outcome, durationMs),
      });
      return { target, address, pool, host: hosts.take(host) };
    },
    ({ pool, host }) => {
      pools.give(pool);
      hosts.give(host);
    },
  );

  const groups = createSharedByKey<KnownGroup>(
    (key) => {
      const { targets: addresses, retries, relaysLimits, ...patience } = JSON.parse(key) as UpstreamGroup;
      // What counts as too late is part of what a breaker counts.
      const keys = addresses.map((address) => JSON.stringify({ address, ...patience } satisfies TargetKey));
      const taken = takeAll(keys);
      const send = withRetries(balance(taken, { clock, random }), {
        retries,
        relaysLimits,
        targets: keys.length,
        budget: createRetryBudget({ clock }),
        clock,
        random,
        wait,
        onRetry: () => metrics?.countRetry(),
      });
      return { send: withDeadline(send, { timeoutMs: patience.timeoutMs, clock }), targets: taken, keys };
    },
    ({ keys }) => {
      for (const key of keys) targets.give(key);
    },
  );

  function takeAll(keys: readonly string[]): Target[] {
    for (const key of keys) parseTarget((JSON.parse(key) as TargetKey).address);
    return keys.map((key) => targets.take(key).target);
  }

  function openHosts(): string[] {
    const open = new Set<string>();
    for (const { target, host } of targets.values()) if (target.state !== 'closed') open.add(host);
    return [...open].sort();
  }

  return {
    lease({ targets: addresses, timeoutMs, retries, scope, connections, relaysLimits, isUnbroken }) {
      const key = JSON.stringify({
        ...{ targets: addresses, timeoutMs, retries, scope, connections, relaysLimits, isUnbroken },
      });
      const { send, targets: leased } = groups.take(key);
      let isHeld = true;
      return {
        send,
        get state() {
          if (leased.every(({ state }) => state === 'closed')) return 'ready';
          return leased.every(({ rejectsAll }) => rejectsAll) ? 'unavailable' : 'degraded';
        },
        release() {
          if (isHeld) groups.give(key);
          isHeld = false;
        },
      };
    },
    status() {
      const open = openHosts();
      const addresses = new Set(Array.from(targets.values(), ({ address }) => address));
      return { status: open.length === 0 ? 'ready' : 'degraded', targets: addresses.size, open };
    },
    countIn(registry) {
      metrics = createUpstreamMetrics(registry, openHosts);
    },
    async destroy() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

interface KnownTarget {
  readonly target: Target;
  readonly address: string;
  /** Key of the pool it sends over. */
  readonly pool: string;
  readonly host: string;
}

/** What makes two pools of connections one. */
interface PoolKey {
  readonly origin: string;
  readonly connections?: UpstreamGroup['connections'];
}

/** What makes two targets one. */
interface TargetKey extends Pick<UpstreamGroup, 'timeoutMs' | 'scope' | 'connections' | 'isUnbroken'> {
  readonly address: string;
}

interface KnownGroup {
  readonly send: SendOnce;
  readonly targets: readonly Target[];
  readonly keys: readonly string[];
}

/** @throws RangeError that does not repeat the address: it may hold what nobody is to see. */
export function parseTarget(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('is no address of a server: write http:// or https://, a host, and a port if need be');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('holds credentials, which belong into headers, from the environment');
  }
  if (url.port === '0') throw new RangeError('has the port 0, on which no server listens: write its port');
  if (url.search !== '' || url.hash !== '') throw new RangeError('has a query or a fragment: leave it out');
  return url;
}
