import type { Request, Response } from 'express';
import { type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import type { Context, Limit, Principal } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { createAddressKey } from './address-key.ts';
import { SlidingWindow } from './sliding-window.ts';
import { SlidingWindowStore } from './sliding-window-store.ts';

export interface LimiterOptions {
  /** Name of the policy in the headers and in a 429. */
  readonly name: string;
  readonly windowMs?: number;
  /** How many requests an address without a key has in any window. */
  readonly anonymousPerWindow: number;
  /** How many requests an owner has in any window, over all keys and routes. */
  readonly authenticatedPerWindow: number;
  readonly trustedProxies?: readonly string[];
  /** Milliseconds since the epoch that never go back. */
  readonly clock?: () => number;
  /** Counts to go on with, so that a new configuration keeps them; brings its own length and clock. */
  readonly window?: SlidingWindow;
  /** Where hits are counted; by default in memory, in `window`. */
  readonly createStore?: (policy: { readonly limit: number; readonly prefix: string }) => Store;
}

export interface Limiter<P extends Principal> extends Limit<P> {
  /** Charges the request to its address whatever its route or principal, as a wrong key is. */
  chargeAddress(context: Pick<Context<P>, 'req' | 'res'>): Promise<void>;
}

/**
 * Makes the contract's `limit`: one count an owner, or an address when nobody is authenticated, over all routes.
 * Sets `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-08) on every answer it counts.
 * @throws Problem `limit_exceeded` with `Retry-After`; such a request costs nothing.
 */
export function createLimiter<P extends Principal>(options: LimiterOptions): Limiter<P> {
  const { name } = options;
  if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) throw new RangeError('A policy name is printable ASCII.');
  const window =
    options.window ?? new SlidingWindow({ windowMs: options.windowMs ?? 60_000, clock: options.clock ?? monotonicNow });
  const { windowMs, clock } = window;
  const createStore = options.createStore ?? ((policy) => new SlidingWindowStore({ window, ...policy }));
  const keyOfAddress = createAddressKey(options);
  const policyOf = (prefix: string, limit: number) =>
    createPolicy({ name, limit, windowMs, clock, store: createStore({ limit, prefix }) });
  // Without the prefixes an owner could be named like an address.
  const addresses = policyOf('address:', options.anonymousPerWindow);
  const owners = policyOf('owner:', options.authenticatedPerWindow);

  const chargeAddress = ({ req, res }: Pick<Context<P>, 'req' | 'res'>): Promise<void> =>
    addresses(keyOfAddress(req), res);
  const limit = (context: Context<P>): void | Promise<void> => {
    if (context.route.isRateLimitExempt) return;
    return context.principal === null ? chargeAddress(context) : owners(context.principal.owner, context.res);
  };
  return Object.assign(limit, { chargeAddress });
}

interface Policy {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly clock: () => number;
  readonly store: Store;
}

/** What express-rate-limit sees of a request: the key to count and, when done, where its result is. */
interface Attempt {
  readonly key: string;
  rateLimit?: RateLimitInfo;
}

function createPolicy({ name, limit, windowMs, clock, store }: Policy) {
  const middleware = rateLimit({
    windowMs,
    limit,
    store,
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    keyGenerator: (attempt) => (attempt as unknown as Attempt).key,
    handler: (_attempt, _res, next) => next(),
  });
  const windowSeconds = Math.ceil(windowMs / 1000);
  const policyHeader = `"${name}";q=${limit};w=${windowSeconds}`;

  return (key: string, res: Response): Promise<void> =>
    new Promise((resolve, reject) => {
      // An attempt in place of the request: the middleware would work out `req.ip`, and leave the raw key on `req`.
      const attempt: Attempt = { key };
      middleware(attempt as unknown as Request, res, (error?: unknown) => {
        const info = attempt.rateLimit;
        if (error !== undefined || info === undefined) {
          reject(error ?? new Error('The limit was not counted.'));
          return;
        }
        const resetMs = info.resetTime === undefined ? windowMs : info.resetTime.getTime() - clock();
        const resetSeconds = Math.max(0, Math.ceil(resetMs / 1000));
        res.setHeader('RateLimit-Policy', policyHeader);
        const isRefused = info.used > limit;
        // A hit is recorded a fraction of a millisecond late; only who has to wait must hear of it.
        const toldSeconds = isRefused ? resetSeconds : Math.min(resetSeconds, windowSeconds);
        res.setHeader('RateLimit', `"${name}";r=${info.remaining};t=${toldSeconds}`);
        if (isRefused) reject(limitExceeded(name, limit, windowMs, resetSeconds));
        else resolve();
      });
    });
}

/** The registered problem type of a limit that was reached (draft-ietf-httpapi-ratelimit-headers). */
export const quotaExceeded = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

function limitExceeded(name: string, limit: number, windowMs: number, resetSeconds: number): Problem {
  const window = `${limit} requests in any ${Math.ceil(windowMs / 1000)} seconds`;
  return new Problem('limit_exceeded', `Wait ${resetSeconds} s before the next request; ${window} are allowed.`, {
    headers: { 'Retry-After': String(resetSeconds) },
    extensions: {
      type: quotaExceeded,
      'violated-policies': [name],
    },
  });
}

/** The time of day that no change of the system's clock can move. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}
