import { createDurationHistogram, type DurationSeries } from '@rostergate/runtime/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { GateRefusal } from './account-gate.ts';
import type { StandingAccount } from './account-registry.ts';
import type { LoginOutcome } from './upstream-session.ts';

/** Counts what happens on the way to the upstream, by the name of the service account. */
export interface AccountMetrics {
  of(account: string): AccountCounts;
  /** Shows an account that is named from now on: an increase from nothing is one that no alert sees. */
  begin(account: string): void;
  /** Drops the series of an account that is named no more. */
  forget(account: string): void;
}

export interface AccountCounts {
  readonly login: (outcome: LoginOutcome) => void;
  readonly refusal: (refusal: GateRefusal) => void;
  readonly wait: (waitedMs: number) => void;
  readonly limit: () => void;
}

/** `accounts` is asked whenever the metrics are read. */
export function createAccountMetrics(
  registry: Registry,
  accounts: () => Iterable<readonly [name: string, account: StandingAccount]>,
): AccountMetrics {
  const registers = [registry];
  const logins = new Counter({
    name: 'upstream_account_logins_total',
    help: 'Logins at the upstream, by service account and what became of them.',
    labelNames: ['account', 'outcome'],
    registers,
  });
  const refusals = new Counter({
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
    help: 'How long requests of a service account waited for their turn, where they had to.',
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
  const gauge = (name: string, help: string, read: (account: StandingAccount) => number) =>
    new Gauge({
      name: `upstream_account_${name}`,
      help,
      labelNames: ['account'],
      registers,
      collect() {
        this.reset();
        for (const [account, standing] of accounts()) this.set({ account }, read(standing));
      },
    });
  gauge(
    'working',
    'Requests of a service account that wait for an answer of the upstream.',
    ({ gate }) => gate.working,
  );
  gauge('streaming', 'Answers for a service account that are on their way.', ({ gate }) => gate.streaming);
  gauge('queued', 'Requests of a service account that wait for their turn.', ({ gate }) => gate.queued);
  gauge(
    'held_seconds',
    'How long nothing is sent yet because the upstream answered 429.',
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
      refusal: (reason) => refusals.inc({ account, reason }),
      wait: (waitedMs) => waitsFor(account).observe(waitedMs / 1_000),
      limit: () => limits.inc({ account }),
    }),
    begin(account) {
      for (const outcome of loginOutcomes) logins.inc({ account, outcome }, 0);
      for (const reason of refusalReasons) refusals.inc({ account, reason }, 0);
      limits.inc({ account }, 0);
      waitsFor(account);
    },
    forget(account) {
      for (const outcome of loginOutcomes) logins.remove({ account, outcome });
      for (const reason of refusalReasons) refusals.remove({ account, reason });
      limits.remove({ account });
      const series = waitsOf.get(account);
      if (series !== undefined) waits.remove(series);
      waitsOf.delete(account);
    },
  };
}

const loginOutcomes: readonly LoginOutcome[] = ['ok', 'refused', 'failed'];
const refusalReasons: readonly GateRefusal[] = ['queue_full', 'held', 'waited_too_long'];
