import type { IncomingMessage } from 'node:http';
import { type Presenting, presentedKey, requireUsable } from '@rostergate/access/keys';
import { Problem } from '@rostergate/server/problem';
import type { IssuedTokens } from './issued-tokens.ts';
import type { ProxyKeys, StaffKey } from './proxy-keys.ts';
import type { FoundToken } from './token-store.ts';

export interface AuthenticateOptions {
  readonly keys: ProxyKeys;
  readonly tokens: IssuedTokens;
  readonly clock: () => number;
}

/**
 * Returns the key of a request, from `X-API-Key` or `Authorization: Bearer`, or from a bearer token of the proxy's login.
 * A token has the current permissions of its key and ends with it.
 * @throws Problem 401 `key_invalid`, `key_revoked`, `key_expired`, `key_repeated` or `token_expired`; 503 `unavailable`
 *   when a token cannot be looked up.
 */
export function createAuthenticate(
  options: AuthenticateOptions,
): (context: { readonly req: Presenting & Pick<IncomingMessage, 'headers'> }) => StaffKey | null | Promise<StaffKey> {
  const { keys, tokens, clock } = options;
  return ({ req }) => {
    const presented = presentedKey(req);
    if (presented === null) return null;
    const key = keys.find(presented, req.socket);
    if (key !== undefined || req.headers['x-api-key'] !== undefined) return requireUsable(key, clock());
    const found = tokens.find(presented);
    return found instanceof Promise ? found.then(keyOfToken) : keyOfToken(found);
  };

  function keyOfToken(found: FoundToken | undefined): StaffKey {
    const key = requireUsable(found && keys.findByDigest(found.keySha256), clock());
    if (!found?.isExpired) return key;
    throw new Problem('token_expired', 'Log in again for a new token.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  }
}
