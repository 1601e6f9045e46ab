import { claimsOf } from '@rostergate/access/tokens';
import { type CodePolicy, faultOfRequestHeader, isHeaderValue, type PolicyContext } from '@rostergate/endpoints';
import type { Context } from '@rostergate/server';
import { isOfToken } from '../authenticate.ts';
import { asServiceCode } from '../sources/service-origin.ts';
import type { AddressOf } from './addresses-policy.ts';
import { changeRequest } from './headers-policy.ts';
import { createPolicyRun, type PolicySteps, type RunOptions } from './policy-run.ts';

export interface CodeOptions extends Pick<RunOptions, 'timeoutMs' | 'count'> {
  readonly addressOf: AddressOf;
}

/** Returns the steps of a policy that `definePolicy` made. */
export function createCodeSteps(
  { name, policy, options }: CodePolicy,
  { addressOf, timeoutMs, count }: CodeOptions,
): PolicySteps {
  const { before, after, answers } = policy;
  const run = createPolicyRun({ name, timeoutMs, count, mayAnswer: (status) => Object.hasOwn(answers, status) });
  const calls = new WeakMap<Context, PolicyCall>();
  const callOf = (context: Context): PolicyCall => {
    const call = calls.get(context) ?? new PolicyCall(context, addressOf);
    calls.set(context, call);
    return call;
  };
  const runBefore = before && asServiceCode(policy, (call: PolicyContext) => policy.before?.(call, options));
  const runAfter =
    after &&
    asServiceCode(policy, (reply: Parameters<typeof after>[0], call: PolicyContext) =>
      policy.after?.(reply, call, options),
    );
  return {
    before: runBefore && ((context) => run.before(context, () => runBefore(callOf(context)))),
    after: runAfter && ((reply, context) => run.after(reply, context, () => runAfter(reply, callOf(context)))),
  };
}

/** One request in the view of one policy. */
class PolicyCall implements PolicyContext {
  readonly #context: Context;
  readonly #addressOf: AddressOf;
  #state: Record<string, unknown> | undefined;
  #claims: PolicyContext['claims'] | undefined;

  constructor(context: Context, addressOf: AddressOf) {
    this.#context = context;
    this.#addressOf = addressOf;
  }

  get req() {
    return this.#context.req;
  }

  get requestId() {
    return this.#context.requestId;
  }

  get signal() {
    return this.#context.signal;
  }

  get principal() {
    return this.#context.principal;
  }

  /** Decoded when asked for: cached principals of tokens stay small. */
  get claims() {
    const { principal, req } = this.#context;
    this.#claims ??= principal !== null && isOfToken(principal) ? claimsOf(req) : {};
    return this.#claims;
  }

  get operation() {
    const { operationId, method, path } = this.#context.route;
    return { operationId, method: method.toUpperCase(), path };
  }

  get address() {
    return this.#addressOf(this.#context.req);
  }

  get state() {
    this.#state ??= {};
    return this.#state;
  }

  setRequestHeader(name: string, value: string | undefined): void {
    const fault = faultOfRequestHeader(name);
    if (fault !== undefined) throw new TypeError(`The header ${name} ${fault}.`);
    if (value !== undefined && !isHeaderValue(value)) {
      throw new TypeError(`The value of ${name} contains characters that a header cannot carry.`);
    }
    changeRequest(this.#context, {
      dropped: new Set([name.toLowerCase()]),
      fields: value === undefined ? [] : [name, value],
    });
  }
}
