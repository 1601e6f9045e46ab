import type { IncomingMessage } from 'node:http';
import { type Presenting, presentedKey, requireUsable } from '@rostergate/runtime/keys';
import { Problem } from '@rostergate/runtime/problem';
import type { IssuedTokens } from './issued-tokens.ts';
import type { ProxyKeys, StaffKey } from './proxy-keys.ts';
import type { FoundToken } from './token-store.ts';

export interface AuthenticateOptions {
  /** Asked once for each request, so that a change of keys takes effect at once. */
  readonly keys: () => ProxyKeys;
  readonly tokens: IssuedTokens;
  readonly clock: () => number;
}

/**
 * Who calls: by a key in `X-API-Key` or `Authorization: Bearer`, or by a bearer token of our own login.
 * A token is worth what its key is worth now: it ends when the key does.
 * @throws Problem 401 `key_invalid`, `key_revoked`, `key_expired`, `key_repeated` or `token_expired`; 503 `unavailable`
 *   where it may be a token and the store of tokens is away.
 */
export function createAuthenticate(
  options: AuthenticateOptions,
): (context: { readonly req: Presenting & Pick<IncomingMessage, 'headers'> }) => StaffKey | null | Promise<StaffKey> {
  const { keys, tokens, clock } = options;
  return ({ req }) => {
    const presented = presentedKey(req);
    if (presented === null) return null;
    const key = keys().find(presented, req.socket);
    if (key !== undefined || req.headers['x-api-key'] !== undefined) return requireUsable(key, clock());
    const found = tokens.find(presented);
    return found instanceof Promise ? found.then(keyOfToken) : keyOfToken(found);
  };

  function keyOfToken(found: FoundToken | undefined): StaffKey {
    const key = requireUsable(found && keys().findByDigest(found.keySha256), clock());
    if (!found?.isExpired) return key;
    throw new Problem('token_expired', 'Log in again for a new token.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  }
}
