import { createHash } from 'node:crypto';
import type { Registry } from 'prom-client';
import { type BalancedTarget, balance } from './balance.ts';
import { type BreakerOptions, createBreaker, noBreaker } from './breaker.ts';
import type { ClientTls } from './connector.ts';
import { credentialMessages, withCredentials } from './credentials.ts';
import { type CheckedTarget, createHealthChecks, type HealthCheck, type RunningCheck } from './health-checks.ts';
import { createRetryBudget, type RetryOptions, withDeadline, withRetries } from './retries.ts';
import { createTarget, createUpstreamMetrics, type Target, type UpstreamMetrics } from './target.ts';
import { requestToken, type TokenRequest, tokenTimeoutMs } from './token-request.ts';
import { createUpstream, parseTarget, type SendOnce, type Upstream, type UpstreamOptions } from './upstream.ts';
import { createUpstreamSession, type SessionState, type UpstreamSession } from './upstream-session.ts';

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
  /** How its connections are secured. */
  readonly tls?: ClientTls | undefined;
  /** How a token for its requests is requested; shared by all groups with the same request. */
  readonly auth?: TokenRequest | undefined;
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
  /** The state of the logins by host of the token endpoint; absent when no upstream has credentials. */
  readonly tokens?: Readonly<Record<string, SessionState>>;
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
  const sessions = createSharedByKey<KnownSession>(({ release }) => release());
  const groups = createSharedByKey<KnownGroup>(({ release }) => release());

  function acquirePool(origin: string, { connections, tls }: Pick<UpstreamGroup, 'connections' | 'tls'>) {
    return pools.acquire(JSON.stringify({ origin, connections, tls: digestOf(tls) }), () =>
      createUpstream({ ...options.upstream, ...connections, tls, baseUrl: origin, clock }),
    );
  }

  function acquireTarget(address: string, group: UpstreamGroup): Shared<KnownTarget> {
    const { timeoutMs, scope, connections, hasNoBreaker, breaker, tls } = group;
    // Breakers count timeouts, so the timeout is part of the key.
    const parts = { address, timeoutMs, scope, connections, hasNoBreaker, breaker, tls: digestOf(tls) };
    return targets.acquire(JSON.stringify(parts), () => {
      const { origin, host, pathname } = parseTarget(address);
      const pool = acquirePool(origin, group);
      const known = hosts.acquire(host, () => host);
      const target = createTarget({
        send: pool.value.request,
        host,
        prefix: prefixOf(pathname),
        breaker: hasNoBreaker ? noBreaker : createBreaker({ ...options.breaker, ...breaker, clock }),
        clock,
        onOutcome: (outcome, durationMs) => metrics?.observe(host, outcome, durationMs),
      });
      return { target, address, host, release: releaseAll([pool, known]) };
    });
  }

  function acquireCheck(
    address: string,
    check: HealthCheck,
    { connections, tls }: UpstreamGroup,
  ): Shared<RunningCheck> {
    const connection = digestOf({ connections, tls }) as string;
    return runningChecks.acquire(JSON.stringify([address, check, connection]), () => {
      const { origin, host, pathname } = parseTarget(address);
      const own = { connections: { ...connections, connectionsMax: 1 }, tls };
      const pool = isCheckedElsewhere ? undefined : acquirePool(origin, own);
      const running = checks.start({
        ...{ address, host, check, connection },
        prefix: prefixOf(pathname),
        send: pool?.value.request,
      });
      return Object.assign(running, { release: () => pool?.release() });
    });
  }

  function acquireSession(request: TokenRequest): Shared<KnownSession> {
    return sessions.acquire(digestOf(request) as string, () => {
      const { origin, host } = parseTarget(request.url);
      const endpoint = { targets: [origin], tls: request.tls, timeoutMs: tokenTimeoutMs, retries: 1, scope: 'token' };
      const { send, release } = lease(endpoint);
      const session = createUpstreamSession({
        login: () => requestToken(send, request, clock),
        clock,
        messages: credentialMessages,
        onLogin: (outcome) => metrics?.countLogin(host, outcome),
      });
      return { session, host, release };
    });
  }

  function createGroup(group: UpstreamGroup): KnownGroup {
    const { targets: addresses, weights, timeoutMs, retries, returnsLimits, health, auth } = group;
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
    const session = auth && acquireSession(auth);
    const sendWithToken = session === undefined ? send : withCredentials(send, session.value.session, clock);
    return {
      send: withDeadline(sendWithToken, { timeoutMs, clock }),
      targets: all,
      release: () => {
        healthListeners.delete(refresh);
        releaseAll([...held, ...checked, ...(session === undefined ? [] : [session])])();
      },
    };
  }

  function lease(group: UpstreamGroup): UpstreamLease {
    const { targets: addresses, timeoutMs, retries, scope, connections, returnsLimits, hasNoBreaker } = group;
    const { weights, breaker, health, tls, auth } = group;
    const key = JSON.stringify({
      ...{ targets: addresses, timeoutMs, retries, scope, connections, returnsLimits, hasNoBreaker },
      ...{ weights, breaker, health, tls: digestOf(tls), auth: digestOf(auth) },
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
    lease,
    status() {
      const open = openHosts();
      const addresses = new Set(Array.from(targets.values(), ({ address }) => address));
      const unhealthy = sickHosts();
      const isChecked = runningChecks.values().next().done === false;
      const tokens = Array.from(sessions.values(), ({ host, session }): [string, SessionState] => [
        host,
        session.state,
      ]);
      const isFailing = tokens.some(([, state]) => state === 'refused' || state === 'failed');
      return {
        status: open.length === 0 && unhealthy.length === 0 && !isFailing ? 'ready' : 'degraded',
        targets: addresses.size,
        open,
        ...(isChecked ? { unhealthy } : {}),
        ...(tokens.length > 0 ? { tokens: Object.fromEntries(tokens.sort(byState)) } : {}),
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

/** Sorts failing states last, so that they remain where credentials share a host. */
function byState([, a]: [string, SessionState], [, b]: [string, SessionState]): number {
  const order: readonly SessionState[] = ['unknown', 'ok', 'failed', 'refused'];
  return order.indexOf(a) - order.indexOf(b);
}

/** Returns a name for settings that may contain secrets. */
function digestOf(settings: object | undefined): string | undefined {
  return settings && createHash('sha256').update(JSON.stringify(settings)).digest('base64url');
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

interface KnownSession {
  readonly session: UpstreamSession;
  /** The host of the token endpoint. */
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
