import type { IncomingMessage } from 'node:http';
import { type Presenting, presentedKey, requireUsable } from '@rostergate/access/keys';
import { createTokenAuthenticator, type TokenVerifier } from '@rostergate/access/tokens';
import { Problem } from '@rostergate/server/problem';
import type { IssuedTokens } from './issued-tokens.ts';
import type { ProxyKeys, StaffKey } from './proxy-keys.ts';
import type { FoundToken } from './token-store.ts';

export interface AuthenticateOptions {
  readonly keys: ProxyKeys;
  readonly tokens: IssuedTokens;
  /** Of the issuers of access tokens. */
  readonly verifiers?: readonly TokenVerifier<StaffKey>[];
  readonly onForeign?: () => void;
  /** Whether keys and tokens of the login are accepted; true by default. */
  readonly acceptsKeys?: boolean;
  readonly clock: () => number;
}

interface RequestContext {
  readonly req: Presenting & Pick<IncomingMessage, 'headers'>;
}

/**
 * Returns the caller of a request. An access token of an issuer is a bearer credential of three dotted parts. All others
 * are keys, from `X-API-Key` or `Authorization: Bearer`, or from a bearer token of the proxy's login.
 * A token has the current permissions of its key and ends with it.
 * @throws Problem 401 `key_invalid`, `key_revoked`, `key_expired`, `key_repeated` or `token_expired`; 503 `unavailable`
 *   when a token cannot be looked up.
 */
export function createAuthenticate(
  options: AuthenticateOptions,
): (context: RequestContext) => StaffKey | null | Promise<StaffKey | null> {
  const { keys, tokens, verifiers = [], onForeign, acceptsKeys = true, clock } = options;
  if (verifiers.length === 0) return authenticateKey;
  return createTokenAuthenticator({
    verifiers,
    authenticateKey: acceptsKeys ? authenticateKey : undefined,
    ...(onForeign === undefined ? {} : { onForeign }),
  });

  function authenticateKey({ req }: RequestContext): StaffKey | null | Promise<StaffKey> {
    const presented = presentedKey(req);
    if (presented === null) return null;
    let key: StaffKey | undefined;
    let failure: unknown;
    try {
      key = keys.find(presented, req.socket);
    } catch (error) {
      // While the key store is away, this may be a token of a key that is known.
      if (req.headers['x-api-key'] !== undefined) throw error;
      failure = error;
    }
    if (key !== undefined || req.headers['x-api-key'] !== undefined) return requireUsable(key, clock());
    const found = tokens.find(presented);
    return found instanceof Promise ? found.then((late) => keyOfToken(late, failure)) : keyOfToken(found, failure);
  }

  function keyOfToken(found: FoundToken | undefined, failure: unknown): StaffKey {
    if (found === undefined && failure !== undefined) throw failure;
    const key = requireUsable(found && keys.findByDigest(found.keySha256), clock());
    if (!found?.isExpired) return key;
    throw new Problem('token_expired', 'Log in again for a new token.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  }
}
