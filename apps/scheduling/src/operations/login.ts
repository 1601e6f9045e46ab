import type { IncomingMessage } from 'node:http';
import { addressKey } from '@rostergate/runtime/limits';
import { Problem } from '@rostergate/runtime/problem';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { Account } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { createAtMost } from '../accounts/at-most.ts';
import type { LoginThrottle } from '../accounts/login-throttle.ts';
import {
  createUnknownHash,
  hashPassword,
  isOutdated,
  type PasswordHash,
  passwordCost,
  type ScryptCost,
  verifyPassword,
} from '../accounts/password.ts';
import { createTurns } from '../turns.ts';

export interface LoginOptions {
  readonly accounts: Pick<AccountStore, 'findByEmail' | 'replaceHash'>;
  readonly tokens: AccessTokens;
  readonly throttle: LoginThrottle;
  /** What storing and checking a password costs. */
  readonly cost?: ScryptCost;
}

/** Each takes a thread and 128 MiB: more at once would leave neither to anything else. */
const checksAtOnce = 2;

/** `POST /login`: a bearer token for an account. An unknown e-mail costs as long as a wrong password. */
export function createLogin(options: LoginOptions): StaffHandlers<Account>['login'] {
  const { accounts, tokens, throttle, cost = passwordCost } = options;
  const nobody = createUnknownHash(cost);
  const atMost = createAtMost(checksAtOnce);
  const isPassword = (stored: PasswordHash, password: string) => atMost(() => verifyPassword(stored, password));
  // Each is admitted only once the failures before it have been counted: guesses sent at once are worth no more.
  const inTurn = createTurns();

  async function findAccount({ email, password }: Credentials, req: IncomingMessage): Promise<Account> {
    throttle.admit(req, email);
    const stored = await accounts.findByEmail(email);
    const isRight = await isPassword(stored?.password ?? nobody, password);
    if (stored !== undefined && isRight) {
      throttle.recordSuccess(req, email);
      if (isOutdated(stored.password, cost)) {
        const anew = await atMost(() => hashPassword(password, cost));
        await accounts.replaceHash(stored.account, stored.password, anew);
      }
      return stored.account;
    }
    // One that was stored at less cost is refused no sooner than the others.
    if (stored !== undefined && isOutdated(stored.password, cost)) await isPassword(nobody, password);
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
