import type { SendOnce } from './upstream.ts';

export interface DeadlineOptions {
  /** How long the head of the answer may take, whatever is tried on the way. */
  readonly timeoutMs: number;
  /** Milliseconds that never go back; the same as the upstream's. */
  readonly clock: () => number;
}

/** Gives every request the moment by which its answer must begin; an earlier one that it has already stays. */
export function withDeadline(send: SendOnce, { timeoutMs, clock }: DeadlineOptions): SendOnce {
  return (request) => {
    const latestMs = clock() + timeoutMs;
    const { deadlineMs = Number.POSITIVE_INFINITY } = request;
    return send(deadlineMs <= latestMs ? request : { ...request, deadlineMs: latestMs });
  };
}
