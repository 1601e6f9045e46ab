import { Problem } from '@rostergate/runtime/problem';

/** What a login brings: a token and how long the upstream says it is good for. */
export interface UpstreamToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

/** One account's standing login at the upstream, shared by every request of that account. */
export interface UpstreamSession {
  /** A token that is good now; waits only when there is none. */
  token(): Promise<string>;
  /** After a 401: a token other than the refused one, by one new login however many ask. */
  replace(refused: string): Promise<string>;
}

export interface UpstreamSessionOptions {
  /** Ends by its own deadline. `refused`: the upstream knows no such account; a `Problem` for any other fault. */
  readonly login: () => Promise<UpstreamToken | 'refused'>;
  readonly clock: () => number;
  /** How long before its end a token is renewed; at most half of its life. */
  readonly renewBeforeMs?: number;
  /** How long a refusal stands before the upstream is asked again, so that callers make no storm of logins. */
  readonly refusalHoldMs?: number;
}

interface Held {
  readonly value: string;
  readonly startedMs: number;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
  readonly isReplacement: boolean;
}

export function createUpstreamSession(options: UpstreamSessionOptions): UpstreamSession {
  const { login, clock, renewBeforeMs = 60_000, refusalHoldMs = 5_000 } = options;
  let held: Held | undefined;
  let pending: Promise<string> | undefined;
  let refusedUntilMs = Number.NEGATIVE_INFINITY;

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
    const token = await login();
    if (token === 'refused') {
      refusedUntilMs = clock() + refusalHoldMs;
      throw new Problem('upstream_failed', accountRefused);
    }
    const { value, lifetimeMs } = token;
    const endsAtMs = startedMs + lifetimeMs;
    const renewAtMs = endsAtMs - Math.min(renewBeforeMs, lifetimeMs / 2);
    held = { value, startedMs, renewAtMs, endsAtMs, isReplacement };
    return value;
  }

  return {
    token() {
      const nowMs = clock();
      if (held === undefined || nowMs >= held.endsAtMs) return logIn(false);
      // A token that still holds serves while its successor is fetched; should that fail, a later request tries again.
      if (nowMs >= held.renewAtMs) logIn(false).catch(() => {});
      return Promise.resolve(held.value);
    },
    replace(refused) {
      if (held !== undefined && held.value !== refused) return Promise.resolve(held.value);
      if (held?.isReplacement === true && clock() - held.startedMs < refusalHoldMs) {
        return Promise.reject(new Problem('upstream_failed', tokenRefused));
      }
      held = undefined;
      return logIn(true);
    },
  };
}

const accountRefused =
  'The upstream refused the service account behind your key. Tell the operator of this proxy to check its credentials.';
/** Also what a request is told whose second token was refused. */
export const tokenRefused =
  'The upstream answered 401 to a token that it had just given. Try again later; if it lasts, tell the operator of this proxy.';
