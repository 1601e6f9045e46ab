import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { type CallSignal, type HeaderChanges, hasBody, type RawReply, type Trace } from '@rostergate/server';
import { bufferedBodyOf } from './exchange.ts';
import { forwardRequestHeaders, forwardResponseHeaders } from './forwarded-headers.ts';
import { originOf } from './forwarded-origin.ts';
import { pseudonym } from './proxy-status.ts';
import type { RewriteAddresses } from './public-address.ts';
import { isOpenable, type RequestBody, type SendOnce } from './upstream.ts';
import type { OnInterim } from './upstream-response.ts';

export interface ForwardOptions {
  /** The upstream's `request`, or a wrapper of it. */
  readonly send: SendOnce;
  /** The path from the upstream's root, with its query. */
  readonly path: string;
  /** Added to the caller's headers, which they replace. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The body in place of the caller's: bytes that were already read, a body with its own length, or null for none. Without
   * it the caller's body is streamed.
   */
  readonly body?: Uint8Array | string | SizedBody | null;
  /** The conditional headers of a cache, in place of the caller's. */
  readonly conditions?: Readonly<Record<string, string>> | undefined;
  /** Whether a proxy at this address may state the origin of a request; none may by default. */
  readonly isTrustedProxy?: ((address: string) => boolean) | undefined;
  /**
   * Returns the address of a client without a key, for the breaker: behind a trusted proxy, that of the client. By default
   * the address of the connection.
   */
  readonly addressKey?: ((req: IncomingMessage) => string) | undefined;
  /** Rewrites the upstream's own address in response headers. */
  readonly addresses?: RewriteAddresses | undefined;
  /** The destination in the trace: the upstream's origin, if there is one target, and the template of the path. */
  readonly traced?: { readonly origin?: string | undefined; readonly template: string } | undefined;
}

/** A body to be opened, and its length unless it is sent in chunks. */
export type SizedBody = Extract<RequestBody, { open(): Readable }> & { readonly length: number | undefined };

/** The request to forward. */
export interface ForwardedContext {
  readonly req: IncomingMessage;
  /** Receives interim responses of the upstream, which are otherwise dropped. */
  readonly res?: ServerResponse;
  readonly requestId: string;
  readonly principal?: { readonly owner: string } | null;
  /** Aborts when the caller has left. */
  readonly signal: CallSignal;
  /** The narrower signal of this call, if any. */
  readonly call?: CallSignal;
  readonly trace?: Pick<Trace, 'startCall'>;
  /** Receives the host of the target. */
  upstream?: string | undefined;
  /** Changes of the request's headers, by the policies of its route. */
  readonly headerChanges?: HeaderChanges;
}

/**
 * Forwards a request to an upstream and returns its response, both as streams, or as bytes if the body has arrived with
 * the head. It removes the caller's key, connection headers and claimed origin, and adds the observed address.
 * @throws Problem `upstream_failed` or `upstream_timeout`.
 */
export async function forward(context: ForwardedContext, options: ForwardOptions): Promise<RawReply> {
  const { req, requestId, trace } = context;
  const signal = context.call ?? context.signal;
  const method = req.method ?? 'GET';
  const traced = trace?.startCall({ method, ...options.traced });
  const { body = streamed(req), conditions } = options;
  const origin = originOf(req, options.isTrustedProxy);
  const more: Record<string, string> = {
    'X-Request-Id': requestId,
    'X-Forwarded-For': origin.for,
    ...traced?.headers,
    ...options.headers,
    ...conditions,
  };
  if (origin.proto !== undefined) more['X-Forwarded-Proto'] = origin.proto;
  if (origin.forwarded !== undefined) more.Forwarded = origin.forwarded;
  const length = lengthOf(req, body);
  if (length !== undefined) more['Content-Length'] = String(length);
  const response = await options
    .send({
      method,
      path: options.path,
      headers: forwardRequestHeaders(
        req.rawHeaders,
        more,
        {
          trustsOrigin: origin.isTrusted,
          isConditional: conditions === undefined,
          via: `${req.httpVersion} ${pseudonym}`,
        },
        context.headerChanges,
      ),
      caller: context.principal?.owner ?? options.addressKey?.(req) ?? origin.address,
      record: context,
      onInterim: interimWriter(context, options.addresses),
      ...(body === null ? {} : { body }),
      signal,
    })
    .catch((error) => {
      traced?.end({ error });
      throw error;
    });
  traced?.end({ status: response.status });
  const { 'content-type': contentType } = response.headers;
  const headers = forwardResponseHeaders(response.headers, options.addresses);
  headers.Via = headers.Via === undefined ? ownVia : `${headers.Via}, ${ownVia}`;
  return {
    status: response.status,
    // Most responses are short: they are sent in one write, without a stream.
    raw: bufferedBodyOf(response) ?? response.body,
    contentType: typeof contentType === 'string' ? contentType : undefined,
    headers,
  };
}

const ownVia = `1.1 ${pseudonym}`;

/** Forwards interim responses, such as 103 Early Hints; HTTP/1.0 has none (RFC 9110 §15.2). */
function interimWriter({ req, res }: ForwardedContext, addresses: RewriteAddresses | undefined): OnInterim | undefined {
  if (res === undefined || req.httpVersion !== '1.1') return undefined;
  return (status, given) => {
    // An endless series of them must not fill the memory for a client that does not read.
    if (res.headersSent || req.socket.writableLength > interimBytesMax) return;
    const { 'Set-Cookie': _, 'Content-Length': __, ...headers } = forwardResponseHeaders(given, addresses);
    res.writeInformation?.(status, headers);
  };
}

const interimBytesMax = 16 * 1024;

/** Returns the Content-Length to forward; bytes set their own, and chunks have none. */
function lengthOf(req: IncomingMessage, body: RequestBody | null): number | undefined {
  if (body === null || isBytes(body)) return undefined;
  if (isOpenable(body)) return (body as SizedBody).length;
  const announced = req.headers['content-length'];
  return announced === undefined ? undefined : Number(announced);
}

function isBytes(body: RequestBody | null): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Returns the caller's body as a stream that can fail without ending the response to the caller. */
function streamed(req: IncomingMessage): PassThrough | null {
  if (!hasBody(req)) return null;
  const body = new PassThrough();
  req.once('error', (error) => body.destroy(error));
  return req.pipe(body);
}
