import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { compressBytes, compressedFromBytes, compressKept, createCompressor } from '../edge/compress.ts';
import { isCompressibleType } from '../edge/compressible-type.ts';
import { acceptedCoding, type Coding } from '../edge/content-coding.ts';
import type { Cors } from '../edge/cors.ts';
import { isEncrypted, securityHeaders, securityHeadersOverTls } from '../edge/security-headers.ts';
import { createProblemDocument, Problem, problemMediaType } from '../problem/index.ts';
import type { Context } from './context.ts';
import { isClosedEarly } from './early-response.ts';
import { endWithClient } from './connections.ts';
import type { RawReply, Reply, ReplyHeaders } from './handler.ts';
import { pump } from './pump.ts';

export interface ReplyWriterOptions {
  readonly cors: Cors | undefined;
  readonly isCompressing: boolean;
}

/** What the writer sees of a request. */
export type Answered = Pick<Context, 'req' | 'res' | 'requestId' | 'accepted' | 'limitHeaders'>;

/** What a reply or a problem becomes on the wire; one for each configuration. */
export interface ReplyWriter {
  /** Reads what codings the caller takes. @throws Problem `not_acceptable` when nothing can be sent at all. */
  negotiate(context: Answered): void;
  /** Sends a reply; the promise resolves when the last byte has been handed over (a stream: when it has ended). */
  write(context: Answered, reply: Reply): undefined | Promise<void>;
  writeProblem(context: Answered, problem: Problem, instance: string): void;
}

type Headers = Record<string, string | number | readonly string[]>;

