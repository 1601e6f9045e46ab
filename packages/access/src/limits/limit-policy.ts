import { Problem } from '@rostergate/server/problem';
import type { Hit, HitState, HitWindow, Verdict } from './hit-store.ts';
import { periodEndAfter, periodLengthAt } from './period.ts';

/** One named limit, as the headers show it. */
export interface LimitPolicy {
  /** Printable ASCII without quotes and backslashes. */
  readonly name: string;
  readonly limit: number;
  /** By default the window of the hit store. */
  readonly window?: HitWindow;
  /** Which requests it counts, in the text of a 429: `on this endpoint`. Absent when it counts all of them. */
  readonly where?: string;
  /** Precedes the client in the key that it counts, so that other policies count separately. */
  readonly keyPrefix?: string;
}

/** What a client has used of a limit. */
export interface LimitUse extends Pick<HitState, 'used' | 'resetMs'> {
  readonly limit: number;
  readonly window: HitWindow;
}

/** The registered problem type of an exceeded limit (draft-ietf-httpapi-ratelimit-headers). */
export const quotaExceeded = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

export interface LimitPoliciesOptions {
  /** The window of policies that name none, which is the window of the hit store. */
  readonly windowMs: number;
  /** Whether the headers show only the policy that is closest to its limit, instead of all. */
  readonly showsTightest?: boolean;
  /** Milliseconds since the epoch, for the length of a month. */
  readonly clock?: () => number;
}

/** All policies that a request must pass, with the parts of its headers that never change. */
export class LimitPolicies {
  readonly limits: readonly number[];
  readonly #windows: readonly HitWindow[] | undefined;
  readonly #policies: readonly LimitPolicy[];
  readonly #keyPrefixes: readonly string[];
  readonly #windowMs: number;
  readonly #showsTightest: boolean;
  readonly #clock: () => number;
  readonly #prefixes: readonly string[];
  #header: string;
  /** The end of the month whose length is in the header. */
  #headerUntilMs: number;

