import type { IncomingMessage } from 'node:http';
import { addressKey, quotaExceeded, SlidingWindow } from '@rostergate/access/limits';
import { Problem } from '@rostergate/server/problem';

export interface LoginThrottle {
  /** @throws Problem 429 when too many similar logins have failed recently */
  admit(req: IncomingMessage, email: string): Promise<void>;
  recordFailure(req: IncomingMessage, email: string): void;
}

export interface LoginThrottleOptions {
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
  /**
   * Returns whether the account has logged in from the address in the last 24 hours. Called only before a rejection.
   */
  readonly isKnown: (email: string, address: string) => Promise<boolean>;
  /** Maximum failures of one e-mail at one address. */
  readonly failuresPerPair?: number;
  readonly failuresPerAddress?: number;
  readonly failuresPerEmail?: number;
  readonly windowMs?: number;
}

/**
 * Limits failed logins. Only failures count, so a busy client with the right password is never delayed. The limit per
 * address stops guessing of many accounts; the limit per e-mail stops guessing of one account from many addresses. At
 * an address where the account is known, only its own failures there count, so other clients cannot lock it out. Each
 * process counts for itself.
 */
export function createLoginThrottle(options: LoginThrottleOptions): LoginThrottle {
  const { clock, isKnown, failuresPerPair = 10, failuresPerAddress = 20, failuresPerEmail = 10 } = options;
  const failures = new SlidingWindow({ windowMs: options.windowMs ?? 60_000, clock });
  const ofPair = (address: string, email: string): Counter => [`pair ${address} ${email}`, failuresPerPair];
  const ofOthers = (address: string, email: string): Counter[] => [
    [`address ${address}`, failuresPerAddress],
    [`email ${email}`, failuresPerEmail],
  ];

  function findRejection([key, limit]: Counter): Problem | undefined {
    const state = failures.peek(key, limit);
    if (state === undefined || state.isAdmitted) return undefined;
    const seconds = Math.max(1, Math.ceil(state.resetMs / 1_000));
    return new Problem('limit_exceeded', `Too many logins have failed; try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
      extensions: { type: quotaExceeded, 'violated-policies': ['login'] },
    });
  }

  return {
    async admit(req, givenEmail) {
      const [address, email] = [addressKey(req), givenEmail.toLowerCase()];
      const rejection = findRejection(ofPair(address, email));
      if (rejection !== undefined) throw rejection;
      for (const counter of ofOthers(address, email)) {
        const rejection = findRejection(counter);
        if (rejection === undefined) continue;
        if (await isKnown(email, address)) return;
        throw rejection;
      }
    },
    recordFailure(req, givenEmail) {
      const [address, email] = [addressKey(req), givenEmail.toLowerCase()];
      for (const [key, limit] of [ofPair(address, email), ...ofOthers(address, email)]) failures.hit(key, limit);
    },
  };
}

type Counter = readonly [key: string, limit: number];
