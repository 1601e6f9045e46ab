import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import {
  acceptedCoding,
  type Coding,
  compressBytes,
  compressedFromBytes,
  compressRepeated,
  createCompressor,
  isCompressibleType,
} from '../edge/compress.ts';
import type { Cors } from '../edge/cors.ts';
import { type HeldContext, type HoldOpen, holdStream, openWebSocket } from '../live/hold-open.ts';
import { createProblemDocument, Problem, type ProblemDocument, problemMediaType } from '../problem/index.ts';
import { credentialsOf, withoutCredentials } from './caller-credentials.ts';
import { endWithClient, isClosedEarly } from './connections.ts';
import type { Context } from './context.ts';
import type { RawReply, Reply, ReplyHeaders } from './handler.ts';
import { respondLocally } from './local-sender.ts';
import { pump } from './pump.ts';
import {
  addHeaders,
  encodeHeaders,
  entityTagsIn,
  type Headers,
  isEncrypted,
  isNoTransform,
  joinVary,
  mayTransform,
  securityHeaders,
  securityHeadersOverTls,
  weakenTag,
} from './reply-headers.ts';

export interface ReplyWriterOptions {
  readonly cors: Cors | undefined;
  readonly isCompressing: boolean;
  /** Registers WebSockets and event streams, which may stay open. */
  readonly hold?: HoldOpen | undefined;
  /** Chooses the form of problems by request; problem documents by default. */
  readonly formProblem?: FormProblem | undefined;
}

/** Returns a problem in another form than `application/problem+json`; undefined for a request that needs none. */
export type FormProblem = (document: ProblemDocument, req: IncomingMessage) => FormedProblem | undefined;

/** A problem in the form of a protocol. Its status is that of the problem. */
export interface FormedProblem {
  /** Sent as JSON. */
  readonly body: unknown;
  readonly contentType: string;
  /** Sent beside the headers of the problem. */
  readonly headers?: ReplyHeaders;
}

/** The parts of a request that the writer uses. */
type WriterContext = HeldContext & Pick<Context, 'accepted' | 'limitHeaders'>;

/** Writes replies and problems as HTTP responses; one for each configuration. */
export interface ReplyWriter {
  /** Reads the accepted content codings. @throws Problem `not_acceptable` when no coding is acceptable. */
  negotiate(context: WriterContext): void;
  /** Writes a reply; the promise resolves when it is compressed, or when its stream has ended. */
  write(context: WriterContext, reply: Reply): undefined | Promise<void>;
  writeProblem(context: WriterContext, problem: Problem, instance: string): void;
}

