import type { BalancedTarget } from './balance.ts';
import type { Breaker, BreakerState, CallResult, Pass } from './breaker.ts';
import { neverArrived } from './proxy-status.ts';
import type { SendOnce, UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { isOverloadedOrDown, type ResponseHead, type UpstreamResponse } from './upstream-response.ts';

/** The outcome of an exchange in metrics: the class of the status, or the reason of the fault. */
export type TargetOutcome = '2xx' | '3xx' | '4xx' | '5xx' | 'unreachable' | 'timeout' | 'broken' | 'abandoned';

export interface TargetOptions {
  readonly send: SendOnce;
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
  const { send, prefix, breaker, clock, onOutcome } = options;
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
