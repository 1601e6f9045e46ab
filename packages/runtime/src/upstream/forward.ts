import { PassThrough, type Readable } from 'node:stream';
import type { Context, RawReply } from '../contract/index.ts';
import type { UpstreamResponse } from './exchange.ts';
import { forwardRequestHeaders, forwardResponseHeaders } from './forwarded-headers.ts';
import type { UpstreamRequest } from './upstream.ts';

export interface ForwardOptions {
  /** The upstream's `request`, or what is wrapped around it. */
  readonly send: (request: UpstreamRequest) => Promise<UpstreamResponse>;
  /** From the upstream's root, with its query. */
  readonly path: string;
  /** Added to the caller's headers, and winning over them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that was already read; without it the caller's is streamed on. */
  readonly body?: string | Uint8Array;
}

/**
 * Passes a request on to an upstream and its answer back, both as streams. The caller's key, connection headers and
 * claims of origin stay here; the upstream learns the address that this server saw.
 * @throws Problem `upstream_failed` or `upstream_timeout`.
 */
export async function forward(
  context: Pick<Context, 'req' | 'requestId' | 'signal'>,
  options: ForwardOptions,
): Promise<RawReply> {
  const { req, requestId, signal } = context;
  const more: Record<string, string> = {
    'X-Request-Id': requestId,
    'X-Forwarded-For': req.socket.remoteAddress ?? 'unknown',
    Via: `${req.httpVersion} rostergate`,
    ...options.headers,
  };
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  const body = options.body ?? (hasBody ? detached(req) : undefined);
  if (options.body === undefined && hasBody && req.headers['content-length'] !== undefined)
    more['Content-Length'] = req.headers['content-length'];
  const response = await options.send({
    method: req.method,
    path: options.path,
    headers: forwardRequestHeaders(req.rawHeaders, more),
    ...(body === undefined ? {} : { body }),
    signal,
  });
  const { 'content-type': contentType } = response.headers;
  return {
    status: response.status,
    raw: response.body,
    contentType: typeof contentType === 'string' ? contentType : 'application/octet-stream',
    headers: forwardResponseHeaders(response.headers),
  };
}

/** The caller's body in a stream that may fail alone: the caller is still to be told what became of the request. */
function detached(req: Readable): PassThrough {
  const body = new PassThrough();
  req.once('error', (error) => body.destroy(error));
  return req.pipe(body);
}
