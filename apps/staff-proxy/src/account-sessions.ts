import type { ServiceAccount } from './keys-file.ts';
import type { StaffUpstream } from './staff-upstream.ts';
import { createUpstreamSession, type UpstreamSession } from './upstream-session.ts';

/** The standing logins of all service accounts, which outlive the configurations that name them. */
export interface AccountSessions {
  /**
   * The login of an account: the one that stands already as long as e-mail, password and upstream are the same. From now
   * on it is renewed through the upstream given here.
   */
  of(account: ServiceAccount, upstream: LoginPlace): UpstreamSession;
  /** Forgets every account but these. */
  keepOnly(accounts: ReadonlyMap<string, ServiceAccount>): void;
}

export interface LoginPlace extends Pick<StaffUpstream, 'login'> {
  /** Where the login is good, such as the address of the API. */
  readonly place: string;
}

export interface AccountSessionsOptions {
  readonly clock: () => number;
}

interface Kept {
  readonly credentials: string;
  readonly session: UpstreamSession;
  upstream: LoginPlace;
}

export function createAccountSessions({ clock }: AccountSessionsOptions): AccountSessions {
  const sessions = new Map<string, Kept>();

  function open(account: ServiceAccount, upstream: LoginPlace, credentials: string): Kept {
    const session = createUpstreamSession({ login: () => kept.upstream.login(account), clock });
    const kept: Kept = { credentials, session, upstream };
    sessions.set(account.name, kept);
    return kept;
  }

  return {
    of(account, upstream) {
      const credentials = JSON.stringify([account.email, account.password, upstream.place]);
      const known = sessions.get(account.name);
      if (known?.credentials !== credentials) return open(account, upstream, credentials).session;
      known.upstream = upstream;
      return known.session;
    },
    keepOnly(accounts) {
      for (const name of sessions.keys()) if (!accounts.has(name)) sessions.delete(name);
    },
  };
}
