import type { Registry } from 'prom-client';
import { balance } from './balance.ts';
import { type BreakerOptions, createBreaker, noBreaker } from './breaker.ts';
import { createRetryBudget, type RetryOptions, withDeadline, withRetries } from './retries.ts';
import { createTarget, createUpstreamMetrics, type Target, type UpstreamMetrics } from './target.ts';
import { createUpstream, parseTarget, type SendOnce, type Upstream, type UpstreamOptions } from './upstream.ts';

/** The targets of an upstream and how requests are sent to them. */
export interface UpstreamGroup {
  /** http or https addresses; the path in one precedes the path of each request. */
  readonly targets: readonly string[];
  /** How long the head of a response may take, retries included. */
  readonly timeoutMs: number;
  readonly retries: number;
  /** Breakers are separate per scope; connections are shared. */
  readonly scope?: string;
  /** The options of its connections; by default those of the registry. */
  readonly connections?: Pick<UpstreamOptions, 'connectTimeoutMs' | 'bodyTimeoutMs' | 'connectionsMax'>;
  /** A 429 is returned at once: the caller handles limits. */
  readonly returnsLimits?: boolean;
  /** Has no breaker, for health checks. */
  readonly hasNoBreaker?: boolean;
}

export interface UpstreamLease {
  readonly send: SendOnce;
  /** `unavailable`: every target rejects all requests. `degraded`: a breaker is not closed, but requests may be sent. */
  readonly state: 'ready' | 'degraded' | 'unavailable';
  /** Releases the connections. A later request is still served. */
  release(): void;
}

export interface UpstreamRegistryOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly wait: RetryOptions['wait'];
  readonly breaker?: Omit<BreakerOptions, 'clock'>;
  /** The options of connections. */
  readonly upstream?: Omit<UpstreamOptions, 'baseUrl' | 'clock' | 'headersTimeoutMs'>;
}

/**
 * All upstreams of a process. Connections are shared by host, breakers by address, timeout and scope. Leases of an equal
 * group, such as those of the next configuration, share it.
 */
export interface UpstreamRegistry {
  /** @throws RangeError for an invalid address. */
  lease(group: UpstreamGroup): UpstreamLease;
  /** Degraded while a breaker is not closed; contains hosts, not whole addresses. */
  status(): UpstreamStatus;
  /** Counts requests in these metrics from now on. */
  countIn(metrics: Registry): void;
  /** Aborts requests in flight and closes every connection. */
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

  const pools = createSharedByKey<Upstream>(
    (key) => {
      const { origin, connections } = JSON.parse(key) as PoolKey;
      return createUpstream({ ...options.upstream, ...connections, baseUrl: origin, clock });
    },
    (pool) => void pool.close().catch(() => {}),
  );

  const hosts = createSharedByKey<string>(
    (host) => host,
    (host) => metrics?.forget(host),
  );

  const targets = createSharedByKey<KnownTarget>(
    (key) => {
      const { address, hasNoBreaker, connections } = JSON.parse(key) as TargetKey;
      const { origin, host, pathname } = parseTarget(address);
      const pool = JSON.stringify({ origin, connections } satisfies PoolKey);
      const { request: send } = pools.acquire(pool);
      const target = createTarget({
        send,
        prefix: pathname.replace(/\/+$/, ''),
        breaker: hasNoBreaker ? noBreaker : createBreaker({ ...options.breaker, clock }),
        clock,
        onOutcome: (outcome, durationMs) => metrics?.observe(host, outcome, durationMs),
      });
      return { target, address, pool, host: hosts.acquire(host) };
    },
    ({ pool, host }) => {
      pools.release(pool);
      hosts.release(host);
    },
  );

  const groups = createSharedByKey<KnownGroup>(
    (key) => {
      const { targets: addresses, retries, returnsLimits, ...timing } = JSON.parse(key) as UpstreamGroup;
      // Breakers count timeouts, so the timeout is part of the key.
      const keys = addresses.map((address) => JSON.stringify({ address, ...timing } satisfies TargetKey));
      const acquired = acquireTargets(keys);
      const send = withRetries(balance(acquired, { clock, random }), {
        retries,
        returnsLimits,
        targets: keys.length,
        budget: createRetryBudget({ clock }),
        clock,
        random,
        wait,
        onRetry: () => metrics?.countRetry(),
      });
      return { send: withDeadline(send, { timeoutMs: timing.timeoutMs, clock }), targets: acquired, keys };
    },
    ({ keys }) => {
      for (const key of keys) targets.release(key);
    },
  );

  function acquireTargets(keys: readonly string[]): Target[] {
    for (const key of keys) parseTarget((JSON.parse(key) as TargetKey).address);
    return keys.map((key) => targets.acquire(key).target);
  }

  function openHosts(): string[] {
    const open = new Set<string>();
    for (const { target, host } of targets.values()) if (target.state !== 'closed') open.add(host);
    return [...open].sort();
  }

  return {
    lease({ targets: addresses, timeoutMs, retries, scope, connections, returnsLimits, hasNoBreaker }) {
      const key = JSON.stringify({
        ...{ targets: addresses, timeoutMs, retries, scope, connections, returnsLimits, hasNoBreaker },
      });
      const { send, targets: leased } = groups.acquire(key);
      let isHeld = true;
      return {
        send,
        get state() {
          if (leased.every(({ state }) => state === 'closed')) return 'ready';
          return leased.every(({ rejectsAll }) => rejectsAll) ? 'unavailable' : 'degraded';
        },
        release() {
          if (isHeld) groups.release(key);
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
  /** The key of its pool. */
  readonly pool: string;
  readonly host: string;
}

/** The key of a pool. */
interface PoolKey {
  readonly origin: string;
  readonly connections?: UpstreamGroup['connections'];
}

/** The key of a target. */
interface TargetKey extends Pick<UpstreamGroup, 'timeoutMs' | 'scope' | 'connections' | 'hasNoBreaker'> {
  readonly address: string;
}

interface KnownGroup {
  readonly send: SendOnce;
  readonly targets: readonly Target[];
  readonly keys: readonly string[];
}

/** Values that are created once per key, and disposed of when the last holder releases them. */
interface SharedByKey<T> {
  acquire(key: string): T;
  release(key: string): void;
  values(): IterableIterator<T>;
}

function createSharedByKey<T>(create: (key: string) => T, dispose: (value: T) => void): SharedByKey<T> {
  const entries = new Map<string, { readonly value: T; holders: number }>();
  return {
    acquire(key) {
      let entry = entries.get(key);
      if (entry === undefined) {
        entry = { value: create(key), holders: 0 };
        entries.set(key, entry);
      }
      entry.holders++;
      return entry.value;
    },
    release(key) {
      const entry = entries.get(key);
      if (entry === undefined || --entry.holders > 0) return;
      entries.delete(key);
      dispose(entry.value);
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
  };
}