export function createReplyWriter({ cors, isCompressing, hold, formProblem }: ReplyWriterOptions): ReplyWriter {
  const shared = cors === undefined ? {} : sharedHeadersOf(cors);
  const plain = Object.freeze({ ...securityHeaders, ...shared });
  const overTls = Object.freeze({ ...securityHeadersOverTls, ...shared });

  function headersOf({ req, requestId, limitHeaders }: WriterContext): Headers {
    const headers: Headers = { ...(isEncrypted(req.socket) ? overTls : plain), 'X-Request-Id': requestId };
    if (limitHeaders !== undefined) {
      headers['RateLimit-Policy'] = limitHeaders['RateLimit-Policy'];
      headers.RateLimit = limitHeaders.RateLimit;
    }
    if (cors !== undefined) Object.assign(headers, cors.headersFor(req.headers.origin));
    return headers;
  }

  /** Returns the coding of a body (length undefined: unknown), and adds `Vary` where it depends on the client. */
  function codingOf(
    { req, accepted }: WriterContext,
    status: number,
    headers: Headers,
    length?: number,
  ): Coding | undefined {
    if (!isCompressing || status === 206 || status === 204) return undefined;
    if (!accepted.isPlainRejected) {
      if (length !== undefined && length < compressedFromBytes) return undefined;
      if (!isCompressibleType(String(headers['Content-Type']))) return undefined;
    }
    if (!mayTransform(headers)) return undefined;
    headers.Vary = joinVary(headers.Vary, 'Accept-Encoding');
    const { coding } = accepted;
    return coding === undefined || isNoTransform(req.headers['cache-control']) ? undefined : coding;
  }

  function writeWhole(
    context: WriterContext,
    status: number,
    headers: Headers,
    body: RawReply['raw'],
    isRepeated: boolean,
  ) {
    const { req, res } = context;
    const whole = body as string | Uint8Array;
    const length = Buffer.byteLength(whole);
    const coding = codingOf(context, status, headers, length);
    if (coding === undefined) {
      headers['Content-Length'] = length;
      send(res, status, headers, whole);
      return undefined;
    }
    encodeHeaders(headers, coding);
    if (req.method === 'HEAD') {
      // Without the length, which would require compressing (RFC 9110 §8.6).
      send(res, status, headers);
      return undefined;
    }
    const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole;
    const coded = isRepeated ? compressRepeated(bytes, coding) : compressBytes(bytes, coding);
    if (coded instanceof Promise) return coded.then((ready) => sendCoded(res, status, headers, ready));
    sendCoded(res, status, headers, coded);
    return undefined;
  }

  function writeStream(context: WriterContext, reply: RawReply, headers: Headers): undefined | Promise<void> {
    const { req, res } = context;
    const { status, live } = reply;
    const stream = reply.raw as Readable;
    if (status === 101 && hold !== undefined) {
      openWebSocket(hold, context, reply, headers);
      return undefined;
    }
    const known = headers['Content-Length'];
    const coding = codingOf(context, status, headers, known === undefined ? undefined : Number(known));
    if (coding !== undefined) encodeHeaders(headers, coding);
    if (req.method === 'HEAD') {
      stream.destroy();
      send(res, status, headers);
      return undefined;
    }
    const begin = () => void res.writeHead(status, headers as never);
    // The head of an event stream is sent before the first event, which may be late.
    const staysOpen = live !== undefined || String(headers['Content-Type']).startsWith('text/event-stream');
    if (staysOpen) {
      begin();
      endWithClient(res);
      res.flushHeaders();
    }
    const compressor = coding === undefined ? undefined : createCompressor(coding);
    const sent = compressor === undefined ? stream : pipeline(stream, compressor, ignore);
    // Until the first byte of the body, a failure can still become a problem document.
    const pumped = pump(sent, res, staysOpen ? undefined : begin);
    return staysOpen && hold !== undefined ? holdStream(hold, context, reply, pumped, compressor) : pumped;
  }

  function writeNothing(context: WriterContext, status: number, headers: Headers): void {
    if (status === 304) {
      describeNotModified(context, headers);
      // Both describe the body of the 200 (RFC 9110 §15.4.5).
      delete headers['Content-Length'];
      delete headers['Content-Type'];
    } else if (status !== 204) headers['Content-Length'] = 0;
    send(context.res, status, headers);
  }

  /** Gives a 304 the ETag and the `Vary` of the corresponding 200 (RFC 9110 §15.4.5). */
  function describeNotModified(context: WriterContext, headers: Headers): void {
    const length = headers['Content-Length'];
    headers['Content-Type'] ??= 'application/json';
    const coding = codingOf(context, 200, headers, length === undefined ? undefined : Number(length));
    // The length decides whether the 200 is encoded; without it, the client's ETag does.
    const isKnown = entityTagsIn(context.req.headers['if-none-match']).includes(String(headers.ETag));
    const isCoded = coding !== undefined && (length !== undefined || !isKnown);
    if (isCoded) weakenTag(headers);
  }

  function write(context: WriterContext, reply: Reply): undefined | Promise<void> {
    const headers = headersOf(context);
    const { status } = reply;
    if ('raw' in reply) {
      if (reply.contentType !== undefined) headers['Content-Type'] = reply.contentType;
      if (reply.headers !== undefined) addHeaders(headers, reply.headers);
      // A 204 with a length makes some clients wait for a body, or read the next response as it (RFC 9110 §8.6).
      if (status === 204) {
        delete headers['Content-Length'];
        delete headers['Content-Type'];
      }
      if (status === 304 || status === 204) {
        if (reply.raw instanceof Readable) reply.raw.destroy();
        writeNothing(context, status, headers);
        return undefined;
      }
      if (reply.raw instanceof Readable) return writeStream(context, reply, headers);
      return writeWhole(context, status, headers, reply.raw, reply.isRepeated === true);
    }
    if (reply.headers !== undefined) addHeaders(headers, reply.headers);
    if (reply.body === undefined) {
      writeNothing(context, status, headers);
      return undefined;
    }
    headers['Content-Type'] ??= 'application/json';
    return writeWhole(context, status, headers, JSON.stringify(reply.body), false);
  }

  return {
    negotiate(context) {
      const header = context.req.headers['accept-encoding'];
      if (header === undefined) return;
      const accepted = acceptedCoding(String(header));
      if (accepted.isPlainRejected && (accepted.coding === undefined || !isCompressing)) {
        const remedy = isCompressing ? 'gzip, br or identity' : 'identity';
        throw new Problem('not_acceptable', `Accept the response in ${remedy}; Accept-Encoding excludes all of them.`);
      }
      context.accepted = accepted;
    },
    write,
    writeProblem(context, problem, instance) {
      const { res } = context;
      if (res.headersSent) {
        // A truncated response must not look complete.
        res.destroy();
        return;
      }
      try {
        clearHeaders(res);
        const document = createProblemDocument(problem, context.requestId, instance);
        const { body, contentType, headers } = formProblem?.(document, context.req) ?? {
          body: document,
          contentType: problemMediaType,
        };
        const raw = toJson(body, credentialsOf(context.req));
        const all = { ...problem.headers, ...headers, ...(isClosedEarly(context.req) && { Connection: 'close' }) };
        write(context, { status: problem.status, raw, contentType, headers: all })?.catch(() => res.destroy());
      } catch {
        res.destroy();
      }
    },
  };
}

