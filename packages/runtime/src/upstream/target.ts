import type { BalancedTarget } from './balance.ts';
import type { Breaker, BreakerState, Pass, Verdict } from './breaker.ts';
import { neverArrived } from './proxy-status.ts';
import { isOverloadedOrDown } from './retry-decision.ts';
import type { SendOnce, UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import type { ResponseHead, UpstreamResponse } from './upstream-response.ts';

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
  /** No request of any path or caller may go there now. */
  readonly rejectsAll: boolean;
}

/** A server behind its breaker: knows its load, and tells the breaker what became of each request. */
export function createTarget(options: TargetOptions): Target {
  const { send, prefix, breaker, clock, onOutcome, onLoad } = options;
  let load = 0;

  class Visit {
    readonly #request: UpstreamRequest;
    readonly #pass: Pass;
    readonly #startedMs = clock();
    #hasHead = false;
    #isOver = false;

    constructor(request: UpstreamRequest) {
      this.#request = request;
      this.#pass = breaker.enter(request);
      onLoad?.(++load);
    }

    readonly onHead = (head: ResponseHead): void => {
      this.#hasHead = true;
      const { status } = head;
      const verdict = !isOverloadedOrDown(status) ? 'success' : neverArrived(head) ? 'unreached' : 'failure';
      this.#report(outcomeOf(status), verdict, this.#request);
    };

    readonly leave = (fault: Error | undefined): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      onLoad?.(--load);
      if (fault === undefined) return;
      const reason = fault instanceof UpstreamFault ? fault.reason : 'abandoned';
      const isTold = reason !== 'abandoned';
      // That no connection can be made is no fault of this request.
      const isUnreached = reason === 'unreachable';
      const origin = isUnreached ? undefined : this.#request;
      const verdict = isUnreached ? 'unreached' : isTold ? 'failure' : 'neutral';
      if (!this.#hasHead) this.#report(reason, verdict, origin);
      // An answer that breaks off was none, though its head looked well.
      else if (isTold) breaker.leave('ordinary', 'failure', origin);
    };

    #report(outcome: TargetOutcome, verdict: Verdict, origin: UpstreamRequest | undefined): void {
      // A call counts once, however often it is tried here.
      const isCounted = this.#request.isRepeated !== true || this.#pass === 'probe' || verdict === 'success';
      breaker.leave(this.#pass, isCounted ? verdict : 'neutral', origin);
      onOutcome?.(outcome, clock() - this.#startedMs);
    }
  }

  function exchange(request: UpstreamRequest): Promise<UpstreamResponse> {
    const visit = new Visit(request);
    try {
      const { onHead: tell } = request;
      const onHead =
        tell === undefined
          ? visit.onHead
          : (head: ResponseHead) => {
              visit.onHead(head);
              tell(head);
            };
      const onSettled = (fault: Error | undefined) => {
        visit.leave(fault);
        request.onSettled?.(fault);
      };
      return send({ ...request, path: prefix + request.path, onHead, onSettled });
    } catch (error) {
      visit.leave(error as Error);
      return Promise.reject(error);
    }
  }

  return {
    send: exchange,
    get load() {
      return load;
    },
    passFor: breaker.passFor,
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