export function createReplyWriter({ cors, isCompressing }: ReplyWriterOptions): ReplyWriter {
  const shared = cors === undefined ? {} : sharedHeadersOf(cors);
  const plain = Object.freeze({ ...securityHeaders, ...shared });
  const overTls = Object.freeze({ ...securityHeadersOverTls, ...shared });

  function headersOf({ req, requestId, limitHeaders }: Answered): Headers {
    const headers: Headers = { ...(isEncrypted(req.socket) ? overTls : plain), 'X-Request-Id': requestId };
    if (limitHeaders !== undefined) {
      headers['RateLimit-Policy'] = limitHeaders['RateLimit-Policy'];
      headers.RateLimit = limitHeaders.RateLimit;
    }
    if (cors !== undefined) Object.assign(headers, cors.headersFor(req.headers.origin));
    return headers;
  }

  /** What a body of this length (undefined: nobody knows) is to be compressed with; tells caches where it matters. */
  function codingOf(
    { req, accepted }: Answered,
    status: number,
    headers: Headers,
    length?: number,
  ): Coding | undefined {
    if (!isCompressing || status === 206 || status === 204) return undefined;
    if (!accepted.isPlainRefused) {
      if (length !== undefined && length < compressedFromBytes) return undefined;
      if (!isCompressibleType(String(headers['Content-Type']))) return undefined;
    }
    if (!mayTransform(headers)) return undefined;
    headers.Vary = joinVary(headers.Vary, 'Accept-Encoding');
    const { coding } = accepted;
    return coding === undefined || isNoTransform(req.headers['cache-control']) ? undefined : coding;
  }

  function writeWhole(context: Answered, status: number, headers: Headers, body: RawReply['raw'], isKept: boolean) {
    const { req, res } = context;
    const whole = body as string | Uint8Array;
    const length = Buffer.byteLength(whole);
    const coding = codingOf(context, status, headers, length);
    if (coding === undefined) {
      headers['Content-Length'] = length;
      send(res, status, headers, whole);
      return undefined;
    }
    becomeCoded(headers, coding);
    if (req.method === 'HEAD') {
      // The length would take compressing what nobody reads; it may be left out (RFC 9110 §8.6).
      send(res, status, headers);
      return undefined;
    }
    const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole;
    const coded = isKept ? compressKept(bytes, coding) : compressBytes(bytes, coding);
    if (coded instanceof Promise) return coded.then((ready) => sendCoded(res, status, headers, ready));
    sendCoded(res, status, headers, coded);
    return undefined;
  }

  function writeStream(context: Answered, { status, raw }: RawReply, headers: Headers): undefined | Promise<void> {
    const { req, res } = context;
    const stream = raw as Readable;
    const known = headers['Content-Length'];
    const coding = codingOf(context, status, headers, known === undefined ? undefined : Number(known));
    if (coding !== undefined) becomeCoded(headers, coding);
    if (req.method === 'HEAD') {
      stream.destroy();
      send(res, status, headers);
      return undefined;
    }
    const begin = () => void res.writeHead(status, headers as never);
    // The first event may be long in coming; that there will be some is to be known at once.
    const isEventStream = String(headers['Content-Type']).startsWith('text/event-stream');
    if (isEventStream) {
      begin();
      endWithClient(res);
      res.flushHeaders();
    }
    const sent = coding === undefined ? stream : pipeline(stream, createCompressor(coding), () => {});
    // Until the first byte of the body is there, a failure can still become a problem document.
    return pump(sent, res, isEventStream ? undefined : begin);
  }

  function writeNothing(context: Answered, status: number, headers: Headers): void {
    if (status === 304) {
      becomeNotModified(context, headers);
      // Both belong to the 200 that a 304 stands for (RFC 9110 §15.4.5).
      delete headers['Content-Length'];
      delete headers['Content-Type'];
    } else if (status !== 204) headers['Content-Length'] = 0;
    send(context.res, status, headers);
  }

  /** A 304 has the validator and the `Vary` of the 200 that it stands for (RFC 9110 §15.4.5). */
  function becomeNotModified(context: Answered, headers: Headers): void {
    const length = headers['Content-Length'];
    headers['Content-Type'] ??= 'application/json';
    const coding = codingOf(context, 200, headers, length === undefined ? undefined : Number(length));
    // The length decides whether the 200 is coded. Without it, the tag that the caller has does.
    const isCoded = coding !== undefined && (length !== undefined || !names(context.req, headers.ETag));
    if (isCoded) weakenTag(headers);
  }

  function write(context: Answered, reply: Reply): undefined | Promise<void> {
    const headers = headersOf(context);
    const { status } = reply;
    if ('raw' in reply) {
      if (reply.contentType !== undefined) headers['Content-Type'] = reply.contentType;
      if (reply.headers !== undefined) addHeaders(headers, reply.headers);
      if (status === 204) describeNoContent(headers);
      if (status === 304 || status === 204) {
        if (reply.raw instanceof Readable) reply.raw.destroy();
        writeNothing(context, status, headers);
        return undefined;
      }
      if (reply.raw instanceof Readable) return writeStream(context, reply, headers);
      return writeWhole(context, status, headers, reply.raw, reply.isKept === true);
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
      if (accepted.isPlainRefused && (accepted.coding === undefined || !isCompressing)) {
        const remedy = isCompressing ? 'gzip, br or identity' : 'identity';
        throw new Problem('not_acceptable', `Accept an answer in ${remedy}; Accept-Encoding rules out every one.`);
      }
      context.accepted = accepted;
    },
    write,
    writeProblem(context, problem, instance) {
      const { res } = context;
      if (res.headersSent) {
        // Half an answer must not look whole.
        res.destroy();
        return;
      }
      try {
        forgetReply(res);
        const raw = JSON.stringify(createProblemDocument(problem, context.requestId, instance));
        const headers = isClosedEarly(context.req) ? { ...problem.headers, Connection: 'close' } : problem.headers;
        const reply = { status: problem.status, raw, contentType: problemMediaType, headers };
        write(context, reply)?.catch(() => res.destroy());
      } catch {
        res.destroy();
      }
    },
  };
}

/** What every answer has because of the policy, whoever asks. */
function sharedHeadersOf({ variesByOrigin, headersFor }: Cors): Readonly<Record<string, string>> {
  // Who may embed an answer is no narrower than who may read it.
  return variesByOrigin ? { Vary: 'Origin' } : { 'Cross-Origin-Resource-Policy': 'cross-origin', ...headersFor('*') };
}

