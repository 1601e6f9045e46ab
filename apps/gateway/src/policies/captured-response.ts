import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Context, RawReply, ReplyHeaders } from '@rostergate/server';

type Response = Context['res'];

/** The response that a middleware gets in place of the client's: what it writes becomes a reply. */
export interface CapturedResponse {
  readonly res: Response;
  /** Whether the middleware replaced a method of the response, to see or change what is written later. */
  readonly isHooked: () => boolean;
  /** Returns the headers that are set, without those of the connection and of one body. */
  readonly headers: () => Record<string, string | string[]>;
  /** Calls back with everything that is written from now on, as a reply: with its end, or with the first of several writes. */
  readonly capture: (onReply: (reply: RawReply) => void) => void;
  /** Breaks off the body of the reply, so that it does not look complete. */
  readonly breakOff: (error: Error) => void;
}

/** Returns a response of the same class as the client's, with Express's methods, that is not connected to the client. */
export function captureResponse({ req, res: outer }: Pick<Context, 'req' | 'res'>): CapturedResponse {
  const Base = outer.constructor as new (req: unknown) => Response;
  const res = new Base(req);
  let onReply: (reply: RawReply) => void = () => {};
  let isHeadSent = false;
  let body: PassThrough | undefined;

  const writeHead = (status: number, ...more: readonly unknown[]) => {
    const given = more.find((one) => typeof one === 'object' && one !== null);
    res.statusCode = status;
    if (Array.isArray(given)) {
      for (let i = 0; i + 1 < given.length; i += 2) res.setHeader(String(given[i]), given[i + 1]);
    } else {
      for (const [name, value] of Object.entries((given ?? {}) as OutgoingHttpHeaders)) {
        if (value !== undefined) res.setHeader(name, value);
      }
    }
    return res;
  };
  const begin = () => {
    // Called as a method: a middleware may have replaced it to set headers at the last moment.
    if (!isHeadSent) res.writeHead(res.statusCode);
    isHeadSent = true;
  };
  const reply = (raw: RawReply['raw']): void => {
    const { 'content-type': contentType, ...headers } = headersOf(res);
    onReply({ status: res.statusCode, raw, contentType: contentType?.toString(), headers });
  };
  const write = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    if (res.writableEnded) return false;
    begin();
    if (body === undefined) {
      body = new PassThrough();
      body.on('drain', () => res.emit('drain'));
      body.on('error', () => undefined);
      reply(body);
    }
    return body.write(chunk, encoding as BufferEncoding, callback as () => void);
  };
  const end = (...args: unknown[]) => {
    const callback = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
    const [chunk, encoding] = args.filter((arg) => typeof arg !== 'function');
    if (res.writableEnded) return res;
    begin();
    res.finished = true;
    if (body !== undefined) body.end(chunk ?? undefined, encoding as BufferEncoding);
    else
      reply(
        chunk == null
          ? ''
          : typeof chunk === 'string'
            ? Buffer.from(chunk, encoding as BufferEncoding)
            : (chunk as Uint8Array),
      );
    if (callback !== undefined) queueMicrotask(callback);
    return res;
  };
  const own = { writeHead, write, end, flushHeaders: begin };
  Object.assign(res, own);
  Object.defineProperty(res, 'headersSent', { get: () => isHeadSent });
  // Loggers and the like wait for the end of the response to the client.
  outer.once('finish', () => res.emit('finish'));
  outer.once('close', () => res.emit('close'));
  return {
    res,
    isHooked: () => res.writeHead !== writeHead || res.write !== write || res.end !== end,
    headers: () => headersOf(res),
    capture(listener) {
      onReply = listener;
      isHeadSent = false;
      body = undefined;
      res.finished = false;
    },
    breakOff: (error) => void body?.destroy(error),
  };
}

/** Headers of a connection, and of the length of one body, which the gateway sets. */
const notCaptured = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Returns the headers that are set, by lower-case name. */
function headersOf(res: Pick<ServerResponse, 'getHeaders'>): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (value !== undefined && !notCaptured.has(name)) headers[name] = Array.isArray(value) ? value : String(value);
  }
  return headers;
}

/** Sets the status and headers of a reply on a response. */
export function setHead(
  res: Response,
  status: number,
  contentType: string | undefined,
  headers: ReplyHeaders = {},
): void {
  res.statusCode = status;
  if (contentType !== undefined) res.setHeader('Content-Type', contentType);
  for (const name in headers) res.setHeader(name, headers[name] as string | string[]);
}
