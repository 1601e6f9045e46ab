import type { IncomingMessage } from 'node:http';
import { addressKey, quotaExceeded, SlidingWindow } from '@rostergate/runtime/limits';
import { Problem } from '@rostergate/runtime/problem';

export interface LoginThrottle {
  /** @throws Problem 429 when too many logins like this one have failed of late. */
  admit(req: IncomingMessage, email: string): void;
  recordFailure(req: IncomingMessage, email: string): void;
  recordSuccess(req: IncomingMessage, email: string): void;
}

export interface LoginThrottleOptions {
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
  /** Failures of one e-mail at one address. */
  readonly failuresPerPair?: number;
  readonly failuresPerAddress?: number;
  readonly failuresPerEmail?: number;
  readonly windowMs?: number;
}

const knownMs = 24 * 60 * 60_000;

/**
 * Only failures count, so that a busy client that knows its password is never held up. By address against guessing of
 * many accounts, by e-mail against guessing of one from many addresses. Where an e-mail has logged in of late only its
 * own failures there count: nobody else can lock it out.
 */
export function createLoginThrottle(options: LoginThrottleOptions): LoginThrottle {
  const { clock, failuresPerPair = 10, failuresPerAddress = 20, failuresPerEmail = 10, windowMs = 60_000 } = options;
  const failures = new SlidingWindow({ windowMs, clock });
  const successes = new SlidingWindow({ windowMs: knownMs, clock });
  const pairOf = (req: IncomingMessage, email: string) => `pair ${addressKey(req)} ${email.toLowerCase()}`;
  const countersOf = (req: IncomingMessage, email: string) =>
    [
      [pairOf(req, email), failuresPerPair],
      [`address ${addressKey(req)}`, failuresPerAddress],
      [`email ${email.toLowerCase()}`, failuresPerEmail],
    ] as const;
  return {
    admit(req, email) {
      const isKnown = successes.peek(pairOf(req, email), 1) !== undefined;
      for (const [key, limit] of isKnown ? countersOf(req, email).slice(0, 1) : countersOf(req, email)) {
        const state = failures.peek(key, limit);
        if (state === undefined || state.isAdmitted) continue;
        const seconds = Math.max(1, Math.ceil(state.resetMs / 1_000));
        throw new Problem('limit_exceeded', `Too many logins have failed; try again in ${seconds} seconds.`, {
          headers: { 'Retry-After': String(seconds) },
          extensions: { type: quotaExceeded, 'violated-policies': ['login'] },
        });
      }
    },
    recordFailure(req, email) {
      for (const [key, limit] of countersOf(req, email)) failures.hit(key, limit);
    },
    recordSuccess: (req, email) => void successes.hit(pairOf(req, email), 1),
  };
}
