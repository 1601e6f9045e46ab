import type { Registry } from 'prom-client';
import { type BalancedTarget, balance } from './balance.ts';
import { type BreakerOptions, createBreaker, noBreaker } from './breaker.ts';
import { type CheckedTarget, createHealthChecks, type HealthCheck, type RunningCheck } from './health-checks.ts';
import { createRetryBudget, type RetryOptions, withDeadline, withRetries } from './retries.ts';
import { createTarget, createUpstreamMetrics, type Target, type UpstreamMetrics } from './target.ts';
import { createUpstream, parseTarget, type SendOnce, type Upstream, type UpstreamOptions } from './upstream.ts';

/** The targets of an upstream and how requests are sent to them. */
export interface UpstreamGroup {
  /** http or https addresses; the path in one precedes the path of each request. */
  readonly targets: readonly string[];
  /** The share of each target, in the same order; equal by default. */
  readonly weights?: readonly number[] | undefined;
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
  /** When its breakers open; by default as the registry says. */
  readonly breaker?: Omit<BreakerOptions, 'clock'> | undefined;
  /** Checks its targets, and sends no request to sick ones while another is well. */
  readonly health?: HealthCheck | undefined;
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
  /** Another process checks the health of the targets, and `takeSick` says what it has found. */
  readonly isCheckedElsewhere?: boolean;
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
  /** Returns the ids of the targets that fail their health checks. */
  sick(): readonly string[];
  /** Replaces those ids by what another process has found. */
  takeSick(ids: readonly string[]): void;
  /** Calls back whenever a target becomes sick or well again. */
  onHealth(listener: (target: Pick<CheckedTarget, 'host' | 'isSick'>) => void): void;
  /** Aborts requests in flight and closes every connection. */
  destroy(): Promise<void>;
}

export interface UpstreamStatus {
  readonly status: 'ready' | 'degraded';
  readonly targets: number;
  readonly open: readonly string[];
  /** Those that fail their health checks; absent when no target is checked. */
  readonly unhealthy?: readonly string[];
  readonly [detail: string]: unknown;
}

