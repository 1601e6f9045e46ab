import { Problem } from '@rostergate/server/problem';
import type { IssuedTokens } from './issued-tokens.ts';
import { endOf, type ProxyKeys, type StaffKey } from './proxy-keys.ts';

export interface LoginHandlerOptions {
  readonly keys: ProxyKeys;
  readonly tokens: IssuedTokens;
  readonly clock: () => number;
  readonly lifetimeS: number;
}

/**
 * Returns the handler of `POST /login`, which takes the name of a key as email and the key as password, so that a client
 * of the vendor changes only its base address. Requests, and so guesses, count against the client's address.
 * @throws Problem 401 `login_failed`, the same for an unknown name, and a key that is wrong, has ended
 *   or lacks its account; 503 `unavailable`.
 */
export function createLoginHandler({ keys, tokens, clock, lifetimeS }: LoginHandlerOptions) {
  /** Returns the key of a text. One whose account this proxy lacks fails as any other, so that the vendor's clients read why. */
  function findKey(text: string): StaffKey | undefined {
    try {
      return keys.find(text);
    } catch (error) {
      if (error instanceof Problem && error.code === 'key_invalid') return undefined;
      throw error;
    }
  }

  return async (request: { readonly body: { readonly email: string; readonly password: string } }) => {
    const { email, password } = request.body;
    const key = findKey(password);
    const leftMs = key === undefined || key.name !== email ? 0 : endOf(key) - clock();
    if (key === undefined || leftMs <= 0) throw loginFailed();
    // A token ends with its key, even if the key is extended later.
    const lifetimeMs = Math.min(lifetimeS * 1_000, Math.ceil(leftMs));
    const access_token = await tokens.issue(key.sha256, lifetimeMs);
    if (access_token === undefined) throw loginFailed();
    // The vendor's clients read expires_in as text.
    const expires_in = String(Math.ceil(lifetimeMs / 1_000));
    const body = { access_token, token_type: 'bearer', expires_in } as const;
    return { status: 200, body } as const;
  };
}

function loginFailed(): Problem {
  return new Problem('login_failed', 'Send the name of your key as email and the key itself as password.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extensions: { error: 'access_denied', error_description: 'Invalid email or password' },
  });
}
