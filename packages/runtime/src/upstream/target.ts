import type { BalancedTarget } from './balance.ts';
import type { Breaker, BreakerState, Pass, Verdict } from './breaker.ts';
import type { UpstreamResponse } from './exchange.ts';
import { isOverloadedOrDown } from './retry-decision.ts';
import type { SendOnce, UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';

/** What one exchange came to, as metrics count it: the class of the answer's status, or the reason of the fault. */
export type TargetOutcome = '2xx' | '3xx' | '4xx' | '5xx' | 'unreachable' | 'timeout' | 'broken' | 'abandoned';

export interface TargetOptions {
  readonly send: SendOnce;
  /** What stands before the path of each request; without a slash at its end. */
  readonly prefix: string;
  readonly breaker: Breaker;
  readonly clock: () => number;
  /** Called when the head of an answer is there, or the fault in its place. */
  readonly onOutcome?: ((outcome: TargetOutcome, durationMs: number) => void) | undefined;
  /** How many exchanges are on their way, told at every change. */
  readonly onLoad?: ((load: number) => void) | undefined;
}

export interface Target extends BalancedTarget {
  readonly state: BreakerState;
}

/** A server behind its breaker: knows its load, and tells the breaker what became of each request. */
export function createTarget(options: TargetOptions): Target {
  const { send, prefix, breaker, clock, onOutcome, onLoad } = options;
  let load = 0;

  function report(outcome: TargetOutcome, startedMs: number, pass: Pass, verdict: Verdict): void {
    breaker.leave(pass, verdict);
    onOutcome?.(outcome, clock() - startedMs);
  }

  function exchange(request: UpstreamRequest): Promise<UpstreamResponse> {
    const pass = breaker.enter();
    const startedMs = clock();
    let hasHead = false;
    let isOver = false;
    const leave = (fault: Error | undefined) => {
      if (isOver) return;
      isOver = true;
      onLoad?.(--load);
      // An answer that breaks off was none, though its head looked well.
      if (hasHead && fault instanceof UpstreamFault && fault.reason !== 'abandoned')
        breaker.leave('ordinary', 'failure');
      request.onSettled?.(fault);
    };
    const fail = (error: unknown): never => {
      leave(error as Error);
      const reason = error instanceof UpstreamFault ? error.reason : 'abandoned';
      report(reason, startedMs, pass, reason === 'abandoned' ? 'neutral' : 'failure');
      throw error;
    };
    onLoad?.(++load);
    let sent: Promise<UpstreamResponse>;
    try {
      sent = send({ ...request, path: prefix + request.path, onSettled: leave });
    } catch (error) {
      sent = Promise.reject(error);
    }
    return sent.then((response) => {
      hasHead = true;
      const { status } = response;
      report(outcomeOf(status), startedMs, pass, isOverloadedOrDown(status) ? 'failure' : 'success');
      return response;
    }, fail);
  }

  return {
    send: exchange,
    get load() {
      return load;
    },
    get pass() {
      return breaker.pass;
    },
    get probeAtMs() {
      return breaker.probeAtMs;
    },
    get state() {
      return breaker.state;
    },
  };
}

function outcomeOf(status: number): TargetOutcome {
  return status < 300 ? '2xx' : status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
}
