import type { IncomingMessage } from 'node:http';
import { Problem } from '@rostergate/server/problem';
import type { KeyRecord, Keyring } from './keyring.ts';

export interface KeyAuthenticatorOptions<R extends KeyRecord, P> {
  /** Returns the current keys. Called once for each request, so that a reload takes effect at once. */
  readonly keyring: () => Keyring<R>;
  readonly createPrincipal: (record: R) => P;
  readonly clock: () => number;
}

/** The members of a request that hold a key. Without a socket, nothing is cached for its connection. */
export type Presenting = Pick<IncomingMessage, 'rawHeaders'> & Partial<Pick<IncomingMessage, 'socket'>>;

/**
 * Returns the contract's `authenticate` for keys: the principal of the key, or null for a request without one.
 * @throws Problem `key_invalid`, `key_revoked`, `key_expired` or `key_repeated`, each 401
 */
export function createKeyAuthenticator<R extends KeyRecord, P>(
  options: KeyAuthenticatorOptions<R, P>,
): (context: { readonly req: Presenting }) => P | null {
  const { keyring, createPrincipal, clock } = options;
  // One principal for each record, so that a request creates none.
  const principals = new WeakMap<R, P>();
  return ({ req }) => {
    const key = presentedKey(req);
    if (key === null) return null;
    const record = requireUsable(keyring().find(key, req.socket), clock());
    let principal = principals.get(record);
    if (principal === undefined) {
      principal = createPrincipal(record);
      principals.set(record, principal);
    }
    return principal;
  };
}

export type KeyScheme = 'x-api-key' | 'bearer';

const everyScheme: readonly KeyScheme[] = ['x-api-key', 'bearer'];

/**
 * Returns the key that a request presents in `X-API-Key` or `Authorization: Bearer` (RFC 6750 §2.1), never one from the
 * query. Null when there is none. An empty value is an invalid key, not an absent one.
 * @throws Problem `key_repeated` when a header is sent twice, or a key in two ways
 */
export function presentedKey(
  req: Pick<IncomingMessage, 'rawHeaders'>,
  { schemes = everyScheme }: { readonly schemes?: readonly KeyScheme[] } = {},
): string | null {
  const { rawHeaders } = req;
  let header: string | undefined;
  let authorization: string | undefined;
  // The raw list, because Node joins or drops repeated headers. Comparing lengths first avoids most comparisons.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      if (header !== undefined) throw repeated();
      header = rawHeaders[i + 1] as string;
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization !== undefined) throw repeated();
      authorization = rawHeaders[i + 1] as string;
    }
  }
  const key = header !== undefined && schemes.includes('x-api-key') ? header : null;
  const token = authorization !== undefined && schemes.includes('bearer') ? bearerToken(authorization) : null;
  if (key !== null && token !== null) throw repeated();
  const presented = key ?? token;
  // No key contains a comma, so a proxy has joined two headers.
  if (presented?.includes(',')) throw repeated();
  return presented;
}

/** Returns the token of `Bearer <token>`, the scheme in any case (RFC 9110 §11.1); null for other schemes. */
function bearerToken(authorization: string): string | null {
  const end = authorization.indexOf(' ');
  const scheme = end < 0 ? authorization : authorization.slice(0, end);
  if (scheme.length !== 6 || scheme.toLowerCase() !== 'bearer') return null;
  return end < 0 ? '' : authorization.slice(end + 1).trim();
}

function repeated(): Problem {
  return new Problem('key_repeated', 'Send one key or token, once and in one way.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/**
 * Returns the record of a key that is valid at `nowMs`.
 * @throws Problem `key_invalid`, `key_revoked` or `key_expired`
 */
export function requireUsable<R extends KeyRecord>(record: R | undefined, nowMs: number): R {
  if (record === undefined) throw rejection('key_invalid', 'Check the key for missing or mistyped characters.');
  const { revokedAtMs, expiresAtMs } = record;
  if (revokedAtMs !== undefined && revokedAtMs <= nowMs) {
    throw rejection('key_revoked', 'Ask the operator of this server for a new key.');
  }
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    throw rejection('key_expired', `The key expired at ${new Date(expiresAtMs).toISOString()}. Ask for a new one.`);
  }
  return record;
}

function rejection(code: 'key_invalid' | 'key_revoked' | 'key_expired', detail: string): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}
