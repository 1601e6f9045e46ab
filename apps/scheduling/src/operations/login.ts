import type { IncomingMessage } from 'node:http';
import { addressKey } from '@rostergate/runtime/limits';
import { Problem } from '@rostergate/runtime/problem';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { Account } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { LoginThrottle } from '../accounts/login-throttle.ts';
import { createLoginTurns } from '../accounts/login-turns.ts';
import { hashPassword, verifyPassword } from '../accounts/password.ts';

export interface LoginOptions {
  readonly accounts: Pick<AccountStore, 'findByEmail'>;
  readonly tokens: AccessTokens;
  readonly throttle: LoginThrottle;
}

/** `POST /login`: a bearer token for an account. An unknown e-mail costs as long as a wrong password. */
export function createLogin({ accounts, tokens, throttle }: LoginOptions): StaffHandlers<Account>['login'] {
  const nobody = hashPassword('');
  const inTurn = createLoginTurns();

  async function findAccount({ email, password }: Credentials, req: IncomingMessage): Promise<Account> {
    throttle.admit(req, email);
    const stored = await accounts.findByEmail(email);
    const isRight = await verifyPassword(stored?.password ?? (await nobody), password);
    if (stored !== undefined && isRight) {
      throttle.recordSuccess(req, email);
      return stored.account;
    }
    throttle.recordFailure(req, email);
    throw new Problem('login_failed', 'Check the e-mail and the password of the account.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
      extensions: { error: 'access_denied', error_description: 'Invalid email or password' },
    });
  }

  return async ({ body }, { req }) => {
    const account = await inTurn(addressKey(req), () => findAccount(body, req));
    const access_token = await tokens.issue(account);
    // The vendor's clients read expires_in as text.
    return { status: 200, body: { access_token, token_type: 'bearer', expires_in: String(tokens.lifetimeS) } };
  };
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}
