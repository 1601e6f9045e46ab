import type { Context, Operation, OperationTable, RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import type { StaffKey } from './proxy-keys.ts';
import type { Policy, StaffCall } from './staff-call.ts';
import type { StaffUpstream } from './staff-upstream.ts';
import { tokenRefused, type UpstreamSession } from './upstream-session.ts';

/** One handler for every forwarded operation: what comes in is valid, and what goes out are the upstream's bytes. */
export type ForwardHandler = (
  request: { readonly path: object; readonly body: unknown },
  context: Context<StaffKey>,
) => Promise<RawReply>;

export interface ForwardOptions {
  readonly upstream: StaffUpstream;
  /** The standing login of a service account. */
  readonly sessionOf: (account: string) => UpstreamSession;
  /** In order; each may change a call or refuse it. */
  readonly policies: readonly Policy[];
}

export function createForwardHandlers<Id extends string>(
  operations: OperationTable & Readonly<Record<Id, Operation>>,
  ids: readonly Id[],
  options: ForwardOptions,
): { readonly [I in Id]: ForwardHandler } {
  const handlers = ids.map((id) => [id, createForwardHandler(operations[id], options)]);
  return Object.fromEntries(handlers) as { [I in Id]: ForwardHandler };
}

function createForwardHandler(operation: Operation, { upstream, sessionOf, policies }: ForwardOptions): ForwardHandler {
  return async ({ path, body }, context) => {
    const { req, requestId, signal, principal, trace } = context;
    if (principal === null) throw new Error(`${operation.operationId} is forwarded: it must be secured.`);
    let call: StaffCall = { operation, path: path as Record<string, string>, query: rawQueryOf(req.url), body };
    for (const policy of policies) call = policy(call, principal);
    const headers = headersOf(context);
    const caller = { requestId, signal, trace, accept: req.headers.accept, headers };
    const session = sessionOf(principal.account);
    const token = await session.token();
    const reply = await upstream.send(call, token, caller);
    if (reply !== 'token_refused') return reply;
    // A refused request has done nothing, so that even a write may be sent once more.
    const second = await upstream.send(call, await session.replace(token), caller);
    if (second === 'token_refused') throw new Problem('upstream_failed', tokenRefused);
    return second;
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
