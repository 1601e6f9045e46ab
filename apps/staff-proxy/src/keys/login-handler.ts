import { Problem } from '@rostergate/runtime/problem';
import type { IssuedTokens } from './issued-tokens.ts';
import type { ProxyKeys, StaffKey } from './proxy-keys.ts';

export interface LoginHandlerOptions {
  readonly keys: () => ProxyKeys;
  readonly tokens: IssuedTokens;
  readonly clock: () => number;
  readonly lifetimeS: number;
}

/**
 * `POST /login`, so that a client of the vendor changes only its base address: the name of a key as email, the key
 * as password. Anonymous requests count against their address, and so does each guess.
 * @throws Problem 401 `login_failed`, the same for an unknown name, a wrong key and a key that has ended.
 */
export function createLoginHandler({ keys, tokens, clock, lifetimeS }: LoginHandlerOptions) {
  return (request: { readonly body: { readonly email: string; readonly password: string } }) => {
    const { email, password } = request.body;
    const key = keys().find(password);
    const leftMs = key === undefined || key.name !== email ? 0 : endOf(key) - clock();
    if (key === undefined || leftMs <= 0) throw loginFailed();
    // The vendor's clients read expires_in as text. A token ends with its key.
    const expires_in = String(Math.min(lifetimeS, Math.ceil(leftMs / 1_000)));
    const body = { access_token: tokens.issue(key.sha256, lifetimeS), token_type: 'bearer', expires_in } as const;
    return { status: 200, body } as const;
  };
}

function endOf({ expiresAtMs = Infinity, revokedAtMs = Infinity }: StaffKey): number {
  return Math.min(expiresAtMs, revokedAtMs);
}

function loginFailed(): Problem {
  return new Problem('login_failed', 'Send the name of your key as email and the key itself as password.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extensions: { error: 'access_denied', error_description: 'Invalid email or password' },
  });
}
