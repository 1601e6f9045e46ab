import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/index.ts';
import type { KeyRecord, Keyring } from './keyring.ts';
import { type KeyScheme, presentedKey } from './presented-key.ts';

export interface KeyAuthenticatorOptions<R extends KeyRecord, P> {
  /** The keys of now: asked once for each request, so that a reload takes effect at once. */
  readonly keyring: () => Keyring<R>;
  readonly createPrincipal: (record: R) => P;
  readonly clock: () => number;
  readonly schemes?: readonly KeyScheme[];
}

/**
 * Makes the contract's `authenticate` for keys: null when none was presented.
 * @throws Problem `key_invalid`, `key_revoked`, `key_expired` or `key_repeated`, each 401.
 */
export function createKeyAuthenticator<R extends KeyRecord, P>(
  options: KeyAuthenticatorOptions<R, P>,
): (context: { readonly req: Presenting }) => P | null {
  const { keyring, createPrincipal, clock } = options;
  const where = options.schemes === undefined ? {} : { schemes: options.schemes };
  // One principal a record for as long as the record lives: nothing is built on the way of a request.
  const principals = new WeakMap<R, P>();
  return ({ req }) => {
    const key = presentedKey(req, where);
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

/** What is looked at of a request; without a socket nothing is remembered of its connection. */
export type Presenting = Pick<IncomingMessage, 'rawHeaders'> & Partial<Pick<IncomingMessage, 'socket'>>;

/** The record itself when its key opens something at `nowMs`; otherwise throws the 401 that says why not. */
export function requireUsable<R extends KeyRecord>(record: R | undefined, nowMs: number): R {
  if (record === undefined) throw refusal('key_invalid', 'Check the key for missing or mistyped characters.');
  const { revokedAtMs, expiresAtMs } = record;
  if (revokedAtMs !== undefined && revokedAtMs <= nowMs) {
    throw refusal('key_revoked', 'Ask the operator of this server for a new key.');
  }
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    throw refusal('key_expired', `The key ended at ${new Date(expiresAtMs).toISOString()}; ask for a new one.`);
  }
  return record;
}

function refusal(code: 'key_invalid' | 'key_revoked' | 'key_expired', detail: string): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}