export function createUpstreamRegistry(options: UpstreamRegistryOptions): UpstreamRegistry {
  const { clock, random, wait, isCheckedElsewhere = false } = options;
  let metrics: UpstreamMetrics | undefined;
  const healthListeners = new Set<(target: CheckedTarget) => void>();
  const checks = createHealthChecks({
    ...{ clock, random, wait },
    onChange(target) {
      for (const listen of healthListeners) listen(target);
    },
  });

  const pools = createSharedByKey<Upstream>((pool) => void pool.close().catch(() => {}));
  const hosts = createSharedByKey<string>((host) => metrics?.forget(host));
  const targets = createSharedByKey<KnownTarget>(({ release }) => release());
  const runningChecks = createSharedByKey<RunningCheck & Pick<KnownTarget, 'release'>>((check) => {
    check.stop();
    check.release();
  });
  const groups = createSharedByKey<KnownGroup>(({ release }) => release());

  function acquirePool(origin: string, connections: UpstreamGroup['connections']): Shared<Upstream> {
    return pools.acquire(JSON.stringify({ origin, connections }), () =>
      createUpstream({ ...options.upstream, ...connections, baseUrl: origin, clock }),
    );
  }

  function acquireTarget(address: string, group: UpstreamGroup): Shared<KnownTarget> {
    const { timeoutMs, scope, connections, hasNoBreaker, breaker } = group;
    // Breakers count timeouts, so the timeout is part of the key.
    return targets.acquire(JSON.stringify({ address, timeoutMs, scope, connections, hasNoBreaker, breaker }), () => {
      const { origin, host, pathname } = parseTarget(address);
      const pool = acquirePool(origin, connections);
      const known = hosts.acquire(host, () => host);
      const target = createTarget({
        send: pool.value.request,
        prefix: prefixOf(pathname),
        breaker: hasNoBreaker ? noBreaker : createBreaker({ ...options.breaker, ...breaker, clock }),
        clock,
        onOutcome: (outcome, durationMs) => metrics?.observe(host, outcome, durationMs),
      });
      return { target, address, host, release: releaseAll([pool, known]) };
    });
  }

  function acquireCheck(address: string, check: HealthCheck, { connections }: UpstreamGroup): Shared<RunningCheck> {
    return runningChecks.acquire(JSON.stringify([address, check, connections]), () => {
      const { origin, host, pathname } = parseTarget(address);
      const pool = isCheckedElsewhere ? undefined : acquirePool(origin, { ...connections, connectionsMax: 1 });
      const running = checks.start({
        ...{ address, host, check, connection: undefined },
        prefix: prefixOf(pathname),
        send: pool?.value.request,
      });
      return Object.assign(running, { release: () => pool?.release() });
    });
  }

  function createGroup(group: UpstreamGroup): KnownGroup {
    const { targets: addresses, weights, timeoutMs, retries, returnsLimits, health } = group;
    for (const address of addresses) parseTarget(address);
    const held = addresses.map((address) => acquireTarget(address, group));
    const all = held.map(({ value }) => value.target);
    const balanced: { targets: readonly Target[] } = { targets: all };
    const checked = health === undefined ? [] : addresses.map((address) => acquireCheck(address, health, group));
    const refresh = () => {
      const well = all.filter((_, i) => !checked[i]?.value.isSick);
      // A check may fail for a reason of its own: the requests decide, and the breakers.
      balanced.targets = well.length === 0 ? all : well;
    };
    const shares = weights && new Map(all.map((target, i): [BalancedTarget, number] => [target, weights[i] ?? 1]));
    const send = withRetries(balance(balanced, { clock, random, weights: shares }), {
      retries,
      returnsLimits,
      targets: all.length,
      available: () => balanced.targets.length,
      budget: createRetryBudget({ clock }),
      clock,
      random,
      wait,
      onRetry: () => metrics?.countRetry(),
    });
    if (health !== undefined) {
      healthListeners.add(refresh);
      refresh();
    }
    return {
      send: withDeadline(send, { timeoutMs, clock }),
      targets: all,
      release: () => {
        healthListeners.delete(refresh);
        releaseAll([...held, ...checked])();
      },
    };
  }

  function openHosts(): string[] {
    const open = new Set<string>();
    for (const { target, host } of targets.values()) if (target.state !== 'closed') open.add(host);
    return [...open].sort();
  }

  function sickHosts(): string[] {
    const sick = Array.from(checks.targets()).filter(({ isSick }) => isSick);
    return [...new Set(sick.map(({ host }) => host))].sort();
  }

  return {
    lease(group) {
      const { targets: addresses, timeoutMs, retries, scope, connections, returnsLimits, hasNoBreaker } = group;
      const { weights, breaker, health } = group;
      const key = JSON.stringify({
        ...{ targets: addresses, timeoutMs, retries, scope, connections, returnsLimits, hasNoBreaker },
        ...{ weights, breaker, health },
      });
      const { value, release } = groups.acquire(key, () => createGroup(group));
      let isHeld = true;
      return {
        send: value.send,
        get state() {
          if (value.targets.every(({ state }) => state === 'closed')) return 'ready';
          return value.targets.every(({ rejectsAll }) => rejectsAll) ? 'unavailable' : 'degraded';
        },
        release() {
          if (isHeld) release();
          isHeld = false;
        },
      };
    },
    status() {
      const open = openHosts();
      const addresses = new Set(Array.from(targets.values(), ({ address }) => address));
      const unhealthy = sickHosts();
      const isChecked = runningChecks.values().next().done === false;
      return {
        status: open.length === 0 && unhealthy.length === 0 ? 'ready' : 'degraded',
        targets: addresses.size,
        open,
        ...(isChecked ? { unhealthy } : {}),
      };
    },
    countIn(registry) {
      metrics = createUpstreamMetrics(registry, { openHosts, checkedTargets: checks.targets });
    },
    sick: checks.sick,
    takeSick: checks.takeSick,
    onHealth: (listener) => void healthListeners.add(listener),
    async destroy() {
      for (const check of runningChecks.values()) check.stop();
      await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()));
    },
  };
}

function prefixOf(pathname: string): string {
  return pathname.replace(/\/+$/, '');
}

function releaseAll(held: readonly Pick<Shared<unknown>, 'release'>[]): () => void {
  return () => {
    for (const { release } of held) release();
  };
}

interface KnownTarget {
  readonly target: Target;
  readonly address: string;
  readonly host: string;
  readonly release: () => void;
}

interface KnownGroup {
  readonly send: SendOnce;
  readonly targets: readonly Target[];
  readonly release: () => void;
}

/** Values that are created once per key, and disposed of when the last holder releases them. */
interface SharedByKey<T> {
  acquire(key: string, create: () => T): Shared<T>;
  values(): IterableIterator<T>;
}

interface Shared<T> {
  readonly value: T;
  readonly release: () => void;
}

function createSharedByKey<T>(dispose: (value: T) => void): SharedByKey<T> {
  const entries = new Map<string, { readonly value: T; holders: number }>();
  return {
    acquire(key, create) {
      const entry = entries.get(key) ?? { value: create(), holders: 0 };
      entries.set(key, entry);
      entry.holders++;
      return {
        value: entry.value,
        release() {
          if (--entry.holders > 0) return;
          entries.delete(key);
          dispose(entry.value);
        },
      };
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
  };
}
