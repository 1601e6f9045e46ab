import {
  type AnyHandler,
  type Context,
  type ContractRouter,
  callerHeadersOf,
  type LocalResponse,
  type RawReply,
  type SendLocally,
} from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { parsePreferences } from '../../operations/preferences.ts';
import { createPause } from '../../store/pace.ts';
import { odataVersionFor } from '../odata-version.ts';
import { rootPath, rootUrlFor } from '../root-url.ts';
import { type Batch, parseBatch } from './parse-batch.ts';
import { toErrorResponse } from './part-response.ts';
import { type PartRequest, runBatch } from './run-batch.ts';

export interface BatchHandlerOptions {
  /** Sends a request through the whole pipeline of this server. */
  readonly send: SendLocally;
  readonly router: () => Pick<ContractRouter, 'operationAt'>;
  /** Milliseconds. */
  readonly clock: () => number;
  /** The most bytes of all bodies of the responses of a batch. */
  readonly bytesMax: number;
}

/** How long after its beginning a batch begins requests. Each is bounded by the time of its statements. */
const beginsWithinMs = 60_000;

/** Handles `POST /$batch`: each part is a request of its own with the credential of the batch. */
export function createBatchHandler({ send, router, clock, bytesMax }: BatchHandlerOptions): AnyHandler {
  return async ({ body }: { readonly body: Batch }, context: Context): Promise<RawReply> => {
    const { req, requestId, startedMs, call } = context;
    const version = odataVersionFor(req.headers);
    const { continuesOnError } = parsePreferences(req.headers.prefer);
    const root = URL.parse(rootUrlFor(req), 'http://localhost') ?? new URL(rootPath, 'http://localhost');
    const operationAt = (method: string, url: string) => router().operationAt(method, url);
    const headers = { ...callerHeadersOf(req), ...versionsOf(req.headers) };
    const raw = await runBatch(parseBatch(body, root, operationAt), {
      ...{ root, operationAt, bytesMax },
      continuesOnError: continuesOnError ?? true,
      isLate: () => clock() - startedMs > beginsWithinMs,
      pause: createPause(),
      toError: (problem) => toErrorResponse(problem, requestId, version),
      send: (part) => sendPart({ ...part, headers: { ...headers, ...typeOf(part), ...part.headers } }, context, send),
    });
    if (call.aborted) throw new Error('The client has left.');
    const preference =
      continuesOnError === undefined ? {} : { 'Preference-Applied': `continue-on-error=${continuesOnError}` };
    return { status: 200, raw, contentType: 'application/json', headers: { 'OData-Version': version, ...preference } };
  };
}

async function sendPart(part: PartRequest, context: Context, send: SendLocally): Promise<LocalResponse> {
  const { req, call, trace } = context;
  const traced = trace.startCall({ method: part.method });
  try {
    const headers = { ...part.headers, ...traced.headers };
    const response = await send({ ...part, headers, client: req.socket, signal: call });
    traced.end({ status: response.status });
    return response;
  } catch (error) {
    traced.end({ error });
    if (call.aborted) throw error;
    throw new Problem('internal_error', 'The request broke off. Try again.', { cause: error });
  }
}

/** The version of OData of a batch is the one of its parts, unless they have their own. */
function versionsOf(headers: Context['req']['headers']): Record<string, string> {
  const names = ['odata-version', 'odata-maxversion'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

function typeOf({ body }: PartRequest): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}
