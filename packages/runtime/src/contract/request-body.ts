import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { createValidationProblem, Problem } from '../problem/index.ts';
import { isUtf8Name, parseContentType } from './content-type.ts';
import { isDeeperThan } from './json-depth.ts';
import type { RequestBodyObject } from './openapi.ts';
import { onRequestFault } from './request-fault.ts';
import { findTextFaults } from './text-faults.ts';
import { UnreadBody } from './unread-body.ts';

export interface ParsedBody {
  /** The declared media type that was matched, never the caller's spelling: validators are cached by it. */
  readonly mediaType: string;
  readonly value: unknown;
  /** In bytes, where it was read here. */
  readonly length?: number | undefined;
}

export type BodyReader = (req: Request, res: Response) => Promise<ParsedBody | undefined>;

/**
 * Reads and parses the body of one operation; undefined when the caller sent none. An operation that takes any media
 * type is given the body unread.
 */
export function createBodyReader(requestBody: RequestBodyObject, bytesMax: number): BodyReader {
  if (takesAnyBody(requestBody)) {
    return async (req) =>
      hasBody(req) ? { mediaType: anyMediaType, value: new UnreadBody(req, bytesMax) } : undefined;
  }
  const parsers = new Map(
    Object.keys(requestBody.content).map((type) => [type.toLowerCase(), createParser(type.toLowerCase(), bytesMax)]),
  );
  const supported = [...parsers.keys()].join(' or ');
  return async (req, res) => {
    if (!hasBody(req)) {
      if (requestBody.required === true) {
        throw new Problem('validation_failed', `Send a body as ${supported}.`, {
          errors: [{ pointer: '', detail: 'is required' }],
        });
      }
      return undefined;
    }
    const { mediaType, isUtf8: saysUtf8 } = parseContentType(req.headers['content-type']);
    const parse = parsers.get(mediaType);
    if (parse === undefined) {
      throw new Problem('media_type_unsupported', `Send the body as ${supported}, and say so in Content-Type.`);
    }
    // A parser would read other encodings too, where what it makes of the bytes is not what others see in them.
    if (!saysUtf8 && isText(mediaType)) throw new Problem('media_type_unsupported', 'Send the body in UTF-8.');
    // A host application may have parsed the body before us.
    if (req.body === undefined) await parse(req, res);
    const errors = findTextFaults(req.body);
    if (errors.length > 0) throw createValidationProblem(errors);
    return { mediaType, value: req.body, length: bytesOfBody(req)?.length };
  };
}

/** Whether the body is handed on unread, whatever it is. */
export function takesAnyBody(requestBody: RequestBodyObject): boolean {
  return anyMediaType in requestBody.content;
}

const anyMediaType = '*/*';

function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Whether its parser decodes the bytes: of others a charset says nothing. */
function isText(mediaType: string): boolean {
  return isJson(mediaType) || mediaType === formType || mediaType.startsWith('text/');
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

const formType = 'application/x-www-form-urlencoded';

function createParser(mediaType: string, bytesMax: number): (req: Request, res: Response) => Promise<void> {
  const options = { limit: bytesMax, type: () => true, verify: keepText };
  let parser: RequestHandler;
  if (isJson(mediaType)) parser = express.json({ ...options, strict: false, verify: keepJson });
  else if (mediaType === formType) parser = express.urlencoded({ ...options, extended: false, verify: keepFields });
  else if (mediaType.startsWith('text/')) parser = express.text(options);
  else parser = express.raw({ ...options, verify: keepBytes });
  return (req, res) =>
    new Promise((resolve, reject) => {
      // Whoever sends too slowly hears so at once; the parser would read on to the end first.
      onRequestFault(req, reject);
      if (isEncoded(req)) keepReceived(req, bytesMax, reject);
      parser(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(toBodyProblem(error, bytesMax))));
    });
}

/** The bytes of a body that was read and parsed, decoded; undefined when there was none. */
export function bytesOfBody(req: IncomingMessage): Buffer | undefined {
  return (req as { [bodyBytes]?: Buffer })[bodyBytes];
}

const bodyBytes = Symbol('bytes of the body');

