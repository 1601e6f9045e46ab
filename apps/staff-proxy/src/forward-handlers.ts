import { parseCacheControl, secondsOf } from '@rostergate/runtime/cache';
import type { Context, Operation, RawReply } from '@rostergate/runtime/contract';
import type { StaffKey } from './keys/proxy-keys.ts';
import type { Caller, Policy, SendCall, StaffCall } from './staff-call.ts';

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
  let names: readonly HeaderName[] | undefined;
  return ({ path, body }, context) => {
    const { req, principal } = context;
    if (principal === null) throw new Error(`${operation.operationId} is forwarded: it must be secured.`);
    names ??= headerNamesOf(context.route);
    let call: StaffCall = {
      operation,
      path: path as Record<string, string>,
      query: rawQueryOf(req.url),
      body,
      companyKey: principal.companyKey,
      headers: headersOf(context, names),
      accept: req.headers.accept,
    };
    const wish = req.headers['cache-control'];
    if (wish !== undefined && asksForFresh(wish)) call = { ...call, isToBeFresh: true };
    for (const policy of policies) call = policy(call, principal);
    return lineOf(principal.account)(call, new WaitingCaller(context, principal));
  };
}

function asksForFresh(cacheControl: string): boolean {
  const wanted = parseCacheControl(cacheControl);
  return wanted.has('no-cache') || wanted.has('no-store') || secondsOf(wanted, 'max-age') === 0;
}

/** Whoever made the request, who waits as long as the connection stands. */
class WaitingCaller implements Caller {
  readonly requestId: string;
  readonly principal: StaffKey;
  readonly #context: Context<StaffKey>;

  constructor(context: Context<StaffKey>, principal: StaffKey) {
    this.#context = context;
    this.requestId = context.requestId;
    this.principal = principal;
  }

  get via(): string {
    const { headers, httpVersion } = this.#context.req;
    const isDropped = headers.via === undefined || /\bvia\b/i.test(headers.connection ?? '');
    return `${isDropped ? '' : `${headers.via}, `}${httpVersion} rostergate`;
  }

  get signal(): Caller['signal'] {
    return this.#context.call;
  }

  /** Made on first use. */
  get trace(): Caller['trace'] {
    return this.#context.trace;
  }
}

/** As the contract writes it, and as Node does. */
type HeaderName = readonly [name: string, lowerName: string];

function headerNamesOf({ parameters }: Context['route']): readonly HeaderName[] {
  return parameters.flatMap(({ in: place, name }) => (place === 'header' ? [[name, name.toLowerCase()] as const] : []));
}

/** The headers of the request that the contract declares, such as If-Match, by its names. */
function headersOf({ req }: Context<StaffKey>, names: readonly HeaderName[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, lowerName] of names) {
    const value = req.headers[lowerName];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
