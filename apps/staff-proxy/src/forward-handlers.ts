import type { Context, Operation, RawReply } from '@rostergate/runtime/contract';
import type { StaffKey } from './proxy-keys.ts';
import type { Policy, SendCall, StaffCall } from './staff-call.ts';

/** One handler for every forwarded operation: what comes in is valid, and what goes out are the upstream's bytes. */
export type ForwardHandler = (
  request: { readonly path: object; readonly body: unknown },
  context: Context<StaffKey>,
) => Promise<RawReply>;

export interface ForwardOptions {
  /** What answers the calls of a service account; every key's account has one. */
  readonly lineOf: (account: string) => SendCall;
  /** In order; each may change a call or refuse it. */
  readonly policies: readonly Policy[];
}

/** The handlers of these operations, by operationId. */
export function createForwardHandlers(
  operations: readonly Operation[],
  options: ForwardOptions,
): Readonly<Record<string, ForwardHandler>> {
  return Object.fromEntries(
    operations.map((operation) => [operation.operationId, createForwardHandler(operation, options)]),
  );
}

function createForwardHandler(operation: Operation, { lineOf, policies }: ForwardOptions): ForwardHandler {
  return async ({ path, body }, context) => {
    const { req, principal } = context;
    if (principal === null) throw new Error(`${operation.operationId} is forwarded: it must be secured.`);
    let call: StaffCall = {
      operation,
      path: path as Record<string, string>,
      query: rawQueryOf(req.url),
      body,
      companyKey: principal.companyKey,
      headers: headersOf(context),
      accept: req.headers.accept,
    };
    for (const policy of policies) call = policy(call, principal);
    return lineOf(principal.account)(call, context);
  };
}

/** The headers of the request that the contract declares, such as If-Match, by its names. */
function headersOf({ route, req }: Context<StaffKey>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { in: place, name } of route.parameters) {
    const value = place === 'header' ? req.headers[name.toLowerCase()] : undefined;
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
