import {
  createDurationHistogram,
  createTallyCounter,
  type DurationSeries,
  type Tally,
} from '@rostergate/server/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BalancedTarget } from './balance.ts';
import type { Breaker, BreakerState, CallResult, Pass } from './breaker.ts';
import { neverArrived } from './proxy-status.ts';
import { isOverloadedOrDown, type SendOnce, type UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import type { ResponseHead, UpstreamResponse } from './upstream-response.ts';

/** The outcome of an exchange in metrics: the class of the status, or the reason of the fault. */
export type TargetOutcome = '2xx' | '3xx' | '4xx' | '5xx' | 'unreachable' | 'timeout' | 'broken' | 'abandoned';

export interface TargetOptions {
  readonly send: SendOnce;
  readonly host: string;
  /** The prefix of the path of each request, without a trailing slash. */
  readonly prefix: string;
  readonly breaker: Breaker;
  readonly clock: () => number;
  /** Called when the head of a response arrives, or with the fault in its place. */
  readonly onOutcome?: ((outcome: TargetOutcome, durationMs: number) => void) | undefined;
}

export interface Target extends BalancedTarget {
  readonly state: BreakerState;
  /** Rejects every path and caller now. */
  readonly rejectsAll: boolean;
}

/** Creates a target with a breaker: counts its load, and reports the result of each request to the breaker. */
export function createTarget(options: TargetOptions): Target {
  const { send, host, prefix, breaker, clock, onOutcome } = options;
  let load = 0;

  class Call {
    readonly #request: UpstreamRequest;
    readonly #pass: Pass;
    readonly #startedMs = clock();
    #hasHead = false;
    #isOver = false;

    constructor(request: UpstreamRequest) {
      this.#request = request;
      this.#pass = breaker.enter(request);
      load++;
    }

    readonly onHead = (head: ResponseHead): void => {
      this.#hasHead = true;
      const { status } = head;
      const result = !isOverloadedOrDown(status) ? 'success' : neverArrived(head) ? 'unreached' : 'failure';
      this.#report(outcomeOf(status), result, this.#request);
    };

    readonly leave = (fault: Error | undefined): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      load--;
      if (fault === undefined) return;
      const reason = fault instanceof UpstreamFault ? fault.reason : 'abandoned';
      const isFault = reason !== 'abandoned';
      // A failed connection is a fault of the target, not of the request.
      const isUnreached = reason === 'unreachable';
      const origin = isUnreached ? undefined : this.#request;
      const result = isUnreached ? 'unreached' : isFault ? 'failure' : 'neutral';
      if (!this.#hasHead) this.#report(reason, result, origin);
      // A response that is truncated is a failure, with any status.
      else if (isFault) breaker.leave('ordinary', 'failure', origin);
    };

    #report(outcome: TargetOutcome, result: CallResult, origin: UpstreamRequest | undefined): void {
      // A call counts once, also with retries.
      const isCounted = this.#request.isRepeated !== true || this.#pass === 'probe' || result === 'success';
      breaker.leave(this.#pass, isCounted ? result : 'neutral', origin);
      onOutcome?.(outcome, clock() - this.#startedMs);
    }
  }

  function exchange(request: UpstreamRequest): Promise<UpstreamResponse> {
    const call = new Call(request);
    if (request.record !== undefined) request.record.upstream = host;
    try {
      const { onHead: notify } = request;
      const onHead =
        notify === undefined
          ? call.onHead
          : (head: ResponseHead) => {
              call.onHead(head);
              notify(head);
            };
      const onSettled = (fault: Error | undefined) => {
        call.leave(fault);
        request.onSettled?.(fault);
      };
      return send({ ...request, path: prefix + request.path, onHead, onSettled });
    } catch (error) {
      call.leave(error as Error);
      return Promise.reject(error);
    }
  }

  return {
    send: exchange,
    get load() {
      return load;
    },
    admissionFor: breaker.admissionFor,
    get probeAtMs() {
      return breaker.probeAtMs;
    },
    get state() {
      return breaker.state;
    },
    get rejectsAll() {
      return breaker.rejectsAll;
    },
  };
}

function outcomeOf(status: number): TargetOutcome {
  return status < 300 ? '2xx' : status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
}

/** Counts requests to targets, labelled by the hosts of the configuration. */
export interface UpstreamMetrics {
  observe(host: string, outcome: TargetOutcome, durationMs: number): void;
  countRetry(): void;
  /** Counts a request for a token, by the host of its endpoint. */
  countLogin(host: string, outcome: string): void;
  /** Removes the series of a host that is no longer used. */
  forget(host: string): void;
}

/** What the metrics show of the targets; called whenever they are read. */
export interface TargetStates {
  openHosts(): Iterable<string>;
  checkedTargets(): Iterable<{ readonly host: string; readonly isSick: boolean }>;
}

export function createUpstreamMetrics(registry: Registry, states: TargetStates): UpstreamMetrics {
  const requests = createTallyCounter({
    name: 'upstream_requests_total',
    help: 'Requests sent to a target of an upstream, retries included, by status class or failure reason.',
    labelNames: ['target', 'outcome'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'upstream_retries_total',
    help: 'Retried requests.',
    registers: [registry],
  });
  const logins = new Counter({
    name: 'upstream_logins_total',
    help: 'Requests for tokens for upstreams, by host of the token endpoint: ok, refused credentials, or failed.',
    labelNames: ['target', 'outcome'],
    registers: [registry],
  });
  const duration = createDurationHistogram<'target'>({
    name: 'upstream_request_duration_seconds',
    help: 'Time until the head of the response of a target, or its failure.',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registry,
  });
  const known = new Map<string, HostSeries>();
  new Gauge({
    name: 'upstream_breaker_open',
    help: '1 while the circuit to a target is open or half-open.',
    aggregator: 'max',
    labelNames: ['target'],
    registers: [registry],
    collect() {
      const open = new Set(states.openHosts());
      this.reset();
      for (const host of known.keys()) this.set({ target: host }, open.has(host) ? 1 : 0);
    },
  });

  new Gauge({
    name: 'upstream_target_healthy',
    help: '0 while a target fails its health checks; only of targets that are checked.',
    aggregator: 'min',
    labelNames: ['target'],
    registers: [registry],
    collect() {
      this.reset();
      const sick = new Map<string, boolean>();
      for (const { host, isSick } of states.checkedTargets()) sick.set(host, isSick || sick.get(host) === true);
      for (const [host, isSick] of sick) this.set({ target: host }, isSick ? 0 : 1);
    },
  });

  /** Caches label sets. */
  function seriesOf(host: string): HostSeries {
    let series = known.get(host);
    if (series === undefined) {
      series = { duration: duration.of({ target: host }), outcomes: new Map() };
      known.set(host, series);
    }
    return series;
  }

  return {
    observe(host, outcome, durationMs) {
      const series = seriesOf(host);
      let counter = series.outcomes.get(outcome);
      if (counter === undefined) {
        counter = requests.of({ target: host, outcome });
        series.outcomes.set(outcome, counter);
      }
      counter.inc();
      series.duration.observe(Math.max(0, durationMs) / 1_000);
    },
    countRetry() {
      retries.inc();
    },
    countLogin(target, outcome) {
      logins.inc({ target, outcome });
    },
    forget(host) {
      const series = known.get(host);
      if (series === undefined) return;
      known.delete(host);
      for (const outcome of ['ok', 'refused', 'failed']) logins.remove({ target: host, outcome });
      for (const tally of series.outcomes.values()) requests.remove(tally);
      duration.remove(series.duration);
    },
  };
}

interface HostSeries {
  readonly duration: DurationSeries;
  readonly outcomes: Map<TargetOutcome, Tally>;
}
