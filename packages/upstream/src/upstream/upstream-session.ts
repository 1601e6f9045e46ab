import { Problem } from '@rostergate/server/problem';

/** The result of a login: a token and its lifetime by the upstream. */
export interface UpstreamToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

/** A login at an upstream, shared by all requests with the same credentials. */
export interface UpstreamSession {
  /** Returns a valid token, or a promise when it has to log in first. */
  token(): string | Promise<string>;
  /** Returns a token other than the one that the upstream answered with 401; concurrent calls share one login. */
  replace(rejected: string): string | Promise<string>;
  /** `ok` while a token is valid, or else the outcome of the last login. */
  readonly state: SessionState;
}

export type LoginOutcome = 'ok' | 'refused' | 'failed';
export type SessionState = 'unknown' | LoginOutcome;

export interface UpstreamSessionOptions {
  /** Has its own deadline. `refused`: the upstream rejects the credentials; rejects with a `Problem` for other faults. */
  readonly login: () => Promise<UpstreamToken | 'refused'>;
  readonly clock: () => number;
  /** What clients read when the upstream rejects the credentials, or a token that it has just issued. */
  readonly messages: { readonly refused: string; readonly tokenRejected: string };
  readonly onLogin?: ((outcome: LoginOutcome) => void) | undefined;
  /** How long before its expiry a token is renewed; at most half of its lifetime. */
  readonly renewBeforeMs?: number;
  /** Pause after a failed renewal. */
  readonly renewHoldMs?: number;
  /**
   * Pause after a rejected login, doubled each time up to `rejectionHoldMsMax`, so that callers cause no storm of logins
   * and do not lock the account.
   */
  readonly rejectionHoldMs?: number;
  readonly rejectionHoldMsMax?: number;
  /** Pause after the second fault in a row, doubled each time up to `faultHoldMsMax`. */
  readonly faultHoldMs?: number;
  readonly faultHoldMsMax?: number;
}

interface CurrentToken {
  readonly value: string;
  readonly startedMs: number;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
  readonly isReplacement: boolean;
}

export function createUpstreamSession(options: UpstreamSessionOptions): UpstreamSession {
  const { login, clock, messages, onLogin, renewBeforeMs = 60_000, renewHoldMs = 1_000 } = options;
  const { rejectionHoldMs = 5_000, rejectionHoldMsMax = 300_000, faultHoldMs = 250, faultHoldMsMax = 5_000 } = options;
  let current: CurrentToken | undefined;
  let pending: Promise<string> | undefined;
  let last: SessionState = 'unknown';
  let rejections = 0;
  let rejectedUntilMs = Number.NEGATIVE_INFINITY;
  let renewalHeldUntilMs = Number.NEGATIVE_INFINITY;
  let faults = 0;
  let faultHold: { readonly fault: unknown; readonly untilMs: number } | undefined;

  function note(outcome: LoginOutcome): void {
    last = outcome;
    rejections = outcome === 'refused' ? rejections + 1 : outcome === 'ok' ? 0 : rejections;
    if (outcome !== 'failed') faults = 0;
    onLogin?.(outcome);
  }

  /** Starts a pause from the second fault on. A login that was not sent does not count. */
  function noteFault(fault: unknown): void {
    note('failed');
    if (fault instanceof Problem && fault.code === 'unavailable') return;
    const nowMs = clock();
    // A background renewal: `renewHoldMs` applies.
    if (current !== undefined && nowMs < current.endsAtMs) return;
    faults++;
    if (faults < 2) return;
    faultHold = { fault, untilMs: nowMs + Math.min(faultHoldMsMax, faultHoldMs * 2 ** (faults - 2)) };
  }

  /** Concurrent calls share one login. */
  function logIn(isReplacement: boolean): Promise<string> {
    pending ??= renew(isReplacement).finally(() => {
      pending = undefined;
    });
    return pending;
  }

  async function renew(isReplacement: boolean): Promise<string> {
    const startedMs = clock();
    if (startedMs < rejectedUntilMs) throw new Problem('upstream_failed', messages.refused);
    if (faultHold !== undefined && startedMs < faultHold.untilMs) throw faultHold.fault;
    const token = await login().catch((error) => {
      noteFault(error);
      throw error;
    });
    if (token === 'refused') {
      note('refused');
      rejectedUntilMs = clock() + Math.min(rejectionHoldMsMax, rejectionHoldMs * 2 ** (rejections - 1));
      throw new Problem('upstream_failed', messages.refused);
    }
    note('ok');
    const { value, lifetimeMs } = token;
    const endsAtMs = startedMs + lifetimeMs;
    const renewAtMs = endsAtMs - Math.min(renewBeforeMs, lifetimeMs / 2);
    current = { value, startedMs, renewAtMs, endsAtMs, isReplacement };
    return value;
  }

  /** The current token serves meanwhile; after a failure a later request tries again. */
  function renewInBackground(): void {
    logIn(false).catch(() => {
      renewalHeldUntilMs = clock() + renewHoldMs;
    });
  }

  return {
    token() {
      const nowMs = clock();
      if (current === undefined || nowMs >= current.endsAtMs) return logIn(false);
      if (nowMs >= current.renewAtMs && nowMs >= renewalHeldUntilMs && pending === undefined) renewInBackground();
      return current.value;
    },
    replace(rejected) {
      if (current !== undefined && current.value !== rejected) return current.value;
      if (current?.isReplacement === true && clock() - current.startedMs < rejectionHoldMs) {
        throw new Problem('upstream_failed', messages.tokenRejected);
      }
      current = undefined;
      return logIn(true);
    },
    get state() {
      return current !== undefined && clock() < current.endsAtMs ? 'ok' : last;
    },
  };
}
