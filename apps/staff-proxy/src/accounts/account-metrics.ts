import { createDurationHistogram, type DurationSeries } from '@rostergate/server/telemetry';
import type { LoginOutcome, UpstreamLease } from '@rostergate/upstream';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AccountGate, GateRejection } from './account-gate.ts';

/** Metrics of logins, queueing and limits at the upstream, by service account. */
export interface AccountMetrics {
  of(account: string): AccountCounts;
  /** Creates the series of an account at 0: no alert sees an increase from an absent series. */
  begin(account: string): void;
  /** Removes the series of an account. */
  forget(account: string): void;
}

export interface AccountCounts {
  readonly login: (outcome: LoginOutcome) => void;
  readonly rejection: (rejection: GateRejection) => void;
  readonly wait: (waitedMs: number) => void;
  readonly limit: () => void;
}

interface MeasuredAccount {
  readonly gate: AccountGate;
  readonly breaker: UpstreamLease['state'];
}

/** `accounts` is read at each scrape. */
export function createAccountMetrics(
  registry: Registry,
  accounts: () => Iterable<readonly [name: string, account: MeasuredAccount]>,
): AccountMetrics {
  const registers = [registry];
  const logins = new Counter({
    name: 'upstream_account_logins_total',
    help: 'Logins at the upstream, by service account and outcome.',
    labelNames: ['account', 'outcome'],
    registers,
  });
  const rejections = new Counter({
    name: 'upstream_account_refused_total',
    help: 'Requests answered with 503 before they were sent, by service account and reason.',
    labelNames: ['account', 'reason'],
    registers,
  });
  const limits = new Counter({
    name: 'upstream_account_limited_total',
    help: 'Requests of a service account that the upstream answered with 429.',
    labelNames: ['account'],
    registers,
  });
  const waits = createDurationHistogram<'account'>({
    name: 'upstream_account_queue_seconds',
    help: 'How long queued requests of a service account waited.',
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registry,
  });
  const waitsOf = new Map<string, DurationSeries>();
  function waitsFor(account: string): DurationSeries {
    let series = waitsOf.get(account);
    if (series === undefined) {
      series = waits.of({ account });
      waitsOf.set(account, series);
    }
    return series;
  }
  const gauge = (name: string, help: string, read: (account: MeasuredAccount) => number) =>
    new Gauge({
      name: `upstream_account_${name}`,
      help,
      labelNames: ['account'],
      registers,
      collect() {
        this.reset();
        for (const [account, state] of accounts()) this.set({ account }, read(state));
      },
    });
  gauge('working', 'Requests of a service account that wait for the upstream to respond.', ({ gate }) => gate.working);
  gauge('streaming', 'Responses for a service account that are being sent.', ({ gate }) => gate.streaming);
  gauge('queued', 'Requests of a service account in the queue.', ({ gate }) => gate.queued);
  gauge(
    'held_seconds',
    'How long the proxy still pauses because the upstream answered 429.',
    ({ gate }) => gate.heldMs / 1_000,
  );
  gauge(
    'breaker_open',
    '1 while requests of a service account are rejected because too many failed: those of one path, or all.',
    ({ breaker }) => (breaker === 'ready' ? 0 : 1),
  );

  return {
    of: (account) => ({
      login: (outcome) => logins.inc({ account, outcome }),
      rejection: (reason) => rejections.inc({ account, reason }),
      wait: (waitedMs) => waitsFor(account).observe(waitedMs / 1_000),
      limit: () => limits.inc({ account }),
    }),
    begin(account) {
      for (const outcome of loginOutcomes) logins.inc({ account, outcome }, 0);
      for (const reason of rejectionReasons) rejections.inc({ account, reason }, 0);
      limits.inc({ account }, 0);
      waitsFor(account);
    },
    forget(account) {
      for (const outcome of loginOutcomes) logins.remove({ account, outcome });
      for (const reason of rejectionReasons) rejections.remove({ account, reason });
      limits.remove({ account });
      const series = waitsOf.get(account);
      if (series !== undefined) waits.remove(series);
      waitsOf.delete(account);
    },
  };
}

const loginOutcomes: readonly LoginOutcome[] = ['ok', 'refused', 'failed'];
const rejectionReasons: readonly GateRejection[] = ['queue_full', 'held', 'waited_too_long'];
