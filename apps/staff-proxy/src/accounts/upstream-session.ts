import { Problem } from '@rostergate/runtime/problem';

/** What a login brings: a token and how long the upstream says it is good for. */
export interface UpstreamToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

/** One account's standing login at the upstream, shared by every request of that account. */
export interface UpstreamSession {
  /** A token that is good now; only when there is none, the promise of one. */
  token(): string | Promise<string>;
  /** After a 401: a token other than the refused one, by one new login however many ask. */
  replace(refused: string): string | Promise<string>;
  /** What is known: whether a token stands, or else what became of the last login. */
  readonly state: SessionState;
}

export type LoginOutcome = 'ok' | 'refused' | 'failed';
export type SessionState = 'unknown' | LoginOutcome;

export interface UpstreamSessionOptions {
  /** Ends by its own deadline. `refused`: the upstream knows no such account; a `Problem` for any other fault. */
  readonly login: () => Promise<UpstreamToken | 'refused'>;
  readonly clock: () => number;
  readonly onLogin?: ((outcome: LoginOutcome) => void) | undefined;
  /** How long before its end a token is renewed; at most half of its life. */
  readonly renewBeforeMs?: number;
  /** How long after a failed renewal the next one may come. */
  readonly renewHoldMs?: number;
  /**
   * How long a refusal stands before the upstream is asked again, doubled each time up to `refusalHoldMsMax`: callers
   * make no storm of logins, and do not lock the account out.
   */
  readonly refusalHoldMs?: number;
  readonly refusalHoldMsMax?: number;
  /**
   * How long a second fault in a row stands before the next login, doubled each time up to `faultHoldMsMax`: callers
   * who ask one after the other are no storm either.
   */
  readonly faultHoldMs?: number;
  readonly faultHoldMsMax?: number;
}

interface Held {
  readonly value: string;
  readonly startedMs: number;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
  readonly isReplacement: boolean;
}

export function createUpstreamSession(options: UpstreamSessionOptions): UpstreamSession {
  const { login, clock, onLogin, renewBeforeMs = 60_000, renewHoldMs = 1_000 } = options;
  const { refusalHoldMs = 5_000, refusalHoldMsMax = 300_000, faultHoldMs = 250, faultHoldMsMax = 5_000 } = options;
  let held: Held | undefined;
  let pending: Promise<string> | undefined;
  let last: SessionState = 'unknown';
  let refusals = 0;
  let refusedUntilMs = Number.NEGATIVE_INFINITY;
  let renewalHeldUntilMs = Number.NEGATIVE_INFINITY;
  let faults = 0;
  let standing: { readonly fault: unknown; readonly untilMs: number } | undefined;

  function note(outcome: LoginOutcome): void {
    last = outcome;
    refusals = outcome === 'refused' ? refusals + 1 : outcome === 'ok' ? 0 : refusals;
    if (outcome !== 'failed') faults = 0;
    onLogin?.(outcome);
  }

  /** The first may pass at once. What was never sent, or waits for the time that the upstream gave, counts nothing. */
  function noteFault(fault: unknown): void {
    note('failed');
    if (fault instanceof Problem && fault.code === 'unavailable') return;
    const nowMs = clock();
    // Nobody waits: renewals have a hold of their own.
    if (held !== undefined && nowMs < held.endsAtMs) return;
    faults++;
    if (faults < 2) return;
    standing = { fault, untilMs: nowMs + Math.min(faultHoldMsMax, faultHoldMs * 2 ** (faults - 2)) };
  }

  /** Everyone who asks while a login is under way shares it. */
  function logIn(isReplacement: boolean): Promise<string> {
    pending ??= renew(isReplacement).finally(() => {
      pending = undefined;
    });
    return pending;
  }

  async function renew(isReplacement: boolean): Promise<string> {
    const startedMs = clock();
    if (startedMs < refusedUntilMs) throw new Problem('upstream_failed', accountRefused);
    if (standing !== undefined && startedMs < standing.untilMs) throw standing.fault;
    const token = await login().catch((error) => {
      noteFault(error);
      throw error;
    });
    if (token === 'refused') {
      note('refused');
      refusedUntilMs = clock() + Math.min(refusalHoldMsMax, refusalHoldMs * 2 ** (refusals - 1));
      throw new Problem('upstream_failed', accountRefused);
    }
    note('ok');
    const { value, lifetimeMs } = token;
    const endsAtMs = startedMs + lifetimeMs;
    const renewAtMs = endsAtMs - Math.min(renewBeforeMs, lifetimeMs / 2);
    held = { value, startedMs, renewAtMs, endsAtMs, isReplacement };
    return value;
  }

  /** A token that still holds serves while its successor is fetched; should that fail, a later request tries again. */
  function renewInTheBackground(): void {
    logIn(false).catch(() => {
      renewalHeldUntilMs = clock() + renewHoldMs;
    });
  }

  return {
    token() {
      const nowMs = clock();
      if (held === undefined || nowMs >= held.endsAtMs) return logIn(false);
      if (nowMs >= held.renewAtMs && nowMs >= renewalHeldUntilMs && pending === undefined) renewInTheBackground();
      return held.value;
    },
    replace(refused) {
      if (held !== undefined && held.value !== refused) return held.value;
      if (held?.isReplacement === true && clock() - held.startedMs < refusalHoldMs) {
        throw new Problem('upstream_failed', tokenRefused);
      }
      held = undefined;
      return logIn(true);
    },
    get state() {
      return held !== undefined && clock() < held.endsAtMs ? 'ok' : last;
    },
  };
}

const accountRefused =
  'The upstream refused the service account behind your key. Tell the operator of this proxy to check its credentials.';
/** Also what a request is told whose second token was refused. */
export const tokenRefused =
  'The upstream answered 401 to a token that it had just given. Try again later; if it lasts, tell the operator of this proxy.';
