import type { DependencyStatus } from '@rostergate/server/lifecycle';
import type { AccountState } from './account-registry.ts';

export interface UpstreamHealthOptions {
  readonly isReachable: () => Promise<boolean>;
  readonly clock: () => number;
  /** How long a result is reused, as readiness may be polled often. */
  readonly freshMs?: number;
}

/** Returns the readiness check of the upstream, which asks it at most once in `freshMs`. */
export function createUpstreamHealth(options: UpstreamHealthOptions): () => Promise<DependencyStatus> {
  const { isReachable, clock, freshMs = 1_000 } = options;
  let found: { readonly status: Promise<DependencyStatus>; readonly untilMs: number } | undefined;

  async function ask(): Promise<DependencyStatus> {
    const isThere = await isReachable().catch(() => false);
    return isThere ? { status: 'ready' } : { status: 'unavailable', reason: 'The upstream does not answer.' };
  }

  return () => {
    const nowMs = clock();
    if (found === undefined || nowMs >= found.untilMs) found = { status: ask(), untilMs: nowMs + freshMs };
    return found.status;
  };
}

/** Returns the readiness check of the service accounts: each status, and their common one or else `degraded`. */
export function createAccountsHealth(accounts: ReadonlyMap<string, AccountState>): () => DependencyStatus {
  return () => {
    const found = [...accounts].map(([name, account]) => [name, statusOf(account)] as const);
    const all = new Set(found.map(([, { status }]) => status));
    const status = all.size === 1 ? ([...all][0] as DependencyStatus['status']) : all.size === 0 ? 'ready' : 'degraded';
    return { status, accounts: Object.fromEntries(found) };
  };
}

function statusOf({ session, gate, breaker }: AccountState): DependencyStatus {
  if (session.state === 'refused') {
    // A load balancer sends an unready server no requests, so only this check can notice that the account works again.
    tryLogin(session);
    return { status: 'unavailable', reason: 'The upstream rejected its e-mail and password.' };
  }
  if (breaker === 'unavailable') {
    return { status: 'unavailable', reason: 'Circuit open: the upstream has failed too often.' };
  }
  if (gate.heldMs > 0) {
    return { status: 'degraded', reason: `The upstream limits it for ${Math.ceil(gate.heldMs / 1_000)} s more.` };
  }
  if (breaker === 'degraded')
    return {
      status: 'degraded',
      reason: 'The upstream has failed too often: some requests are rejected until one succeeds.',
    };
  if (session.state === 'failed') return { status: 'degraded', reason: 'The last login at the upstream failed.' };
  return { status: 'ready' };
}

/** The session limits how often it logs in. */
async function tryLogin(session: AccountState['session']): Promise<void> {
  try {
    await session.token();
  } catch {
    // The session's state shows the outcome.
  }
}
