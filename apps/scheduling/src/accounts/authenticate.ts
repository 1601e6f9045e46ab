import type { IncomingMessage } from 'node:http';
import { presentedKey } from '@rostergate/runtime/keys';
import { Problem } from '@rostergate/runtime/problem';
import type { AccessTokens } from './access-tokens.ts';
import type { Account } from './account.ts';

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
