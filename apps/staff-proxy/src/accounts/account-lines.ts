import { createHash } from 'node:crypto';
import type { DependencyStatus } from '@rostergate/runtime/lifecycle';
import type { UpstreamLease, UpstreamRegistry } from '@rostergate/runtime/upstream';
import { type AnswerChecks, withAnswerChecks } from '../checks/response-checks.ts';
import type { HiddenParts } from '../hidden/hidden-parts.ts';
import { withHiddenParts } from '../hidden/with-hidden-parts.ts';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { createKeptAnswers } from '../reads/stored-replies.ts';
import { withSharedReads } from '../reads/shared-reads.ts';
import type { StandingReads } from '../reads/read-state.ts';
import { connectionOptions, type Settings } from '../settings.ts';
import type { SendCall } from '../staff-call.ts';
import { createStaffUpstream } from '../upstream/staff-upstream.ts';
import type { UpstreamForm } from '../upstream/upstream-form.ts';
import { createUpstreamHealth } from '../upstream/upstream-health.ts';
import { createAccountLine } from './account-line.ts';
import { createAccountsHealth } from './upstream-health.ts';
import type { ReachedAccount, StandingAccount, StandingAccounts } from './account-registry.ts';

export interface AccountLines {
  /** What answers the calls of an account, by its name. */
  readonly sendOf: ReadonlyMap<string, SendCall>;
  /** Whether the upstream is there; asks it. */
  readonly upstreamStatus: () => Promise<DependencyStatus>;
  /** How each account stands with it; asks nobody. */
  readonly accountsStatus: () => DependencyStatus;
  /** From now on logins go this way, and gates are as wide as this configuration says. */
  readonly takeOver: () => void;
  /** Gives connections and breakers back; a request that still comes is answered all the same. */
  readonly close: () => void;
}

export interface AccountLinesOptions {
  readonly settings: Settings;
  readonly accounts: ReadonlyMap<string, ServiceAccount>;
  /** Where the upstream's operations stand here. */
  readonly ownBase: string;
  /** What accounts that are not `admin` show to no key. */
  readonly hidden: HiddenParts;
  /** What the upstream speaks. */
  readonly form: UpstreamForm;
  readonly upstreams: UpstreamRegistry;
  readonly standing: StandingAccounts;
  readonly checks: AnswerChecks;
  readonly reads: StandingReads;
  readonly clock: () => number;
}

/** For each service account a chain: shared reads, checks of answers, what is hidden, the account's line, the upstream. */
export function createAccountLines(options: AccountLinesOptions): AccountLines {
  const { settings, accounts, ownBase, hidden, form, upstreams, standing, checks, reads, clock } = options;
  const { upstream_url: baseUrl, upstream_timeout_ms: timeoutMs, upstream_retries: retries } = settings;
  const targets = [baseUrl.origin];
  const connections = connectionOptions(settings);
  const bounds = { concurrencyMax: settings.upstream_concurrency_max, queueMax: settings.upstream_queue_max };
  const reach = ({ send }: UpstreamLease) =>
    createStaffUpstream({ request: send, baseUrl, ownBase, form, timeoutMs, clock });
  const probing = upstreams.lease({ targets, connections, timeoutMs: probeTimeoutMs, retries: 0, isUnbroken: true });
  const probe = reach(probing);
  const leases = [probing];
  const sendOf = new Map<string, SendCall>();
  const named = new Map<string, { readonly stands: StandingAccount; readonly reached: ReachedAccount }>();
  const leased =
    settings.cache_seconds_max === 0
      ? undefined
      : reads.lease(storedKeyOf(settings, accounts), () =>
          createKeptAnswers({
            secondsMax: settings.cache_seconds_max,
            bytesMax: settings.cache_bytes_max,
            clock,
            onGrown: reads.metrics.grow,
          }),
        );
  for (const [name, account] of accounts) {
    const lease = upstreams.lease({ targets, connections, timeoutMs, retries, scope: name, relaysLimits: true });
    leases.push(lease);
    const upstream = reach(lease);
    const reached = { login: upstream.login, place: baseUrl.href, lease, bounds };
    const stands = standing.of(account, reached);
    named.set(name, { stands, reached });
    const line = createAccountLine({ upstream, session: stands.session, gate: stands.gate, timeoutMs, retries, clock });
    const checked = withAnswerChecks(account.isAdmin ? line : withHiddenParts(line, hidden), {
      mode: settings.validate_responses,
      sampleEvery: settings.validate_sample_every,
      upstream: `${settings.upstream_form} ${baseUrl.href}`,
      account: name,
      timeoutMs,
      clock,
      checks,
    });
    sendOf.set(
      name,
      withSharedReads(checked, {
        account: name,
        changes: reads.changes,
        kept: leased?.kept,
        clock,
        onRead: reads.metrics.count,
      }),
    );
  }
  return {
    sendOf,
    upstreamStatus: createUpstreamHealth({ isReachable: probe.isReachable, clock }),
    accountsStatus: createAccountsHealth(new Map([...named].map(([name, { stands }]) => [name, stands]))),
    takeOver: () => standing.takeOver(named),
    close() {
      leased?.release();
      for (const { release } of leases) release();
    },
  };
}

/** All that stored responses depend on: an edit of anything else, such as keys, leaves them. Holds no password. */
function storedKeyOf(settings: Settings, accounts: ReadonlyMap<string, ServiceAccount>): string {
  const { cache_seconds_max, cache_bytes_max, upstream_url, upstream_form, validate_responses } = settings;
  const parts = [cache_seconds_max, cache_bytes_max, upstream_url.href, upstream_form, validate_responses];
  return createHash('sha256')
    .update(JSON.stringify([...parts, ...accounts.values()]))
    .digest('hex');
}

/** Readiness is to know within two seconds. */
const probeTimeoutMs = 1_000;
