import { Problem } from '@rostergate/runtime/problem';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { Account } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { LoginThrottle } from '../accounts/login-throttle.ts';
import { hashPassword, verifyPassword } from '../accounts/password.ts';

export interface LoginOptions {
  readonly accounts: Pick<AccountStore, 'findByEmail'>;
  readonly tokens: AccessTokens;
  readonly throttle: LoginThrottle;
}

/** `POST /login`: a bearer token for an account. An unknown e-mail costs as long as a wrong password. */
export function createLogin({ accounts, tokens, throttle }: LoginOptions): StaffHandlers<Account>['login'] {
  const nobody = hashPassword('');
  return async ({ body: { email, password } }, { req }) => {
    throttle.admit(req, email);
    const stored = await accounts.findByEmail(email);
    const isRight = await verifyPassword(stored?.password ?? (await nobody), password);
    if (stored === undefined || !isRight) {
      throttle.recordFailure(req, email);
      throw new Problem('login_failed', 'Check the e-mail and the password of the account.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
        extensions: { error: 'access_denied', error_description: 'Invalid email or password' },
      });
    }
    const access_token = await tokens.issue(stored.account);
    // The vendor's clients read expires_in as text.
    return { status: 200, body: { access_token, token_type: 'bearer', expires_in: String(tokens.lifetimeS) } };
  };
}
