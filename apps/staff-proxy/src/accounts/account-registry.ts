import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { UpstreamLease } from '@rostergate/runtime/upstream';
import type { ServiceAccount } from '../keys/keys-file.ts';
import type { StaffUpstream } from '../upstream/staff-upstream.ts';
import { type AccountGate, createAccountGate, type GateBounds } from './account-gate.ts';
import type { AccountMetrics } from './account-metrics.ts';
import { createUpstreamSession, type LoginOutcome, type UpstreamSession } from './upstream-session.ts';

/** What stands of each service account, and outlives the configurations that name it. */
export interface StandingAccounts extends Iterable<readonly [name: string, account: StandingAccount]> {
  /**
   * What stands of an account as long as e-mail, password and upstream are the same, or else what may come to stand.
   * Nothing changes before the configuration that asks takes over.
   */
  of(account: ServiceAccount, reached: ReachedAccount): StandingAccount;
  /** From now on these accounts stand, reached as their configuration says, and all others are forgotten. */
  takeOver(accounts: ReadonlyMap<string, { readonly stands: StandingAccount; readonly reached: ReachedAccount }>): void;
}

export interface StandingAccount {
  readonly session: UpstreamSession;
  readonly gate: AccountGate;
  /** Whether its breaker lets all requests through, some or none. */
  readonly breaker: UpstreamLease['state'];
}

/** How a configuration reaches the upstream for an account. */
export interface ReachedAccount extends Pick<StaffUpstream, 'login'> {
  readonly lease: Pick<UpstreamLease, 'state'>;
  /** Where the login is good, such as the address of the API. */
  readonly place: string;
  readonly bounds: GateBounds;
}

export interface StandingAccountsOptions {
  readonly clock: () => number;
  readonly metrics?: AccountMetrics | undefined;
  readonly log?: Pick<Telemetry['log'], 'info' | 'warn'> | undefined;
}

interface Kept extends StandingAccount {
  readonly credentials: string;
  reached: ReachedAccount;
}

export function createStandingAccounts({ clock, metrics, log }: StandingAccountsOptions): StandingAccounts {
  const accounts = new Map<string, Kept>();

  function create(account: ServiceAccount, reached: ReachedAccount, credentials: string): Kept {
    const { name } = account;
    const count = metrics?.of(name);
    let told: LoginOutcome | undefined;
    const kept: Kept = {
      credentials,
      reached,
      session: createUpstreamSession({
        login: () => kept.reached.login(account),
        clock,
        onLogin(outcome) {
          count?.login(outcome);
          if (outcome === told) return;
          told = outcome;
          log?.[outcome === 'ok' ? 'info' : 'warn']({ account: name, outcome }, 'login at the upstream');
        },
      }),
      gate: createAccountGate({
        ...reached.bounds,
        clock,
        onRefused: count?.refusal,
        onWaited: count?.wait,
        onLimited: count?.limit,
        onHeld: (heldMs) => log?.warn({ account: name, held_ms: heldMs }, 'limited by the upstream'),
      }),
      get breaker() {
        return kept.reached.lease.state;
      },
    };
    return kept;
  }

  return {
    of(account, reached) {
      const credentials = JSON.stringify([account.email, account.password, reached.place]);
      const known = accounts.get(account.name);
      return known?.credentials === credentials ? known : create(account, reached, credentials);
    },
    takeOver(next) {
      for (const name of accounts.keys()) if (!next.has(name)) metrics?.forget(name);
      accounts.clear();
      for (const [name, { stands, reached }] of next) {
        const kept = stands as Kept;
        kept.reached = reached;
        kept.gate.resize(reached.bounds);
        accounts.set(name, kept);
        metrics?.begin(name);
      }
    },
    [Symbol.iterator]: () => accounts.entries(),
  };
}
