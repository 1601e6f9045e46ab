import type { RawReply, UnreadBody } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { discard, type SendOnce, type UpstreamResponse, wholeBodyOf } from '@rostergate/upstream';
import { strongly } from '../reads/entity-tags.ts';
import type { Caller } from '../staff-call.ts';
import { headersToRelay, isEncoded, readInTime } from '../upstream/relay-response.ts';
import { brokeOff, createUpstreamProblem, readBytes, rethrowAsBrokenOff } from '../upstream/upstream-problem.ts';
import type { PassThroughOperation } from './pass-through-operations.ts';

/** A request for a path beyond the contract. */
export interface PassThroughCall {
  readonly operation: PassThroughOperation;
  /** HEAD or the method of the operation. */
  readonly method: string;
  /** The path from the root of this proxy. */
  readonly path: string;
  /** With its question mark; empty for none. */
  readonly query: string;
  readonly companyKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A short body as bytes, which can be sent again. */
  readonly body: Uint8Array | UnreadBody | undefined;
}

/** @throws Problem for every fault of the upstream. */
export type SendPassThrough = (call: PassThroughCall, caller: Caller) => Promise<RawReply>;

export interface PassThroughUpstreamOptions {
  readonly request: SendOnce;
  /** Address of the API; its path ends in the base path of this proxy. */
  readonly baseUrl: URL;
  /** Base path of the operations at this proxy. */
  readonly ownBase: string;
  readonly rewriteLocation: (location: string) => string | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Returns the function that sends a call with a token of its account, begun by the deadline. */
export function createPassThroughUpstream(options: PassThroughUpstreamOptions) {
  const { request, baseUrl, ownBase, rewriteLocation, clock } = options;
  const base = baseUrl.pathname.replace(/\/$/, '');
  const { origin } = baseUrl;

  async function send(
    call: PassThroughCall,
    token: string,
    caller: Caller,
    deadlineMs: number,
  ): Promise<RawReply | 'token_rejected'> {
    const { operation, method, body } = call;
    if (isUsed(body)) throw sentOnce();
    const toUpstream = (path: string) => base + path.slice(ownBase.length);
    const traced = caller.trace?.startCall({ method, origin, template: toUpstream(operation.path) });
    const headers: Record<string, string> = {
      ...call.headers,
      ...traced?.headers,
      Authorization: `bearer ${token}`,
      'X-Request-Id': caller.requestId,
    };
    if (headers['If-Match'] !== undefined) headers['If-Match'] = strongly(headers['If-Match']);
    if (caller.via !== undefined) headers.Via = caller.via;
    if (body !== undefined && body.length !== undefined) headers['Content-Length'] = String(body.length);
    const sent = {
      ...{ method, path: toUpstream(call.path) + call.query, headers, signal: caller.signal, deadlineMs },
      isRepeatable: operation.method === 'get',
      // Its body arrives at the pace of the caller, so a timeout may concern this caller only.
      caller: caller.principal?.owner,
      ...(body === undefined ? {} : { body }),
    };
    const response = await request(sent).catch((error) => {
      traced?.end({ error });
      throw error;
    });
    const { status } = response;
    traced?.end({ status });
    if (status === 401) {
      discard(response);
      return 'token_rejected';
    }
    return readInTime(
      response,
      () => deadlineMs - clock(),
      () => relay(response, method, token),
    );
  }

  async function relay(response: UpstreamResponse, method: string, token: string): Promise<RawReply> {
    const { status, headers: given } = response;
    if (status === 429 || status >= 500) throw await createUpstreamProblem(response, token);
    if (isEncoded(response)) {
      response.body.destroy();
      throw new Problem('upstream_failed', `The upstream answered ${status} with an encoding that was not asked for.`);
    }
    const { 'content-type': contentType, 'content-length': length, location } = given;
    const headers = headersToRelay(response);
    for (const [lowerName, name] of relayedNames) {
      const value = given[lowerName];
      if (typeof value === 'string') headers[name] = value;
    }
    const ownLocation = typeof location === 'string' ? rewriteLocation(location) : undefined;
    if (ownLocation !== undefined) headers.Location = ownLocation;
    const reply = { status, contentType: typeof contentType === 'string' ? contentType : undefined, headers };
    if (method === 'HEAD' || status === 204 || status === 304) {
      if (typeof length === 'string') headers['Content-Length'] = length;
      return { ...reply, raw: response.body };
    }
    const isShort = Number(length) <= wholeBytesMax;
    // An error may repeat the request, with the token of the account.
    if (!isShort && status < 400) {
      if (typeof length === 'string') headers['Content-Length'] = length;
      return { ...reply, raw: response.body };
    }
    const raw = isShort ? await wholeOf(response) : await readError(response);
    if (!raw.includes(token)) return { ...reply, raw };
    throw new Problem('upstream_failed', `The upstream answered ${status} with a text that cannot be passed on.`);
  }

  return { send };
}

/** Responses up to this length are read whole first, so that a broken one becomes a 502. */
const wholeBytesMax = 64 * 1024;

/** The headers of a response that callers get, besides those of other responses. */
const relayedNames = [
  ['content-disposition', 'Content-Disposition'],
  ['content-language', 'Content-Language'],
  ['retry-after', 'Retry-After'],
] as const;

async function wholeOf(response: UpstreamResponse): Promise<Buffer> {
  try {
    return await wholeBodyOf(response);
  } catch (cause) {
    throw brokeOff(response.status, cause);
  }
}

async function readError({ status, body }: UpstreamResponse): Promise<Buffer> {
  const tooLong = () => new Problem('upstream_failed', `The upstream answered ${status} with a long text.`);
  return Buffer.concat(await readBytes(body, wholeBytesMax, tooLong).catch(rethrowAsBrokenOff(status)));
}

/** Whether a streamed body has been read, so that it cannot be sent again. */
function isUsed(body: PassThroughCall['body']): boolean {
  return body !== undefined && 'isUntouched' in body && !body.isUntouched;
}

function sentOnce(): Problem {
  return new Problem(
    'unavailable',
    'The upstream asked for another login while it read your request, which did nothing. Send it again.',
    { headers: { 'Retry-After': '1' } },
  );
}
