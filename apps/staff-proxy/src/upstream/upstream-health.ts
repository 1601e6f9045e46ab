import type { DependencyStatus } from '@rostergate/runtime/lifecycle';

export interface UpstreamHealthOptions {
  readonly isReachable: () => Promise<boolean>;
  readonly clock: () => number;
  /** How long a finding stands: readiness may be asked often, by many. */
  readonly freshMs?: number;
}

/** What readiness says of the upstream; asks it at most once in `freshMs` however often readiness is asked. */
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
