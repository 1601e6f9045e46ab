import { Problem } from '@rostergate/runtime/problem';
import type { Policy } from '../staff-call.ts';

/** Refuses what the keys file does not let a key do (403 `operation_forbidden`), before the upstream is asked. */
export const operationsPolicy: Policy = (call, { forbidden }) => {
  const { operationId } = call.operation;
  if (forbidden?.has(operationId) !== true) return call;
  throw new Problem(
    'operation_forbidden',
    `Your key does not allow ${operationId}. Ask the operator of this proxy for one that does.`,
  );
};
