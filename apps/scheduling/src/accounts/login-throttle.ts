import type { IncomingMessage } from 'node:http';
import { addressKey, SlidingWindow } from '@rostergate/runtime/limits';
import { Problem } from '@rostergate/runtime/problem';

export interface LoginThrottle {
  /** @throws Problem 429 when this address or this e-mail has failed too often of late. */
  admit(req: IncomingMessage, email: string): void;
  recordFailure(req: IncomingMessage, email: string): void;
}

export interface LoginThrottleOptions {
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
  readonly failuresPerAddress?: number;
  readonly failuresPerEmail?: number;
  readonly windowMs?: number;
}

/**
 * Only failures count, so that a busy client that knows its password is never held up. By address against guessing of
 * many accounts, by e-mail against guessing of one from many addresses.
 */
export function createLoginThrottle(options: LoginThrottleOptions): LoginThrottle {
  const { clock, failuresPerAddress = 20, failuresPerEmail = 10, windowMs = 60_000 } = options;
  const failures = new SlidingWindow({ windowMs, clock });
  const countersOf = (req: IncomingMessage, email: string) =>
    [
      [`address ${addressKey(req)}`, failuresPerAddress],
      [`email ${email.toLowerCase()}`, failuresPerEmail],
    ] as const;
  return {
    admit(req, email) {
      for (const [key, limit] of countersOf(req, email)) {
        const state = failures.peek(key, limit);
        if (state === undefined || state.isAdmitted) continue;
        const seconds = Math.max(1, Math.ceil((state.resetAtMs - clock()) / 1_000));
        throw new Problem('limit_exceeded', `Too many logins have failed; try again in ${seconds} seconds.`, {
          headers: { 'Retry-After': String(seconds) },
        });
      }
    },
    recordFailure(req, email) {
      for (const [key, limit] of countersOf(req, email)) failures.hit(key, limit);
    },
  };
}
