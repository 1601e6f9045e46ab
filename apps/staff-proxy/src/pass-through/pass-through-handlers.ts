import { buffer } from 'node:stream/consumers';
import { type AnyHandler, type Context, findRestFault, type Handlers, UnreadBody } from '@rostergate/server';
import { createValidationProblem } from '@rostergate/server/problem';
import { createPathReader, createPathWriter, type PathTexts, rawQueryOf } from '@rostergate/upstream';
import { ConnectedCaller, requireOwnCompany } from '../forward-handlers.ts';
import type { StaffKey } from '../keys/proxy-keys.ts';
import type { PassThroughOperation } from './pass-through-operations.ts';
import type { PassThroughCall, SendPassThrough } from './pass-through-sender.ts';

/** Returns the handlers of the operations, by operationId. `sendOf` has the function of each account. */
export function createPassThroughHandlers(
  operations: readonly PassThroughOperation[],
  sendOf: ReadonlyMap<string, SendPassThrough>,
): Handlers {
  return Object.fromEntries(operations.map((operation) => [operation.operationId, createHandler(operation, sendOf)]));
}

function createHandler(operation: PassThroughOperation, sendOf: ReadonlyMap<string, SendPassThrough>): AnyHandler {
  const { operationId, path: template } = operation;
  const readPath = createPathReader(template);
  const writePath = createPathWriter(template);

  async function handle({ body }: { readonly body: unknown }, context: Context<StaffKey>) {
    const { req, principal } = context;
    if (principal === null) throw new Error(`${operationId} is forwarded: it must be secured.`);
    const texts = readPath(req.url);
    checkSegments(texts);
    const query = rawQueryOf(req.url);
    requireOwnCompany(query.slice(1), principal);
    const call: PassThroughCall = {
      operation,
      method: req.method,
      path: writePath(texts),
      query,
      companyKey: principal.companyKey,
      headers: headersToForward(req.headers),
      body: body instanceof UnreadBody ? await readIfShort(body) : undefined,
    };
    const send = sendOf.get(principal.account) as SendPassThrough;
    return send(call, new ConnectedCaller(context, principal));
  }

  return Object.assign(handle, { forwardsTexts: true });
}

/** Rejects separators in single segments too: an upstream that decodes the path could read another one. */
function checkSegments(texts: PathTexts): void {
  for (const name in texts) {
    const detail = findRestFault(texts[name] as string);
    if (detail !== undefined) throw createValidationProblem([{ parameter: name, detail }]);
  }
}

/** A body up to this length is read first: it can be sent again, and a slow sender holds no slot of the account. */
const readBytesMax = 64 * 1024;

async function readIfShort(body: UnreadBody): Promise<Uint8Array | UnreadBody> {
  const { length } = body;
  return length !== undefined && length <= readBytesMax ? buffer(body.open()) : body;
}

/**
 * The only headers of a request that the upstream gets. Others could contain credentials of the caller, or name another
 * method or path, which the permissions of the key do not cover.
 */
const forwardedNames = [
  'Accept',
  'Accept-Language',
  'Content-Encoding',
  'Content-Language',
  'Content-Type',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'OData-MaxVersion',
  'OData-Version',
  'Prefer',
].map((name) => [name, name.toLowerCase()] as const);

function headersToForward(given: Context['req']['headers']): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, lowerName] of forwardedNames) {
    const value = given[lowerName];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
