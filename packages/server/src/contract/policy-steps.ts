import type { Cors } from '../edge/cors.ts';
import type { Context } from './context.ts';
import type { Reply } from './handler.ts';

/** The policies of one route, by the step at which they run. A step without policies is undefined. */
export interface RoutePolicies {
  /**
   * Runs before the credential is checked; throws a `Problem` to reject the request. An `uncounted` check only asks
   * whether a request would pass: no request is rejected.
   */
  readonly admit?: ((context: Context, check?: 'uncounted') => void) | undefined;
  /** Runs after the scope, before the body is read. A reply answers the request without the handler. */
  readonly before?: ((context: Context) => Reply | undefined | Promise<Reply | undefined>) | undefined;
  /** Runs on every reply of `before` and of the handler; problems are not replies. */
  readonly after?: ((reply: Reply, context: Context) => Reply | Promise<Reply>) | undefined;
  /** Replaces the server's CORS policy; null for none. */
  readonly cors?: Cors | null | undefined;
}

/** Returns whether policies run nothing per request. */
export function isPassive({ admit, before, after }: RoutePolicies): boolean {
  return admit === undefined && before === undefined && after === undefined;
}