function send(res: ServerResponse, status: number, headers: Headers, body?: string | Uint8Array): void {
  res.writeHead(status, headers as never);
  // Node writes a text in one piece with the head; each character of Latin-1 is the byte of that number.
  if (Buffer.isBuffer(body) && body.length <= oneWriteBytesMax) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

/** A longer body is better sent beside the head than copied into one piece with it. */
const oneWriteBytesMax = 16 * 1024;

function sendCoded(res: ServerResponse, status: number, headers: Headers, bytes: Buffer): void {
  headers['Content-Length'] = bytes.length;
  send(res, status, headers, bytes);
}

/** As this file spells the headers that it looks at or that every answer has, so that none of them comes twice. */
const ownNames: ReadonlyMap<string, string> = new Map(
  [
    ...Object.keys(securityHeadersOverTls),
    'Accept-Ranges',
    'Access-Control-Allow-Credentials',
    'Access-Control-Allow-Origin',
    'Access-Control-Expose-Headers',
    'Content-Digest',
    'Content-Encoding',
    'Content-Length',
    'Content-Range',
    'Content-Type',
    'Digest',
    'ETag',
    'Expires',
    'Vary',
    'X-Request-Id',
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Adds what a reply says. The default of Cache-Control does not stand beside Expires, and an empty one leaves it out:
 * the reply comes from an upstream that says nothing of caching.
 */
function addHeaders(headers: Headers, more: ReplyHeaders): void {
  let isCacheSaid = false;
  for (const given in more) {
    const value = more[given] as ReplyHeaders[string];
    const name = spellingOf(given);
    headers[name] = name === 'Vary' && headers.Vary !== undefined ? joinVary(headers.Vary, String(value)) : value;
    if (name === 'Cache-Control') isCacheSaid = true;
  }
  if (isCacheSaid ? headers['Cache-Control'] === '' : headers.Expires !== undefined) delete headers['Cache-Control'];
}

function spellingOf(given: string): string {
  let name = spellings.get(given);
  if (name === undefined) {
    name = ownNames.get(given.toLowerCase()) ?? given;
    // Names are few, unless an upstream makes them up.
    if (spellings.size < spellingsMax) spellings.set(given, name);
  }
  return name;
}

const spellings = new Map<string, string>();
const spellingsMax = 1_000;

/** The same two come together again and again: each pair is joined once. */
function joinVary(known: Headers[string] | undefined, more: string): string {
  if (known === undefined) return more;
  let withKnown = joinedVaries.get(String(known));
  if (withKnown === undefined) {
    // They are few, unless an upstream makes them up.
    if (joinedVaries.size >= joinedVariesMax) joinedVaries.clear();
    withKnown = new Map();
    joinedVaries.set(String(known), withKnown);
  }
  let joined = withKnown.get(more);
  if (joined === undefined) {
    const names = new Map<string, string>();
    for (const member of `${known}, ${more}`.split(',')) {
      const name = member.trim();
      const lower = name.toLowerCase();
      if (!names.has(lower)) names.set(lower, name);
    }
    joined = [...names.values()].join(', ');
    if (withKnown.size >= joinedVariesMax) withKnown.clear();
    withKnown.set(more, joined);
  }
  return joined;
}

const joinedVaries = new Map<string, Map<string, string>>();
const joinedVariesMax = 30;

/** Whatever an upstream says: after a length some readers wait for bytes, or take the next answer's (RFC 9110 §8.6). */
function describeNoContent(headers: Headers): void {
  delete headers['Content-Length'];
  delete headers['Content-Type'];
}

/** What is coded, a part, summed up byte by byte or forbidden to be changed stays as it is. */
function mayTransform(headers: Headers): boolean {
  return (
    headers['Content-Encoding'] === undefined &&
    headers['Content-Range'] === undefined &&
    headers['Content-Digest'] === undefined &&
    headers.Digest === undefined &&
    !isNoTransform(headers['Cache-Control'])
  );
}

function isNoTransform(cacheControl: Headers[string] | undefined): boolean {
  // Most answers say what all answers say.
  if (cacheControl === undefined || cacheControl === securityHeaders['Cache-Control']) return false;
  return /\bno-transform\b/i.test(String(cacheControl));
}

/** The headers of another form of the same thing (RFC 9110 §8.8.3): no byte of it is what the plain one has. */
function becomeCoded(headers: Headers, coding: Coding): void {
  headers['Content-Encoding'] = coding;
  delete headers['Content-Length'];
  delete headers['Accept-Ranges'];
  weakenTag(headers);
}

function weakenTag(headers: Headers): void {
  const tag = headers.ETag;
  if (typeof tag === 'string' && tag.startsWith('"')) headers.ETag = `W/${tag}`;
}

/** Whether If-None-Match names exactly this tag, not a weakened one. */
function names(req: Answered['req'], tag: Headers[string] | undefined): boolean {
  const named: readonly string[] = req.headers['if-none-match']?.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tag !== undefined && named.includes(String(tag));
}

/** A reply whose head Node refused has left some of its headers behind where some were set before. */
function forgetReply(res: ServerResponse): void {
  if (!res.hasHeader('Content-Type')) return;
  for (const name of res.getHeaderNames()) res.removeHeader(name);
}
