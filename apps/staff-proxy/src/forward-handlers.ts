import { parse } from 'node:querystring';
import type { Context, Operation, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { parseCacheControl, secondsOf } from '@rostergate/upstream/cache';
import type { StaffKey } from './keys/proxy-keys.ts';
import type { Caller, Policy, SendCall, StaffCall } from './staff-call.ts';

/** Handles a valid request by forwarding it; the reply has the upstream's bytes. */
export type ForwardHandler = (
  request: { readonly path: object; readonly body: unknown },
  context: Context<StaffKey>,
) => Promise<RawReply>;

export interface ForwardOptions {
  /** The functions that answer calls, by service account; every key's account has one. */
  readonly sendOf: ReadonlyMap<string, SendCall>;
  /** In order; each may change a call or reject it. */
  readonly policies: readonly Policy[];
}

/** Returns the handlers of these operations, by operationId. */
export function createForwardHandlers(
  operations: readonly Operation[],
  options: ForwardOptions,
): Readonly<Record<string, ForwardHandler>> {
  return Object.fromEntries(
    operations.map((operation) => [operation.operationId, createForwardHandler(operation, options)]),
  );
}

function createForwardHandler(operation: Operation, { sendOf, policies }: ForwardOptions): ForwardHandler {
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
    const cacheControl = req.headers['cache-control'];
    if (cacheControl !== undefined && asksForFresh(cacheControl)) call = { ...call, isToBeFresh: true };
    if (principal.keepsUnknownMembers === true) call = { ...call, keepsUnknownMembers: true };
    for (const policy of policies) call = policy(call, principal);
    const send = sendOf.get(principal.account) as SendCall;
    return send(call, new ConnectedCaller(context, principal));
  };
}

function asksForFresh(cacheControl: string): boolean {
  const directives = parseCacheControl(cacheControl);
  return directives.has('no-cache') || directives.has('no-store') || secondsOf(directives, 'max-age') === 0;
}

/** The caller of a request, which waits while its connection is open. Getters compute on first use. */
export class ConnectedCaller implements Caller {
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

  get trace(): Caller['trace'] {
    return this.#context.trace;
  }
}

/** As in the contract, and as in Node. */
type HeaderName = readonly [name: string, lowerName: string];

function headerNamesOf({ parameters }: Context['route']): readonly HeaderName[] {
  return parameters.flatMap(({ in: place, name }) => (place === 'header' ? [[name, name.toLowerCase()] as const] : []));
}

/** Returns the request's headers that the contract declares, such as If-Match, by their names in the contract. */
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

/**
 * Returns the policy that keeps a key to its company: fills companyKey in where an operation takes one and the caller
 * gave none, and rejects another company's (403 `company_forbidden`).
 */
export function createCompanyPolicy(takesCompanyKey: (operationId: string) => boolean): Policy {
  return (call, caller) => {
    const isNamed = requireOwnCompany(call.query, caller);
    if (isNamed || !takesCompanyKey(call.operation.operationId)) return call;
    const companyKey = `companyKey=${encodeURIComponent(caller.companyKey)}`;
    return { ...call, query: call.query === '' ? companyKey : `${call.query}&${companyKey}` };
  };
}

/**
 * Returns whether a query names the company of the caller.
 * @throws Problem 403 `company_forbidden` when it names another one
 */
export function requireOwnCompany(query: string, caller: Pick<StaffKey, 'companyKey'>): boolean {
  const named = companyKeysIn(query);
  if (named.some((companyKey) => companyKey !== caller.companyKey)) {
    throw new Problem(
      'company_forbidden',
      'Your key belongs to another company: leave companyKey out, or name your own.',
    );
  }
  return named.length > 0;
}

/** Reads the query to be sent, ignoring case: not every upstream distinguishes companyKey from CompanyKey. */
function companyKeysIn(query: string): string[] {
  if (!query.includes('%') && !/companykey/i.test(query)) return [];
  return Object.entries(parse(query, '&', '=', { maxKeys: 0 })).flatMap(([name, value]) =>
    name.toLowerCase() === 'companykey' ? (value ?? []) : [],
  );
}

/**
 * Rejects with 404, for a key that is limited to some operations, path values with a slash: an upstream that decodes the
 * path before routing would take it for another operation.
 */
export const plainPathPolicy: Policy = (call, { forbidden }) => {
  if (forbidden === undefined) return call;
  for (const name in call.path) {
    if (/[/\\]/.test(call.path[name] as string)) {
      throw new Problem('not_found', `Your key is limited to some operations: ${name} must not contain a slash.`);
    }
  }
  return call;
};
