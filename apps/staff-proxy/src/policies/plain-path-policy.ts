import { Problem } from '@rostergate/runtime/problem';
import type { Policy } from '../staff-call.ts';

/**
 * Refuses to a key that is for some operations alone, with 404, what an upstream that decodes a path before it looks for
 * the route would take for another operation.
 */
export const plainPathPolicy: Policy = (call, { forbidden }) => {
  if (forbidden === undefined) return call;
  for (const name in call.path) {
    if (/[/\\]/.test(call.path[name] as string)) {
      throw new Problem(
        'not_found',
        `Your key is for some operations alone and reaches no ${name} with a slash in it.`,
      );
    }
  }
  return call;
};
