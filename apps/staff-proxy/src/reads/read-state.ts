import { Problem } from '@rostergate/server/problem';
import { createTallyCounter } from '@rostergate/server/telemetry';
import { Gauge, type Registry } from 'prom-client';
import { UpstreamUnavailable } from '../upstream/upstream-problem.ts';
import type { StoredReplies } from './stored-replies.ts';

/** The state of reads that outlives configurations: writes, metrics and stored responses. */
export interface ReadState {
  readonly changes: CompanyChanges;
  readonly metrics: ReadMetrics;
  /**
   * Returns the stored responses of the current configuration when `key`, all that responses depend on, is the same,
   * and new ones otherwise. They are closed when the last configuration that uses them releases them.
   */
  lease(key: string, create: () => StoredReplies): LeasedReplies;
}

export interface LeasedReplies {
  readonly stored: StoredReplies;
  release(): void;
}

/** `clock`: monotonic milliseconds. */
export function createReadState(clock: () => number, registry: Registry): ReadState {
  let current: { readonly key: string; readonly stored: StoredReplies; users: number } | undefined;

  function lease(key: string, create: () => StoredReplies): LeasedReplies {
    const leased = current?.key === key ? current : { key, stored: create(), users: 0 };
    leased.users++;
    current = leased;
    return {
      stored: leased.stored,
      release() {
        leased.users--;
        if (leased.users > 0) return;
        leased.stored.close();
        if (current === leased) current = undefined;
      },
    };
  }

  return { changes: createCompanyChanges(clock), metrics: createReadMetrics(registry), lease };
}

/**
 * Where the response to a read came from: the proxy's store (`kept`), an identical read in flight (`shared`) or the
 * upstream (`sent`); `resumed`: sent again for a reader that fell too far behind.
 */
export type ReadOutcome = 'kept' | 'shared' | 'sent' | 'resumed';

export interface ReadMetrics {
  readonly count: (outcome: ReadOutcome) => void;
  /** The size of the stored responses has grown by `bytes`. */
  readonly grow: (bytes: number) => void;
}

function createReadMetrics(registry: Registry): ReadMetrics {
  const reads = createTallyCounter({
    name: 'upstream_reads_total',
    help: 'Reads by where their response came from: kept, shared with an identical one in flight, sent to the upstream, or sent again for a slow reader.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const storedBytes = new Gauge({
    name: 'upstream_reads_kept_bytes',
    help: 'Size of the stored responses in bytes.',
    registers: [registry],
  });
  const of = (outcome: ReadOutcome) => reads.of({ outcome });
  const counters = { kept: of('kept'), shared: of('shared'), sent: of('sent'), resumed: of('resumed') };
  return { count: (outcome) => counters[outcome].inc(), grow: (bytes) => storedBytes.inc(bytes) };
}

/** Tracks writes through the proxy: a response read before a write must not be used for a request after it. */
export interface CompanyChanges {
  /** Returns a number that changes when a write of this account or in this company begins or ends. */
  stampOf(account: string, companyKey: string): number;
  /** Whether a read may be stored: nothing was written since it began, and no earlier write may still take effect. */
  isSettled(account: string, companyKey: string, read: BegunRead): boolean;
  /** Sends a write, and tracks it until its outcome is known. */
  during<T>(account: string, companyKey: string, send: () => Promise<T>): Promise<T>;
}

export interface BegunRead {
  readonly stamp: number;
  readonly startedMs: number;
}

/** How long a write without a response may still take effect at the upstream. */
const lateMs = 30_000;

interface Scope {
  stamp: number;
  writing: number;
  settledFromMs: number;
}

/** `clock`: monotonic milliseconds. */
export function createCompanyChanges(clock: () => number): CompanyChanges {
  // Bounded by the accounts and companies in the keys files since the start.
  const accounts = new Map<string, Scope>();
  const companies = new Map<string, Scope>();
  /** By the company key as written, which saves lowercasing it for each read. */
  const companiesAsWritten = new Map<string, Scope>();

  function scopeIn(scopes: Map<string, Scope>, name: string): Scope {
    let scope = scopes.get(name);
    if (scope === undefined) {
      scope = { stamp: 0, writing: 0, settledFromMs: Number.NEGATIVE_INFINITY };
      scopes.set(name, scope);
    }
    return scope;
  }

  // An account may reach several companies, and a company may have several accounts.
  const ofAccount = (account: string) => scopeIn(accounts, account);

  /** Case-insensitive, as some upstreams are; invalidating too much does no harm. */
  function ofCompany(companyKey: string): Scope {
    let scope = companiesAsWritten.get(companyKey);
    if (scope === undefined) {
      scope = scopeIn(companies, companyKey.toLowerCase());
      companiesAsWritten.set(companyKey, scope);
    }
    return scope;
  }

  return {
    stampOf: (account, companyKey) => ofAccount(account).stamp + ofCompany(companyKey).stamp,
    isSettled(account, companyKey, { stamp, startedMs }) {
      const [a, b] = [ofAccount(account), ofCompany(companyKey)];
      const isSettledIn = ({ writing, settledFromMs }: Scope) => writing === 0 && startedMs >= settledFromMs;
      return a.stamp + b.stamp === stamp && isSettledIn(a) && isSettledIn(b);
    },
    async during(account, companyKey, send) {
      const changed = [ofAccount(account), ofCompany(companyKey)];
      for (const scope of changed) {
        scope.stamp++;
        scope.writing++;
      }
      let mayTakeEffect = false;
      try {
        return await send();
      } catch (error) {
        mayTakeEffect = !isRejection(error) && !wasNotSent(error);
        throw error;
      } finally {
        for (const scope of changed) {
          scope.stamp++;
          scope.writing--;
          if (mayTakeEffect) scope.settledFromMs = clock() + lateMs;
        }
      }
    },
  };
}

/** The upstream rejected the write, so nothing has changed. */
function isRejection(error: unknown): boolean {
  return error instanceof Problem && error.status < 500;
}

/** Whether this proxy's gate or the upstream's limit rejected the call. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable' && !(error instanceof UpstreamUnavailable);
}
