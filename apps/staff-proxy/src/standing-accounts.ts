import type { UpstreamLease } from '@rostergate/runtime/upstream';
import { type AccountGate, createAccountGate, type GateBounds } from './account-gate.ts';
import type { AccountMetrics } from './account-metrics.ts';
import type { ServiceAccount } from './keys-file.ts';
import type { StaffUpstream } from './staff-upstream.ts';
import { createUpstreamSession, type UpstreamSession } from './upstream-session.ts';

/** What stands of each service account, and outlives the configurations that name it. */
export interface StandingAccounts extends Iterable<readonly [name: string, account: StandingAccount]> {
  /**
   * What stands of an account as long as e-mail, password and upstream are the same. From now on it is logged in
   * through the upstream given here, and its gate is as wide.
   */
  of(account: ServiceAccount, upstream: AccountUpstream, bounds: GateBounds): StandingAccount;
  /** Forgets every account but these. */
  keepOnly(accounts: ReadonlyMap<string, ServiceAccount>): void;
}

export interface StandingAccount {
  readonly session: UpstreamSession;
  readonly gate: AccountGate;
  /** Whether its breaker lets requests through. */
  readonly breaker: UpstreamLease['state'];
}

export interface AccountUpstream extends Pick<StaffUpstream, 'login'> {
  readonly lease: Pick<UpstreamLease, 'state'>;
  /** Where the login is good, such as the address of the API. */
  readonly place: string;
}

export interface StandingAccountsOptions {
  readonly clock: () => number;
  readonly metrics?: AccountMetrics | undefined;
}

interface Kept extends StandingAccount {
  readonly credentials: string;
  upstream: AccountUpstream;
}

export function createStandingAccounts({ clock, metrics }: StandingAccountsOptions): StandingAccounts {
  const accounts = new Map<string, Kept>();

  function open(account: ServiceAccount, upstream: AccountUpstream, credentials: string, bounds: GateBounds): Kept {
    const count = metrics?.of(account.name);
    const kept: Kept = {
      credentials,
      upstream,
      session: createUpstreamSession({ login: () => kept.upstream.login(account), clock, onLogin: count?.login }),
      gate: createAccountGate({
        ...bounds,
        clock,
        onRefused: count?.refusal,
        onWaited: count?.wait,
        onHeld: count?.limit,
      }),
      get breaker() {
        return kept.upstream.lease.state;
      },
    };
    accounts.set(account.name, kept);
    return kept;
  }

  return {
    of(account, upstream, bounds) {
      const credentials = JSON.stringify([account.email, account.password, upstream.place]);
      const known = accounts.get(account.name);
      if (known?.credentials !== credentials) return open(account, upstream, credentials, bounds);
      known.upstream = upstream;
      known.gate.resize(bounds);
      return known;
    },
    keepOnly(named) {
      for (const name of accounts.keys()) {
        if (named.has(name)) continue;
        accounts.delete(name);
        metrics?.forget(name);
      }
    },
    [Symbol.iterator]: () => accounts.entries(),
  };
}
