import { createHash } from 'node:crypto';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import type { UpstreamLease, UpstreamRegistry } from '@rostergate/upstream';
import { type ResponseChecks, withResponseChecks } from '../checks/response-checks.ts';
import { type HiddenParts, withHiddenParts } from '../hidden/hidden-parts.ts';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { createPassThroughUpstream, type SendPassThrough } from '../pass-through/pass-through-sender.ts';
import type { ReadState } from '../reads/read-state.ts';
import { withSharedReads } from '../reads/shared-reads.ts';
import { createStoredReplies } from '../reads/stored-replies.ts';
import { connectionOptions, type Settings } from '../settings.ts';
import type { SendCall } from '../staff-call.ts';
import { createLocationRewriter, createStaffUpstream, type UpstreamForm } from '../upstream/staff-upstream.ts';
import type { AccountRegistry, AccountState, ReachedAccount } from './account-registry.ts';
import { createAccountSender } from './account-sender.ts';
import { createAccountsHealth, createUpstreamHealth } from './upstream-health.ts';

export interface AccountChains {
  /** The functions that answer calls, by the name of the account. */
  readonly sendOf: ReadonlyMap<string, SendCall>;
  /** The functions that send requests beyond the contract, by the name of the account; none without the setting. */
  readonly passThroughOf: ReadonlyMap<string, SendPassThrough>;
  /** Probes the upstream. */
  readonly upstreamStatus: () => Promise<DependencyStatus>;
  /** Reports the state of each account. */
  readonly accountsStatus: () => DependencyStatus;
  /** Applies this configuration to the accounts that outlive it. */
  readonly takeOver: () => void;
  /** Releases connections and breakers; later requests are still answered. */
  readonly close: () => void;
}

export interface AccountChainsOptions {
  readonly settings: Settings;
  readonly accounts: ReadonlyMap<string, ServiceAccount>;
  /** Base path of the upstream's operations at this proxy. */
  readonly ownBase: string;
  /** Hidden from keys of accounts that are not `admin`. */
  readonly hidden: HiddenParts;
  readonly form: UpstreamForm;
  readonly upstreams: UpstreamRegistry;
  readonly registry: AccountRegistry;
  readonly checks: ResponseChecks;
  readonly reads: ReadState;
  readonly clock: () => number;
}

/** Builds the chain of each account: shared reads, response checks, hidden parts, the account's sender, the upstream. */
export function createAccountChains(options: AccountChainsOptions): AccountChains {
  const { settings, accounts, ownBase, hidden, form, upstreams, registry, checks, reads, clock } = options;
  const { upstream_url: baseUrl, upstream_timeout_ms: timeoutMs, upstream_retries: retries } = settings;
  const targets = [baseUrl.origin];
  const connections = connectionOptions(settings);
  const bounds = { concurrencyMax: settings.upstream_concurrency_max, queueMax: settings.upstream_queue_max };
  const reach = ({ send }: UpstreamLease) =>
    createStaffUpstream({ request: send, baseUrl, ownBase, form, timeoutMs, clock });
  const probing = upstreams.lease({ targets, connections, timeoutMs: probeTimeoutMs, retries: 0, hasNoBreaker: true });
  const probe = reach(probing);
  const leases = [probing];
  const sendOf = new Map<string, SendCall>();
  const passThroughOf = new Map<string, SendPassThrough>();
  const named = new Map<string, { readonly state: AccountState; readonly reached: ReachedAccount }>();
  const leased =
    settings.cache_seconds_max === 0
      ? undefined
      : reads.lease(storedKeyOf(settings, accounts), () =>
          createStoredReplies({
            secondsMax: settings.cache_seconds_max,
            bytesMax: settings.cache_bytes_max,
            clock,
            onGrown: reads.metrics.grow,
          }),
        );
  for (const [name, account] of accounts) {
    const lease = upstreams.lease({ targets, connections, timeoutMs, retries, scope: name, returnsLimits: true });
    leases.push(lease);
    const upstream = reach(lease);
    const reached = { login: upstream.login, place: baseUrl.href, lease, bounds };
    const state = registry.of(account, reached);
    named.set(name, { state, reached });
    const turns = { session: state.session, gate: state.gate, timeoutMs, retries, clock };
    const sender = createAccountSender({ upstream, ...turns });
    if (settings.pass_through.length > 0) {
      const rewriteLocation = createLocationRewriter(baseUrl, ownBase);
      const beyond = createPassThroughUpstream({ request: lease.send, baseUrl, ownBase, rewriteLocation, clock });
      const send = createAccountSender({ upstream: beyond, ...turns });
      passThroughOf.set(name, (call, caller) =>
        call.operation.method === 'get'
          ? send(call, caller)
          : reads.changes.during(name, call.companyKey, () => send(call, caller)),
      );
    }
    const checked = withResponseChecks(account.isAdmin ? sender : withHiddenParts(sender, hidden), {
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
        stored: leased?.stored,
        timeoutMs,
        clock,
        onRead: reads.metrics.count,
      }),
    );
  }
  return {
    sendOf,
    passThroughOf,
    upstreamStatus: createUpstreamHealth({ isReachable: probe.isReachable, clock }),
    accountsStatus: createAccountsHealth(new Map([...named].map(([name, { state }]) => [name, state]))),
    takeOver: () => registry.takeOver(named),
    close() {
      leased?.release();
      for (const { release } of leases) release();
    },
  };
}

/** Returns a digest of all that stored responses depend on: a change of keys keeps them. Contains no password. */
function storedKeyOf(settings: Settings, accounts: ReadonlyMap<string, ServiceAccount>): string {
  const { cache_seconds_max, cache_bytes_max, upstream_url, upstream_form, validate_responses } = settings;
  const parts = [cache_seconds_max, cache_bytes_max, upstream_url.href, upstream_form, validate_responses];
  return createHash('sha256')
    .update(JSON.stringify([...parts, ...accounts.values()]))
    .digest('hex');
}

/** Readiness must respond within two seconds. */
const probeTimeoutMs = 1_000;
