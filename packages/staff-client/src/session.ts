import type { LoginResponse } from '@rostergate/staff-spec';

/**
 * The token of an account: one login however many calls wait for it, again when nine tenths of its time are over, or when
 * a server has refused it. A failed login fails those who wait for it, and the next call tries again.
 */
export function createSession(logIn: () => Promise<LoginResponse>): (refused?: string) => Promise<string> {
  let session: Promise<string>;
  let token: string | undefined;
  let renewAt = 0;
  return (refused) => {
    if (Date.now() > renewAt || (refused && refused === token)) {
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
