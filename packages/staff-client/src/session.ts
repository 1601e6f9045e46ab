import type { LoginResponse } from '@rostergate/staff-spec';

/**
 * Returns a function that returns the token of an account. Concurrent calls share one login, which is repeated after nine
 * tenths of the token's lifetime, or when a server rejects the token. After a failed login the next call tries again.
 */
export function createSession(logIn: () => Promise<LoginResponse>): (rejected?: string) => Promise<string> {
  let session: Promise<string>;
  let token: string | undefined;
  let renewAt = 0;
  return (rejected) => {
    if (Date.now() > renewAt || (rejected && rejected === token)) {
      token = undefined;
      renewAt = Number.POSITIVE_INFINITY;
      session = logIn().then(
        ({ access_token, expires_in }) => {
          renewAt = Date.now() + Number(expires_in) * 900;
          token = access_token;
          return token;
        },
        (error) => {
          renewAt = 0;
          throw error;
        },
      );
    }
    return session;
  };
}
