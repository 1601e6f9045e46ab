import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { presentedKey } from '@rostergate/access/keys';
import { Problem } from '@rostergate/server/problem';
import type { Account, AccountStore, NewToken, StoredToken } from './account-store.ts';

export interface AccessTokens {
  /**
   * Stores a new token by its digest and returns it; undefined when the account has changed since it was read. `mark`
   * is `markOf` the address of the login.
   */
  issue(stored: NewToken['stored'], mark: string): Promise<string | undefined>;
  /** Returns the account of a token; `expired` for an expired token, undefined for an unknown one. */
  find(token: string): Promise<Account | 'expired' | undefined>;
  readonly lifetimeS: number;
}

export interface AccessTokensOptions {
  readonly store: Pick<AccountStore, 'saveToken' | 'findToken'>;
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly lifetimeS?: number;
}

/** How long a token is cached: a disabled account loses access within this time. */
const rememberMs = 5_000;
const rememberedMax = 10_000;

interface Remembered extends StoredToken {
  readonly untilMs: number;
}

/** Opaque bearer tokens (RFC 6750). They stay valid across restarts, because the database stores them. */
export function createAccessTokens({
  store,
  clock,
  randomBytes,
  lifetimeS = 3_600,
}: AccessTokensOptions): AccessTokens {
  const remembered = new Map<string, Remembered>();

  async function load(digest: string, nowMs: number): Promise<StoredToken | undefined> {
    const found = await store.findToken(digest);
    if (found === undefined) return undefined;
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(digest, { ...found, untilMs: nowMs + rememberMs });
    return found;
  }

  return {
    lifetimeS,
    async issue(stored, mark) {
      const token = randomBytes(32).toString('base64url');
      // The column stores whole milliseconds.
      const nowMs = Math.floor(clock());
      const expiresAtMs = nowMs + lifetimeS * 1_000;
      const isSaved = await store.saveToken({ digest: digestOf(token), stored, expiresAtMs, nowMs, mark });
      return isSaved ? token : undefined;
    },
    async find(token) {
      const digest = digestOf(token);
      const nowMs = clock();
      const known = remembered.get(digest);
      const found = known !== undefined && known.untilMs > nowMs ? known : await load(digest, nowMs);
      if (found === undefined) return undefined;
      return found.expiresAtMs > nowMs ? found.account : 'expired';
    },
  };
}

function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Returns a function that identifies the caller by the bearer token of a login, with the scheme in any letter case (RFC
 * 6750).
 * @throws Problem 401 `token_invalid`, `token_expired` or `key_repeated`
 */
export function createAuthenticate(
  tokens: Pick<AccessTokens, 'find'>,
): (context: { readonly req: Pick<IncomingMessage, 'rawHeaders'> }) => null | Promise<Account> {
  return ({ req }) => {
    const token = presentedKey(req, { schemes: ['bearer'] });
    return token === null ? null : accountOf(token);
  };

  async function accountOf(token: string): Promise<Account> {
    const found = await tokens.find(token);
    if (found === undefined) throw unauthorized('token_invalid', 'Send a token that POST /v2/login returned.');
    if (found === 'expired') throw unauthorized('token_expired', 'Log in again for a new token.');
    return found;
  }
}

function unauthorized(code: 'token_invalid' | 'token_expired', detail: string): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}
