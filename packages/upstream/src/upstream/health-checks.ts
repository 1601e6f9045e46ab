import { createHash } from 'node:crypto';
import type { RetryOptions } from './retries.ts';
import type { SendOnce } from './upstream.ts';
import { discard } from './upstream-response.ts';

/** How the targets of an upstream are checked. */
export interface HealthCheck {
  /** Below the path of the target. */
  readonly path: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** The number of failed checks in a row after which a target is sick. */
  readonly unhealthyAfter: number;
  /** The number of successful checks in a row after which it is well again. */
  readonly healthyAfter: number;
}

/** A target that is checked. */
export interface CheckedTarget {
  readonly id: string;
  readonly host: string;
  readonly isSick: boolean;
}

export interface HealthChecksOptions {
  /** Monotonic milliseconds; the same clock as the deadlines'. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly wait: RetryOptions['wait'];
  /** Called when the state of a target has changed. */
  readonly onChange?: ((target: CheckedTarget) => void) | undefined;
}

/** The checks of all targets of a process, or what another process has found. */
export interface HealthChecks {
  /** Checks a target until it is released; without `send`, another process checks it. */
  start(target: CheckOptions): RunningCheck;
  readonly targets: () => Iterable<CheckedTarget>;
  /** Replaces the ids of sick targets by those that another process has found. */
  takeSick(ids: readonly string[]): void;
  readonly sick: () => readonly string[];
}

export interface CheckOptions {
  readonly address: string;
  readonly host: string;
  /** Before the path of the check. */
  readonly prefix: string;
  readonly check: HealthCheck;
  /** A name for its connection settings. */
  readonly connection: string;
  /** Sends over connections of its own: a busy target is not sick. */
  readonly send: SendOnce | undefined;
}

export interface RunningCheck extends CheckedTarget {
  stop(): void;
}

export function createHealthChecks({ clock, random, wait, onChange }: HealthChecksOptions): HealthChecks {
  let sick = new Set<string>();
  const running = new Set<RunningCheck & { readonly address: string }>();

  function change(target: CheckedTarget, isSick: boolean): void {
    if (target.isSick === isSick) return;
    if (isSick) sick.add(target.id);
    else sick.delete(target.id);
    onChange?.(target);
  }

  async function isWell({ send, prefix, check }: CheckOptions & { readonly send: SendOnce }): Promise<boolean> {
    try {
      const response = await send({
        method: 'GET',
        path: prefix + check.path,
        headers: { Accept: '*/*', 'User-Agent': 'rostergate-health-check' },
        deadlineMs: clock() + check.timeoutMs,
      });
      discard(response);
      return response.status >= 200 && response.status < 400;
    } catch {
      return false;
    }
  }

  async function checkRegularly(options: CheckOptions, target: CheckedTarget, signal: AbortSignal): Promise<void> {
    const { send } = options;
    if (send === undefined) return;
    const { intervalMs, unhealthyAfter, healthyAfter } = options.check;
    let inARow = 0;
    // Neither the targets of one configuration nor the gateways before one target check at the same time.
    let delayMs = random() * Math.min(intervalMs, firstCheckMsMax);
    for (;;) {
      await wait(delayMs, signal);
      const isSick = !(await isWell({ ...options, send }));
      if (signal.aborted) return;
      inARow = isSick === target.isSick ? 0 : inARow + 1;
      if (inARow >= (isSick ? unhealthyAfter : healthyAfter)) {
        change(target, isSick);
        inARow = 0;
      }
      delayMs = intervalMs * (0.9 + 0.2 * random());
    }
  }

  return {
    start(options) {
      const { address, host, check, connection } = options;
      const id = createHash('sha256')
        .update(JSON.stringify([address, check, connection]))
        .digest('base64url');
      const ending = new AbortController();
      const target = {
        ...{ id, address, host },
        get isSick() {
          return sick.has(id);
        },
        stop() {
          ending.abort();
          running.delete(target);
          sick.delete(id);
        },
      };
      // An edit of the check, or of the connection, does not make a sick target well.
      const isKnownSick = Array.from(running).some((other) => other.address === address && other.isSick);
      running.add(target);
      if (isKnownSick && options.send !== undefined) sick.add(id);
      // The wait rejects when the check is stopped.
      checkRegularly(options, target, ending.signal).catch(() => {});
      return target;
    },
    targets: () => running,
    takeSick(ids) {
      const next = new Set(ids);
      const changed = [...running].filter(({ id }) => sick.has(id) !== next.has(id));
      sick = next;
      for (const target of changed) onChange?.(target);
    },
    sick: () => [...sick],
  };
}

const firstCheckMsMax = 1_000;
