import type { IncomingMessage } from 'node:http';
import { addressKey } from '@rostergate/access/limits';
import { Problem } from '@rostergate/server/problem';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { Account, AccountStore, StoredAccount } from '../accounts/account-store.ts';
import { createLoginQueue } from '../accounts/login-queue.ts';
import { markOf } from '../accounts/login-records.ts';
import type { LoginThrottle } from '../accounts/login-throttle.ts';
import {
  createUnknownHash,
  hashPassword,
  isOutdated,
  passwordCost,
  type ScryptCost,
  verifyPassword,
} from '../accounts/password.ts';

export interface LoginOptions {
  readonly accounts: Pick<AccountStore, 'findByEmail' | 'replaceHash'>;
  readonly tokens: AccessTokens;
  readonly throttle: LoginThrottle;
  readonly cost?: ScryptCost;
}

/** Handles `POST /login`: a bearer token for an account. An unknown e-mail takes as long as a wrong password. */
export function createLogin(options: LoginOptions): StaffHandlers<Account>['login'] {
  const { accounts, tokens, throttle, cost = passwordCost } = options;
  const unknownHash = createUnknownHash(cost);
  const inTurn = createLoginQueue();

  async function checkPassword({ email, password }: Credentials, req: IncomingMessage): Promise<StoredAccount> {
    await throttle.admit(req, email);
    const stored = await accounts.findByEmail(email);
    const isRight = await verifyPassword(stored?.password ?? unknownHash, password);
    if (stored !== undefined && isRight) {
      if (isOutdated(stored.password, cost)) {
        const newHash = await hashPassword(password, cost);
        await accounts.replaceHash(stored.account, stored.password, newHash);
      }
      return stored;
    }
    // A hash with a lower cost is rejected no sooner than the others.
    if (stored !== undefined && isOutdated(stored.password, cost)) await verifyPassword(unknownHash, password);
    throttle.recordFailure(req, email);
    throw loginFailed();
  }

  return async ({ body }, { req, call }) => {
    const address = addressKey(req);
    const stored = await inTurn({ address, email: body.email.toLowerCase(), call }, () => checkPassword(body, req));
    const access_token = await tokens.issue(stored, markOf(body.email, address));
    // The account was changed or disabled while its password was checked.
    if (access_token === undefined) throw loginFailed();
    // The vendor's clients read expires_in as text.
    return { status: 200, body: { access_token, token_type: 'bearer', expires_in: String(tokens.lifetimeS) } };
  };
}

function loginFailed(): Problem {
  return new Problem('login_failed', 'Check the e-mail and the password of the account.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extensions: { error: 'access_denied', error_description: 'Invalid email or password' },
  });
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}