/** The bytes of a body that was read and parsed, as they came: in their content coding. */
export function receivedBytesOf(req: IncomingMessage): Buffer | undefined {
  const chunks = (req as { [receivedChunks]?: readonly Buffer[] })[receivedChunks];
  return chunks === undefined ? bytesOfBody(req) : Buffer.concat(chunks);
}

const receivedChunks = Symbol('chunks of the body as they came');

function isEncoded({ headers }: IncomingMessage): boolean {
  const coding = headers['content-encoding'];
  return coding !== undefined && coding.toLowerCase() !== 'identity';
}

/** The parser decodes what it reads; who passes the body on needs the bytes that a digest of the client is about. */
function keepReceived(req: IncomingMessage, bytesMax: number, reject: (problem: Problem) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  (req as { [receivedChunks]?: readonly Buffer[] })[receivedChunks] = chunks;
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    else reject(tooLarge(bytesMax));
  });
}

function keepBytes(req: IncomingMessage, _res: unknown, bytes: Buffer): void {
  (req as { [bodyBytes]?: Buffer })[bodyBytes] = bytes;
}

/** The parsers would put U+FFFD in place of what is no UTF-8, and that would be kept as if it had been sent. */
function keepText(req: IncomingMessage, res: unknown, bytes: Buffer, encoding: string): void {
  // Of what the parser will decode by, however it came to it: everyone after it reads the bytes as UTF-8.
  if (!isUtf8Name(encoding)) throw Object.assign(new Error('another encoding'), { type: 'charset.unsupported' });
  const isWhole = encoding === 'us-ascii' ? isAscii(bytes) : isUtf8(bytes);
  if (!isWhole) throw Object.assign(new Error('no UTF-8'), { type: notUtf8 });
  keepBytes(req, res, bytes);
}

const notUtf8 = 'body.not.utf8';

function keepJson(req: IncomingMessage, res: unknown, bytes: Buffer, encoding: string): void {
  keepText(req, res, bytes, encoding);
  if (isDeeperThan(bytes, depthMax)) throw Object.assign(new Error('too deep'), { type: tooDeep });
}

const depthMax = 1_000;
const tooDeep = 'body.too.deep';

/** The parser would drop a field without a name, and what was sent would not be what is checked. */
function keepFields(req: IncomingMessage, res: unknown, bytes: Buffer, encoding: string): void {
  if (/(?:^|&)=/.test(bytes.toString('latin1'))) throw Object.assign(new Error('no name'), { type: namelessField });
  keepText(req, res, bytes, encoding);
}

const namelessField = 'body.field.nameless';

/** body-parser marks its faults with `type`; anything it does not name stays what it is. */
function toBodyProblem(error: unknown, bytesMax: number): unknown {
  switch ((error as { type?: unknown }).type) {
    case 'entity.parse.failed':
    case 'parameters.too.many':
      return new Problem('malformed_request', `The body could not be parsed: ${whatIsWrong(error)}.`);
    case namelessField:
      return new Problem('malformed_request', 'The body has a field without a name before its =.');
    case tooDeep:
      return new Problem('malformed_request', `The body is nested more than ${depthMax} levels deep (RFC 8259 §9).`);
    case notUtf8:
      return new Problem('malformed_request', 'The body holds bytes that are not UTF-8: send all of it in UTF-8.');
    case 'entity.too.large':
      return tooLarge(bytesMax);
    case 'encoding.unsupported':
      return new Problem('encoding_unsupported', 'Send the body plain, or with Content-Encoding gzip, deflate or br.');
    case 'charset.unsupported':
      return new Problem('media_type_unsupported', 'Send the body in UTF-8.');
    case 'request.size.invalid':
    case 'request.aborted':
      return new Problem('malformed_request', 'The body did not have the length that Content-Length announced.');
    default:
      return (error as { status?: unknown }).status === 400
        ? new Problem('malformed_request', 'The body could not be read.', { cause: error })
        : error;
  }
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', `Send at most ${bytesMax} bytes.`, { headers: { Connection: 'close' } });
}

function whatIsWrong(error: unknown): string {
  // JSON.parse quotes the caller's text, which belongs in no answer: only the place is taken.
  const text = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(text) ?? [];
  if (/end of JSON input/.test(text)) return 'it ends before it is complete';
  return position === undefined ? 'it is not valid' : `it is not valid at position ${position}`;
}
