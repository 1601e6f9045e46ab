import { randomUUID } from 'node:crypto';
import type { Context, Principal } from '@rostergate/server';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import { Counter, Gauge } from 'prom-client';
import { openUsageStore, type UsageTarget } from './open-usage-store.ts';
import { UsageRecorder, type UsageTotals } from './usage-recorder.ts';
import type { UsageQuery, UsageRow } from './usage-store.ts';

/** The setting `usage`, with the path of its file. */
export interface UsageConfiguration {
  readonly target: UsageTarget;
  readonly flushSeconds: number;
  readonly keepDays: number;
}

export interface UsageOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly telemetry: Pick<Telemetry, 'log' | 'registry'>;
}

/** The usage of this process. It outlives every reload, and so do its counts. */
export interface Usage {
  /** Follows the settings. A store that is no longer named gets its last counts and is closed. */
  use(configuration: UsageConfiguration | undefined): void;
  /** Begins to store counts. A process that only checks a configuration never does. */
  start(): void;
  readonly count: (context: Pick<Context<Principal>, 'principal' | 'route'>, status: number) => void;
  /** @throws Problem `unavailable` when the store does not respond */
  readonly read: (query: UsageQuery) => Promise<readonly UsageRow[]>;
  /** Undefined when no usage is stored. */
  status(): DependencyStatus | undefined;
  /** Stores the counts so far; resolves when that succeeded or failed. */
  flush(): Promise<void>;
  /** Stores the last counts. */
  close(): Promise<void>;
}

/** Longest time that the end of the process, or of a store, waits for the last flush. */
export const lastFlushMs = 2_000;

/** Returns the usage of a process, which counts nothing until the settings say so. */
export function createUsage({ clock, telemetry }: UsageOptions): Usage {
  const { log, registry } = telemetry;
  let recorder: UsageRecorder | undefined;
  let targetId: string | undefined;
  let isStarted = false;
  let hasMetrics = false;
  let lost = 0;
  /** The totals of recorders that are closed. */
  const former = { stored: 0, overflowed: 0, failures: 0 };

  function onChange(error?: unknown): void {
    if (error === undefined) log.info({ ...recorder?.totals() }, 'usage is stored again');
    else log.warn({ err: describeCause(error) }, 'usage cannot be stored; the counts wait in memory');
  }

  async function closeRecorder(closing: UsageRecorder): Promise<void> {
    const lostHere = await closing.close(lastFlushMs);
    const { stored, overflowed, failures } = closing.totals();
    former.stored += stored;
    former.overflowed += overflowed;
    former.failures += failures;
    lost += lostHere;
    if (lostHere > 0) log.error({ lost_requests: lostHere }, 'usage is lost: the store did not take the last counts');
  }

  function createRecorder({ target, flushSeconds, keepDays }: UsageConfiguration): UsageRecorder {
    return new UsageRecorder({
      open: () => openUsageStore(target),
      writer: randomUUID(),
      flushMs: flushSeconds * 1_000,
      ...{ clock, keepDays, onChange },
    });
  }

  /** A process that never stores usage has no metrics of it. */
  function addMetrics(): void {
    hasMetrics = true;
    const totals = (): UsageTotals & { readonly lost: number } => {
      const { stored, waiting, overflowed, failures } = recorder?.totals() ?? noTotals;
      return {
        stored: former.stored + stored,
        overflowed: former.overflowed + overflowed,
        failures: former.failures + failures,
        ...{ waiting, lost },
      };
    };
    new Gauge({
      name: 'usage_requests_waiting',
      help: 'Requests that are counted in memory and not in the store of the usage yet.',
      registers: [registry],
      collect() {
        this.set(totals().waiting);
      },
    });
    for (const { name, help, read } of counters) {
      new Counter({
        ...{ name, help, registers: [registry] },
        collect() {
          this.reset();
          this.inc(read(totals()));
        },
      });
    }
  }

  return {
    use(configuration) {
      if (configuration !== undefined && !hasMetrics) addMetrics();
      const nextId = configuration && JSON.stringify(configuration.target);
      if (nextId !== targetId) {
        if (recorder !== undefined) void closeRecorder(recorder);
        recorder = configuration && createRecorder(configuration);
        targetId = nextId;
        if (isStarted) recorder?.start();
      } else if (recorder !== undefined && configuration !== undefined) {
        recorder.flushMs = configuration.flushSeconds * 1_000;
        recorder.keepDays = configuration.keepDays;
      }
    },
    start() {
      isStarted = true;
      recorder?.start();
    },
    count: ({ principal, route }, status) => recorder?.count(principal, route.operationId, status),
    async read(query) {
      if (recorder === undefined) throw new Problem('unavailable', 'No usage is stored any more.');
      return recorder.read(query);
    },
    status: () => recorder?.status(),
    async flush() {
      await recorder?.flush();
    },
    async close() {
      const closing = recorder;
      recorder = undefined;
      if (closing !== undefined) await closeRecorder(closing);
    },
  };
}

const noTotals: UsageTotals = { stored: 0, waiting: 0, overflowed: 0, failures: 0 };

const counters: readonly {
  readonly name: string;
  readonly help: string;
  readonly read: (totals: UsageTotals & { readonly lost: number }) => number;
}[] = [
  {
    name: 'usage_requests_stored_total',
    help: 'Requests that this process has added to the store of the usage.',
    read: ({ stored }) => stored,
  },
  {
    name: 'usage_requests_overflowed_total',
    help: 'Requests that were counted without key and operation, because too many series waited for the store.',
    read: ({ overflowed }) => overflowed,
  },
  {
    name: 'usage_requests_lost_total',
    help: 'Requests whose counts were lost, because the settings replaced a store that was unavailable.',
    read: (totals) => totals.lost,
  },
  {
    name: 'usage_flush_failures_total',
    help: 'Writes to the store of the usage that failed; they are repeated.',
    read: ({ failures }) => failures,
  },
];
