import type { Telemetry } from '@rostergate/server/telemetry';
import {
  createUpstreamSession,
  type LoginOutcome,
  type UpstreamLease,
  type UpstreamSession,
} from '@rostergate/upstream';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { sessionMessages } from '../upstream/login-messages.ts';
import type { StaffUpstream } from '../upstream/staff-upstream.ts';
import { type AccountGate, createAccountGate, type GateBounds } from './account-gate.ts';
import type { AccountMetrics } from './account-metrics.ts';

/** The sessions and gates of the service accounts, which outlive configurations. */
export interface AccountRegistry extends Iterable<readonly [name: string, account: AccountState]> {
  /**
   * Returns the current state of an account while e-mail, password and upstream are unchanged, or else a new one.
   * Changes nothing before `takeOver`.
   */
  of(account: ServiceAccount, reached: ReachedAccount): AccountState;
  /** Replaces all accounts by these, reached as their configuration says. */
  takeOver(accounts: ReadonlyMap<string, { readonly state: AccountState; readonly reached: ReachedAccount }>): void;
}

export interface AccountState {
  readonly session: UpstreamSession;
  readonly gate: AccountGate;
  /** Whether its breaker admits all requests, some or none. */
  readonly breaker: UpstreamLease['state'];
}

/** How a configuration reaches the upstream for an account. */
export interface ReachedAccount extends Pick<StaffUpstream, 'login'> {
  readonly lease: Pick<UpstreamLease, 'state'>;
  /** The address that the login is valid for. */
  readonly place: string;
  readonly bounds: GateBounds;
}

export interface AccountRegistryOptions {
  readonly clock: () => number;
  readonly metrics?: AccountMetrics | undefined;
  readonly log?: Pick<Telemetry['log'], 'info' | 'warn'> | undefined;
}

interface Entry extends AccountState {
  readonly credentials: string;
  reached: ReachedAccount;
}

export function createAccountRegistry({ clock, metrics, log }: AccountRegistryOptions): AccountRegistry {
  const accounts = new Map<string, Entry>();

  function create(account: ServiceAccount, reached: ReachedAccount, credentials: string): Entry {
    const { name } = account;
    const count = metrics?.of(name);
    let logged: LoginOutcome | undefined;
    const entry: Entry = {
      credentials,
      reached,
      session: createUpstreamSession({
        login: () => entry.reached.login(account),
        clock,
        messages: sessionMessages,
        onLogin(outcome) {
          count?.login(outcome);
          if (outcome === logged) return;
          logged = outcome;
          log?.[outcome === 'ok' ? 'info' : 'warn']({ account: name, outcome }, 'login at the upstream');
        },
      }),
      gate: createAccountGate({
        ...reached.bounds,
        clock,
        onRejected: count?.rejection,
        onWaited: count?.wait,
        onLimited: count?.limit,
        onHeld: (heldMs) => log?.warn({ account: name, held_ms: heldMs }, 'limited by the upstream'),
      }),
      get breaker() {
        return entry.reached.lease.state;
      },
    };
    return entry;
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
      for (const [name, { state, reached }] of next) {
        const entry = state as Entry;
        entry.reached = reached;
        entry.gate.resize(reached.bounds);
        accounts.set(name, entry);
        metrics?.begin(name);
      }
    },
    [Symbol.iterator]: () => accounts.entries(),
  };
}
