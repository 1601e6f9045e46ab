import { Problem } from '../problem/index.ts';
import type { HitState, Verdict } from './hit-store.ts';

/** One limit by name, as the headers tell of it. */
export interface LimitPolicy {
  /** Printable ASCII without quotes and backslashes. */
  readonly name: string;
  readonly limit: number;
  /** Whom it counts, for people: `on this endpoint`; nothing when it is all that one sends. */
  readonly where?: string;
}

/** The registered problem type of a limit that was reached (draft-ietf-httpapi-ratelimit-headers). */
export const quotaExceeded = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** All policies that a request must pass at once, with what can be said of them beforehand. */
export class LimitPolicies {
  readonly limits: readonly number[];
  /** The value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-08, section 4.1). */
  readonly header: string;
  readonly #policies: readonly LimitPolicy[];
  readonly #windowSeconds: number;
  readonly #starts: readonly string[];

  constructor(policies: readonly LimitPolicy[], windowMs: number) {
    for (const { name } of policies) {
      if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) throw new RangeError('A policy name is printable ASCII.');
    }
    this.#policies = policies;
    this.#windowSeconds = Math.ceil(windowMs / 1000);
    this.limits = policies.map(({ limit }) => limit);
    this.header = policies.map(({ name, limit }) => `"${name}";q=${limit};w=${this.#windowSeconds}`).join(', ');
    this.#starts = policies.map(({ name }, i) => `${i === 0 ? '' : ', '}"${name}";r=`);
  }

  /** The value of `RateLimit` (section 4.2): what is left, and in how many seconds more will be. */
  describe(verdict: Verdict): string {
    let text = '';
    for (let i = 0; i < verdict.length; i++) {
      const { isAdmitted, used, resetMs } = verdict[i] as HitState;
      const seconds = Math.max(0, Math.ceil(resetMs / 1000));
      // A hit is recorded a fraction of a millisecond late; only who has to wait must hear of it.
      const toldSeconds = isAdmitted ? Math.min(seconds, this.#windowSeconds) : seconds;
      text += `${this.#starts[i]}${Math.max(0, (this.limits[i] as number) - used)};t=${toldSeconds}`;
    }
    return text;
  }

  /** The 429 of a hit that was refused: whose limits it broke, and the wait after which all of them admit it. */
  refuse(verdict: Verdict): Problem {
    const violated = this.#policies.filter((_, i) => verdict[i]?.isAdmitted === false);
    const resetMs = Math.max(...verdict.map((state) => (state.isAdmitted ? 0 : state.resetMs)));
    const seconds = String(Math.max(1, Math.ceil(resetMs / 1000)));
    const allowed = violated
      .map(
        ({ limit, where }) => `${limit} in any ${this.#windowSeconds} seconds${where === undefined ? '' : ` ${where}`}`,
      )
      .join(' and ');
    return new Problem('limit_exceeded', `Wait ${seconds} s before the next request; allowed are ${allowed}.`, {
      headers: { 'Retry-After': seconds },
      extensions: { type: quotaExceeded, 'violated-policies': violated.map(({ name }) => name) },
    });
  }
}
