import { Problem } from '@rostergate/server/problem';
import type { HitState, Verdict } from './hit-store.ts';

/** One named limit, as the headers show it. */
export interface LimitPolicy {
  /** Printable ASCII without quotes and backslashes. */
  readonly name: string;
  readonly limit: number;
  /** Which requests it counts, in the text of a 429: `on this endpoint`. Absent when it counts all of them. */
  readonly where?: string;
}

/** The registered problem type of an exceeded limit (draft-ietf-httpapi-ratelimit-headers). */
export const quotaExceeded = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** All policies that a request must pass, with the parts of its headers that never change. */
export class LimitPolicies {
  readonly limits: readonly number[];
  /** The value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-08, section 4.1). */
  readonly header: string;
  readonly #policies: readonly LimitPolicy[];
  readonly #windowSeconds: number;
  readonly #prefixes: readonly string[];

  constructor(policies: readonly LimitPolicy[], windowMs: number) {
    for (const { name } of policies) {
      if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) {
        throw new RangeError('A policy name must be printable ASCII without quotes and backslashes.');
      }
    }
    this.#policies = policies;
    this.#windowSeconds = Math.ceil(windowMs / 1000);
    this.limits = policies.map(({ limit }) => limit);
    this.header = policies.map(({ name, limit }) => `"${name}";q=${limit};w=${this.#windowSeconds}`).join(', ');
    this.#prefixes = policies.map(({ name }, i) => `${i === 0 ? '' : ', '}"${name}";r=`);
  }

  /**
   * Returns the value of `RateLimit` (section 4.2): the remaining requests, and the seconds until the next one is free.
   */
  describe(verdict: Verdict): string {
    let text = '';
    for (let i = 0; i < verdict.length; i++) {
      const { isAdmitted, used, resetMs } = verdict[i] as HitState;
      const seconds = Math.max(0, Math.ceil(resetMs / 1000));
      // A hit is recorded up to a millisecond late; only a rejected client has to wait that second.
      const shownSeconds = isAdmitted ? Math.min(seconds, this.#windowSeconds) : seconds;
      text += `${this.#prefixes[i]}${Math.max(0, (this.limits[i] as number) - used)};t=${shownSeconds}`;
    }
    return text;
  }

  /** Returns the 429 of a rejected hit: the exceeded limits, and the wait after which all of them admit it. */
  rejectionOf(verdict: Verdict): Problem {
    const violated = this.#policies.filter((_, i) => verdict[i]?.isAdmitted === false);
    const resetMs = Math.max(...verdict.map((state) => (state.isAdmitted ? 0 : state.resetMs)));
    const seconds = String(Math.max(1, Math.ceil(resetMs / 1000)));
    const limits = violated.map(({ limit, where = '' }) =>
      `${limit} ${limit === 1 ? 'request' : 'requests'} in any ${this.#windowSeconds} seconds ${where}`.trimEnd(),
    );
    const detail = `Wait ${seconds} s before the next request. The limit is ${limits.join(' and ')}.`;
    return new Problem('limit_exceeded', detail, {
      headers: { 'Retry-After': seconds },
      extensions: { type: quotaExceeded, 'violated-policies': violated.map(({ name }) => name) },
    });
  }
}
