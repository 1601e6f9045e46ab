import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { addressKey, SlidingWindow } from '@rostergate/access/limits';
import { createRandom } from '../demo/random.ts';
import type { Failures, Latency } from './simulation-settings.ts';
import { type VendorResponse, vendorError } from './vendor-routes.ts';

export interface SimulatedFaultsOptions {
  readonly latency?: Latency | undefined;
  readonly fail?: Failures | undefined;
  readonly random_seed: string;
  readonly requests_per_minute_max?: number | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Resolves after that time; rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Delays a request. Returns the response of one that fails or is over the limit; undefined for all others. */
export type SimulateFault = (req: IncomingMessage, signal: AbortSignal) => Promise<VendorResponse | undefined>;

/** Returns the vendor's slowness, failures and limits. Each request takes the same random numbers, in order of arrival. */
export function createSimulatedFaults(options: SimulatedFaultsOptions): SimulateFault {
  const { latency, fail, random_seed, requests_per_minute_max: limit, clock } = options;
  const { wait = (ms, signal) => setTimeout(ms, undefined, { signal }) } = options;
  const random = createRandom(random_seed);
  const window = new SlidingWindow({ windowMs: 60_000, clock, keysMax: 1_000 });
  return async (req, signal) => {
    const [delay, fate] = [random.next(), random.next()];
    if (limit !== undefined) {
      const { isAdmitted, resetMs } = window.hit(req.headers.authorization ?? addressKey(req), limit);
      if (!isAdmitted) {
        const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
        return vendorError(429, `The limit is ${limit} requests per minute. Wait ${seconds} s.`, String(seconds));
      }
    }
    if (latency !== undefined) {
      await wait(latency.minMs + Math.floor(delay * (latency.maxMs - latency.minMs + 1)), signal);
    }
    if (fail === undefined || fate >= fail.share) return undefined;
    const isLimit = fail.status === 429 || fail.status === 503;
    return vendorError(fail.status, 'An error has occurred.', isLimit ? '1' : undefined);
  };
}
