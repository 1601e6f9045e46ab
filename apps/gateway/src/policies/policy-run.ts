import { finished, Readable } from 'node:stream';
import { type Context, isPending, type Reply, type RoutePolicies } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { createTallyCounter, type Telemetry } from '@rostergate/server/telemetry';
import { withinTime } from '../endpoint-handlers.ts';

/** The functions of one policy, by step. */
export type PolicySteps = Pick<RoutePolicies, 'admit' | 'before' | 'after'>;

/** Why a policy did not let a request pass: it rejected or answered it, failed, or did not finish in time. */
export type PolicyOutcome = 'rejected' | 'answered' | 'failed' | 'late';

export type CountRejection = (policy: string, outcome: PolicyOutcome) => void;

/** Returns the counter of requests that policies did not let pass. */
export function createPolicyMetrics(registry: Telemetry['registry']): CountRejection {
  const total = createTallyCounter({
    name: 'policy_rejections_total',
    help: 'Requests that a policy did not let pass or could not change, by policy and outcome: rejected, answered, failed (500) or late (503).',
    labelNames: ['policy', 'outcome'],
    registers: [registry],
  });
  return (policy, outcome) => total.of({ policy, outcome }).inc();
}

export interface RunOptions {
  readonly name: string;
  /** Whether the policy may respond with the status. */
  readonly mayAnswer: (status: number) => boolean;
  /** 0 for no limit. */
  readonly timeoutMs: number;
  readonly count: CountRejection;
}

/** Runs the code of one policy; a request passes only if the policy lets it. */
export interface PolicyRun {
  /** Returns the reply of the policy, or undefined to let the request pass. */
  before(context: Context, run: () => unknown): Reply | undefined | Promise<Reply | undefined>;
  /** Returns the reply of the policy, or the given one. */
  after(given: Reply, context: Context, run: () => unknown): Reply | Promise<Reply>;
}

/**
 * Returns the runner of a policy: an undeclared status or error becomes a 500, and a policy that does not finish in time a
 * 503, which aborts the request's signal.
 */
export function createPolicyRun({ name, mayAnswer, timeoutMs, count }: RunOptions): PolicyRun {
  const lateCause = new Error(`The policy "${name}" did not finish in time.`);

  const fail = (message: string, cause?: unknown): Problem => {
    count(name, 'failed');
    const error = new Error(`The policy "${name}" ${message}`, { cause });
    return new Problem('internal_error', 'Try again later; quote the request id when you report this.', {
      cause: error,
    });
  };

  const toProblem = (error: unknown, context: Context): unknown => {
    if (context.isClientGone(error)) return error;
    if (!(error instanceof Problem)) return fail('failed.', error);
    if (error.cause === lateCause) {
      count(name, 'late');
      return error;
    }
    if (!mayAnswer(error.status)) {
      return fail(`threw ${error.code} with the status ${error.status}, which its answers do not declare.`, error);
    }
    count(name, 'rejected');
    return error;
  };

  /** Runs the code, then `settle` with its value; `discard` on any fault. */
  function attempt<T>(
    context: Context,
    run: () => unknown,
    settle: (value: unknown) => T,
    discard: () => void,
  ): T | Promise<T> {
    const reject = (error: unknown): never => {
      discard();
      throw toProblem(error, context);
    };
    let value: unknown;
    try {
      value = run();
    } catch (error) {
      return reject(error);
    }
    if (!isPending(value)) return settle(value);
    const pending = Promise.resolve(value);
    const timed = timeoutMs > 0 ? withinTime(pending, timeoutMs, context, { cause: lateCause }) : pending;
    return timed.then(settle, reject);
  }

  return {
    before: (context, run) =>
      attempt(
        context,
        run,
        (value) => {
          if (value === undefined) return undefined;
          if (!isReply(value)) throw fail('returned neither undefined nor a response with a status.');
          if (!mayAnswer(value.status)) throw fail(`answered ${value.status}, which its answers do not declare.`);
          count(name, 'answered');
          return value;
        },
        () => undefined,
      ),
    after(given, context, run) {
      const discard = () => {
        if ('raw' in given && given.raw instanceof Readable) given.raw.destroy();
      };
      return attempt(
        context,
        run,
        (value) => {
          if (value === undefined || value === given) return given;
          const fault = !isReply(value)
            ? 'returned neither undefined nor a response with a status.'
            : value.status !== given.status && !mayAnswer(value.status)
              ? `answered ${value.status}, which its answers do not declare.`
              : undefined;
          const reply = value as Reply;
          if (fault !== undefined) {
            discard();
            throw fail(fault);
          }
          if ('raw' in reply && reply.raw instanceof Readable) {
            if ('raw' in given && given.raw instanceof Readable) endTogether(given.raw, reply.raw);
          } else discard();
          return reply;
        },
        discard,
      );
    },
  };
}

/** Ends a stream with the one that a policy has put in its place, and breaks off the latter if it is piped from a broken one. */
function endTogether(given: Readable, replacing: Readable): void {
  if (given === replacing) return;
  finished(given, { writable: false }, (error) => {
    if (error && given.readableFlowing === true) replacing.destroy(error);
  });
  replacing.once('close', () => given.destroy());
}

function isReply(value: unknown): value is Reply {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers, raw } = value as { status?: unknown; headers?: unknown; raw?: unknown };
  const isRaw = typeof raw === 'string' || raw instanceof Uint8Array || raw instanceof Readable;
  return (
    Number.isInteger(status) &&
    (status as number) >= 101 &&
    (status as number) <= 599 &&
    (headers === undefined || (typeof headers === 'object' && headers !== null)) &&
    (!('raw' in value) || isRaw)
  );
}
