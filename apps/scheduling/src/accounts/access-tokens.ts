import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { presentedKey } from '@rostergate/runtime/keys';
import { Problem } from '@rostergate/runtime/problem';
import type { Account, AccountStore, NewToken, StoredToken } from './account-store.ts';

export interface AccessTokens {
  /**
   * A new token, valid for `lifetimeS` seconds and stored by its digest alone; undefined where the account has changed
   * since it was read. `mark` is the address of the login, by `markOf`.
   */
  issue(stored: NewToken['stored'], mark: string): Promise<string | undefined>;
  /** The account behind a token; `expired` for one that was good, undefined for one never given. */
  find(token: string): Promise<Account | 'expired' | undefined>;
  readonly lifetimeS: number;
}

export interface AccessTokensOptions {
  readonly store: Pick<AccountStore, 'saveToken' | 'findToken'>;
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly lifetimeS?: number;
}

/** How long a token is believed without asking the store again: an account that is disabled ends within it. */
const rememberMs = 5_000;
const rememberedMax = 10_000;

interface Remembered extends StoredToken {
  readonly untilMs: number;
}

/** Opaque bearer tokens (RFC 6750). They outlive a restart, since they stand in the database. */
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
      // Whole milliseconds: that is what the column holds.
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
 * Who calls, by the bearer token of a login; the scheme in any letter case (RFC 6750).
 * @throws Problem 401 `token_invalid`, `token_expired` or `key_repeated`.
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
    if (found === undefined) throw refusal('token_invalid', 'Send a token that POST /v2/login has given you.');
    if (found === 'expired') throw refusal('token_expired', 'Log in again for a new token.');
    return found;
  }
}

function refusal(code: 'token_invalid' | 'token_expired', detail: string): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}
