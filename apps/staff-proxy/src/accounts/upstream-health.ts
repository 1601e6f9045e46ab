import type { DependencyStatus } from '@rostergate/runtime/lifecycle';
import type { StandingAccount } from './account-registry.ts';

/** What readiness says of the service accounts: of each, and the worst only when it holds of all. */
export function createAccountsHealth(accounts: ReadonlyMap<string, StandingAccount>): () => DependencyStatus {
  return () => {
    const found = [...accounts].map(([name, account]) => [name, statusOf(account)] as const);
    const all = new Set(found.map(([, { status }]) => status));
    const status = all.size === 1 ? ([...all][0] as DependencyStatus['status']) : all.size === 0 ? 'ready' : 'degraded';
    return { status, accounts: Object.fromEntries(found) };
  };
}

function statusOf({ session, gate, breaker }: StandingAccount): DependencyStatus {
  if (session.state === 'refused') {
    // Whoever takes an unready server out sends it nothing more: then this alone finds out that it is well again.
    askAgain(session);
    return { status: 'unavailable', reason: 'The upstream refused its e-mail and password.' };
  }
  if (breaker === 'unavailable') {
    return { status: 'unavailable', reason: 'The upstream has failed too often and is given a rest.' };
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

/** At the session's own slow pace. */
async function askAgain(session: StandingAccount['session']): Promise<void> {
  try {
    await session.token();
  } catch {
    // What became of it shows in the state.
  }
}