  constructor(policies: readonly LimitPolicy[], options: LimitPoliciesOptions) {
    for (const { name } of policies) {
      if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) {
        throw new RangeError('A policy name must be printable ASCII without quotes and backslashes.');
      }
    }
    const { windowMs, showsTightest = false, clock = Date.now } = options;
    this.#policies = policies;
    this.#windowMs = windowMs;
    this.#showsTightest = showsTightest;
    this.#clock = clock;
    this.limits = policies.map(({ limit }) => limit);
    const hasWindows = policies.some(({ window }) => window !== undefined);
    this.#windows = hasWindows ? policies.map(({ window = windowMs }) => window) : undefined;
    this.#keyPrefixes = policies.map(({ keyPrefix = '' }) => keyPrefix);
    this.#prefixes = policies.map(({ name }, i) => `${i === 0 || showsTightest ? '' : ', '}"${name}";r=`);
    this.#headerUntilMs = policies.some(({ window }) => window === 'month') ? 0 : Number.POSITIVE_INFINITY;
    this.#header = this.#createHeader(0);
  }

  /** The value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
  get header(): string {
    if (this.#headerUntilMs !== Number.POSITIVE_INFINITY) {
      const nowMs = this.#clock();
      if (nowMs >= this.#headerUntilMs) {
        this.#header = this.#createHeader(nowMs);
        this.#headerUntilMs = periodEndAfter(nowMs, 'month');
      }
    }
    return this.#header;
  }

  /** Returns a request of a client or owner as the hit store counts it. */
  hitOf(client: string): Hit {
    const prefixes = this.#keyPrefixes;
    const keys = new Array<string>(prefixes.length);
    for (let i = 0; i < prefixes.length; i++) keys[i] = (prefixes[i] as string) + client;
    return { client, keys, limits: this.limits, windows: this.#windows };
  }

  /** Returns a hit that is never counted, because no request passes its last limit: its verdict has the counts. */
  readingOf(client: string): Hit {
    const { keys, limits, windows } = this.hitOf(client);
    return {
      client,
      keys: [...keys, 'reading'],
      limits: [...limits, 0],
      windows: windows && [...windows, this.#windowMs],
    };
  }

  /** Returns the counts in the verdict of a reading, in the order of the policies. */
  usesOf(verdict: Verdict): readonly LimitUse[] {
    return this.#policies.slice(0, verdict.length).map(({ limit, window = this.#windowMs }, i) => {
      const { used, resetMs } = verdict[i] as HitState;
      return { limit, window, used, resetMs };
    });
  }

  /** Returns the value of `RateLimit`: the remaining requests, and the seconds until the next one is free. */
  describe(verdict: Verdict): string {
    if (this.#showsTightest) return this.#describeOne(verdict, this.#tightestOf(verdict));
    let text = '';
    for (let i = 0; i < verdict.length; i++) text += this.#describeOne(verdict, i);
    return text;
  }

  /** Returns the 429 of a rejected hit: the exceeded limits, and the wait after which all of them admit it. */
  rejectionOf(verdict: Verdict): Problem {
    const violated = this.#policies.filter((_, i) => verdict[i]?.isAdmitted === false);
    const resetMs = Math.max(...verdict.map((state) => (state.isAdmitted ? 0 : state.resetMs)));
    const seconds = String(Math.max(1, Math.ceil(resetMs / 1000)));
    const limits = violated.map(({ limit, window = this.#windowMs, where = '' }) =>
      `${limit} ${limit === 1 ? 'request' : 'requests'} ${describeWindow(window)} ${where}`.trimEnd(),
    );
    const detail = `Wait ${seconds} s before the next request. The limit is ${limits.join(' and ')}.`;
    return new Problem('limit_exceeded', detail, {
      headers: { 'Retry-After': seconds },
      extensions: { type: quotaExceeded, 'violated-policies': violated.map(({ name }) => name) },
    });
  }

  #createHeader(nowMs: number): string {
    return this.#policies
      .map(({ name, limit, window = this.#windowMs }) => `"${name}";q=${limit};w=${secondsOf(window, nowMs)}`)
      .join(', ');
  }

  #describeOne(verdict: Verdict, i: number): string {
    const { isAdmitted, used, resetMs } = verdict[i] as HitState;
    const window = this.#windows === undefined ? this.#windowMs : (this.#windows[i] as HitWindow);
    const seconds = Math.max(0, Math.ceil(resetMs / 1000));
    // A hit is recorded up to a millisecond late; only a rejected client has to wait that second.
    const shownSeconds =
      isAdmitted && typeof window === 'number' ? Math.min(seconds, Math.ceil(window / 1000)) : seconds;
    return `${this.#prefixes[i]}${Math.max(0, (this.limits[i] as number) - used)};t=${shownSeconds}`;
  }

  /** Returns the policy that a client must heed first: of those with the fewest requests left, the one with the longest wait. */
  #tightestOf(verdict: Verdict): number {
    let tightest = 0;
    for (let i = 1; i < verdict.length; i++) {
      const [one, other] = [verdict[i] as HitState, verdict[tightest] as HitState];
      const left = Math.max(0, (this.limits[i] as number) - one.used);
      const otherLeft = Math.max(0, (this.limits[tightest] as number) - other.used);
      if (left < otherLeft || (left === otherLeft && one.resetMs > other.resetMs)) tightest = i;
    }
    return tightest;
  }
}

function secondsOf(window: HitWindow, nowMs: number): number {
  return Math.ceil((typeof window === 'number' ? window : periodLengthAt(nowMs, window)) / 1000);
}

/** Returns a window in words: `in any 60 seconds`, `per month (UTC)`. */
export function describeWindow(window: HitWindow): string {
  if (typeof window === 'string') return `per ${window} (UTC)`;
  const seconds = Math.ceil(window / 1000);
  if (seconds === 1) return 'in any second';
  if (seconds === 3_600) return 'in any hour';
  return seconds === 86_400 ? 'in any 24 hours' : `in any ${seconds} seconds`;
}
