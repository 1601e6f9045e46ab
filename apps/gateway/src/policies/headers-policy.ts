import {
  type CompiledHeaderRules,
  fillHeader,
  type HeadersPolicy,
  type PlaceholderValues,
} from '@rostergate/endpoints';
import type { Context, HeaderChanges, Reply, ReplyHeaders } from '@rostergate/server';
import type { AddressOf } from './addresses-policy.ts';
import type { PolicySteps } from './policy-run.ts';

/** Returns the steps of a policy that changes headers. Rules without placeholders are prepared once. */
export function createHeaderSteps(
  { request, response }: HeadersPolicy,
  { addressOf }: { readonly addressOf: AddressOf },
): PolicySteps {
  const changesOf = createChanges(request, addressOf);
  const responseOf = createChanges(response, addressOf);
  const isDropped = createNameTest(response.dropped);
  return {
    before:
      changesOf === undefined
        ? undefined
        : (context) => {
            changeRequest(context, changesOf(context));
            return undefined;
          },
    after:
      responseOf === undefined
        ? undefined
        : (reply, context) => changeReply(reply, responseOf(context).fields, isDropped),
  };
}

/** Returns the function that fills in the rules for a request; undefined for rules without effect. */
function createChanges(
  { dropped, fields }: CompiledHeaderRules,
  addressOf: AddressOf,
): ((context: Context) => HeaderChanges) | undefined {
  if (dropped.size === 0 && fields.length === 0) return undefined;
  const fill = (read: PlaceholderValues): HeaderChanges => {
    const filled: string[] = [];
    for (const { name, value } of fields) {
      const text = fillHeader(value, read);
      if (text !== undefined) filled.push(name, text);
    }
    return { dropped, fields: filled };
  };
  if (fields.every(({ value }) => typeof value === 'string')) {
    const fixed = fill(() => undefined);
    return () => fixed;
  }
  return ({ req, principal, route, requestId }) =>
    fill((placeholder) => {
      switch (placeholder) {
        case 'owner':
          return principal?.owner;
        case 'key':
          return principal?.name;
        case 'address':
          return addressOf(req);
        case 'operation':
          return route.operationId;
        case 'request_id':
          return requestId;
      }
    });
}

/** Changes the headers of the request that is forwarded, after the changes of earlier policies. */
export function changeRequest(context: Context, changes: HeaderChanges): void {
  const before = context.headerChanges;
  if (before === undefined) {
    context.headerChanges = changes;
    return;
  }
  const left: string[] = [];
  for (let i = 0; i < before.fields.length; i += 2) {
    const name = before.fields[i] as string;
    if (!changes.dropped.has(name.toLowerCase())) left.push(name, before.fields[i + 1] as string);
  }
  context.headerChanges = {
    dropped: new Set([...before.dropped, ...changes.dropped]),
    fields: [...left, ...changes.fields],
  };
}

type NameTest = (name: string) => boolean;

/** Returns a test of header names in any spelling. Spellings recur, and converting one costs more than finding it. */
function createNameTest(lowerNames: ReadonlySet<string>): NameTest {
  const known = new Map<string, boolean>();
  return (name) => {
    let isListed = known.get(name);
    if (isListed === undefined) {
      isListed = lowerNames.has(name.toLowerCase());
      // An upstream may send random names.
      if (known.size < spellingsMax) known.set(name, isListed);
    }
    return isListed;
  };
}

const spellingsMax = 1_000;

/** Returns the reply with changed headers. */
function changeReply(reply: Reply, fields: readonly string[], isDropped: NameTest): Reply {
  const headers: Record<string, string | readonly string[]> = {};
  for (const name in reply.headers) {
    if (!isDropped(name)) headers[name] = (reply.headers as ReplyHeaders)[name] as string;
  }
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    if (isDropped(name)) headers[name] = fields[i + 1] as string;
    else add(headers, name, fields[i + 1] as string);
  }
  if ('raw' in reply && isDropped('Content-Type')) return { ...reply, contentType: undefined, headers };
  return { ...reply, headers };
}

/** Adds a value to those of the same name: cookies cannot be joined, other headers are lists. */
function add(headers: Record<string, string | readonly string[]>, name: string, value: string): void {
  const lower = name.toLowerCase();
  for (const known in headers) {
    if (known.toLowerCase() !== lower) continue;
    const before = headers[known] as string | readonly string[];
    headers[known] =
      lower === 'set-cookie'
        ? [before, value].flat()
        : `${typeof before === 'string' ? before : before.join(', ')}, ${value}`;
    return;
  }
  headers[name] = value;
}
