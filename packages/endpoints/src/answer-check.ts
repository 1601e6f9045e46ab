import { startPatternBudget } from '@rostergate/runtime/contract';
import { faultsMax } from '@rostergate/runtime/problem';
import { z } from 'zod';
import type { Service } from './define-service.ts';

/** What a service answered, as its contract has it: members that the contract does not name are left out. */
export type AnswerCheck = (answer: unknown) => unknown;

/**
 * Holds what a service answers against its response schema, once for all endpoints of the service: types are stripped,
 * not checked, when a service is loaded. The check throws an Error that names each fault and repeats no value.
 */
export function answerCheckOf(service: Service): AnswerCheck {
  let check = checks.get(service);
  if (check === undefined) {
    check = isTransforming(service.response) ? (answer) => answer : createAnswerCheck(service);
    checks.set(service, check);
  }
  return check;
}

const checks = new WeakMap<Service, AnswerCheck>();

function createAnswerCheck({ name, response }: Service): AnswerCheck {
  return (answer) => {
    startPatternBudget();
    const parsed = response.safeParse(answer);
    if (parsed.success) return parsed.data;
    const listed = parsed.error.issues.slice(0, faultsMax);
    const faults = listed.map(({ path, message }) => `${['answer', ...path].join('.')}: ${message}`);
    throw new Error(`The service ${name} answered what its response schema forbids. ${faults.join('; ')}`);
  };
}

/** Such a schema takes what `handle` starts from, not what it gives: to parse the answer would transform it again. */
export function isTransforming(schema: z.ZodType): boolean {
  let found = false;
  z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === 'pipe' || type === 'transform') found = true;
    },
  });
  return found;
}
