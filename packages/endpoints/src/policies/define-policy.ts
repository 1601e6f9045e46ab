import type { Reply } from '@rostergate/server';
import type { z } from 'zod';
import { DefinitionError, type DefinitionFault } from '../define-service.ts';
import type { CustomPolicy, PolicyContext, PolicyOutcome } from './policy.ts';

export interface PolicyDefinition<O extends z.ZodType | undefined = undefined> {
  /** One line for the documentation. */
  readonly summary?: string;
  /** The `options` in endpoints.json, validated before the policy is used. Without it, the policy has no options. */
  readonly options?: O;
  /**
   * The statuses with which the policy may respond, or whose problems it may throw, each with its description. Any other
   * status is a 500.
   */
  readonly answers?: Readonly<Record<number, string>>;
  /**
   * Runs after key, limit and scope, before the body is read. Returns nothing to let the request pass, returns a response
   * to answer it, or throws a `Problem`.
   */
  before?(context: PolicyContext, options: PolicyOptions<O>): PolicyOutcome;
  /**
   * Runs on the response of the service, the cache, or a policy that answered. Returns nothing to leave it unchanged, or
   * returns another one.
   */
  after?(reply: Reply, context: PolicyContext, options: PolicyOptions<O>): PolicyOutcome;
}

type PolicyOptions<O> = O extends z.ZodType ? z.output<O> : undefined;

/**
 * Returns a policy for endpoints, which endpoints.json names by its module.
 * @throws DefinitionError, a TypeError that names every fault of the definition.
 */
export function definePolicy<O extends z.ZodType | undefined = undefined>(
  definition: PolicyDefinition<O>,
): CustomPolicy {
  const faults = findFaults(definition);
  if (faults.length > 0) throw new DefinitionError(faults);
  const policy = Object.freeze({ answers: {}, ...definition }) as unknown as CustomPolicy;
  defined.add(policy);
  return policy;
}

const defined = new WeakSet<object>();

/** Returns whether `definePolicy` created the value. */
export function isPolicy(value: unknown): value is CustomPolicy {
  return typeof value === 'object' && value !== null && defined.has(value);
}

/** Returns the faults of a definition. Types are stripped, not checked, when a module is loaded. */
function findFaults(given: unknown): DefinitionFault[] {
  if (typeof given !== 'object' || given === null) {
    return [{ field: '', detail: 'The definition is missing. Write definePolicy({ before: … }).' }];
  }
  const { summary, options, answers, before, after } = given as Readonly<Record<string, unknown>>;
  const faults: DefinitionFault[] = [];
  const note = (field: string, isWrong: boolean, detail: string) => {
    if (isWrong) faults.push({ field, detail });
  };
  note('summary', summary !== undefined && typeof summary !== 'string', 'It is not a string. Write one line.');
  const isSchema = typeof options === 'object' && options !== null && '_zod' in options;
  note(
    'options',
    options !== undefined && !isSchema,
    "It is not a zod 4 schema. Import z from 'rostergate' and write z.object({ … }).",
  );
  const isTable = typeof answers === 'object' && answers !== null && !Array.isArray(answers);
  note('answers', answers !== undefined && !isTable, 'It is not an object. Write { 403: "…" }.');
  for (const [status, text] of Object.entries(isTable ? answers : {})) {
    const isStatus = /^[2-5]\d\d$/.test(status);
    note('answers', !isStatus, `${status} is not a status from 200 to 599.`);
    note('answers', isStatus && typeof text !== 'string', `The description of ${status} is not a string.`);
  }
  for (const [field, value] of Object.entries({ before, after })) {
    note(field, value !== undefined && typeof value !== 'function', 'It is not a function.');
  }
  note('before', before === undefined && after === undefined, 'It is missing, and so is after. Write one of them.');
  return faults;
}