/** Returns a problem as JSON, without the credentials of its request. */
function toJson(body: unknown, credentials: readonly string[]): string {
  const json = JSON.stringify(body);
  if (!credentials.some((credential) => json.includes(JSON.stringify(credential).slice(1, -1)))) return json;
  return JSON.stringify(body, (_, value) =>
    typeof value === 'string' ? withoutCredentials(value, credentials) : value,
  );
}

/** Outside of the writer, which an open stream must not hold. */
const ignore = (): void => {};

/** Returns the CORS headers of every response, for any origin. */
function sharedHeadersOf({ variesByOrigin, headersFor }: Cors): Readonly<Record<string, string>> {
  // Any origin that may read a response may embed it.
  return variesByOrigin ? { Vary: 'Origin' } : { 'Cross-Origin-Resource-Policy': 'cross-origin', ...headersFor('*') };
}

function send(res: ServerResponse, status: number, headers: Headers, body?: string | Uint8Array): void {
  if (respondLocally(res, status, headers, body)) return;
  res.writeHead(status, headers as never);
  // Node writes text together with the head. Latin-1 maps each byte to one character.
  if (Buffer.isBuffer(body) && body.length <= oneWriteBytesMax) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

/** Copying a longer body costs more than a second write. */
const oneWriteBytesMax = 16 * 1024;

function sendCoded(res: ServerResponse, status: number, headers: Headers, bytes: Buffer): void {
  headers['Content-Length'] = bytes.length;
  send(res, status, headers, bytes);
}

/** Removes the headers of a reply that Node rejected, where others were set before. */
function clearHeaders(res: ServerResponse): void {
  if (!res.hasHeader('Content-Type')) return;
  for (const name of res.getHeaderNames()) res.removeHeader(name);
}
