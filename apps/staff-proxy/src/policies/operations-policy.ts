import { Problem } from '@rostergate/runtime/problem';
import type { Policy } from '../staff-call.ts';

/**
 * Refuses what the keys file does not let a key do (403 `operation_forbidden`), before the upstream is asked; and with
 * 404 what an upstream that decodes a path before it looks for the route would take for another operation.
 */
export const operationsPolicy: Policy = (call, { forbidden }) => {
  if (forbidden === undefined) return call;
  const { operationId } = call.operation;
  if (!forbidden.has(operationId)) {
    for (const name in call.path) {
      if (/[/\\]/.test(call.path[name] as string)) {
        throw new Problem(
          'not_found',
          `Your key is for some operations alone and reaches no ${name} with a slash in it.`,
        );
      }
    }
    return call;
  }
  throw new Problem(
    'operation_forbidden',
    `Your key does not allow ${operationId}. Ask the operator of this proxy for one that does.`,
  );
};
