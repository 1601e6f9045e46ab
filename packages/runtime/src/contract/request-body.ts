import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { createValidationProblem, Problem } from '../problem/index.ts';
import { bodyTooLarge, encodedBytesOf, readBodyBytes } from './body-bytes.ts';
import { isJsonType, parseContentType } from './content-type.ts';
import { hasBody } from './early-response.ts';
import { countWrittenMembers, hasLostMembers } from './json-body.ts';
import type { RequestBodyObject } from './openapi.ts';
import { parseQuery } from './query.ts';
import { findTextFaults, mayHoldTextFaults } from './text-faults.ts';
import { UnreadBody } from './unread-body.ts';

export interface ParsedBody {
  /** The declared media type that was matched, never the caller's spelling: validators are cached by it. */
  readonly mediaType: string;
  readonly value: unknown;
  /** In bytes, where it was read here. */
  readonly length?: number | undefined;
}

export type BodyReader = (req: Request) => Promise<ParsedBody | undefined>;

/**
 * Reads and parses the body of one operation; undefined when the caller sent none. An operation that takes any media
 * type is given the body unread. `passesBytes`: the bytes of the body are passed on, so JSON must name each member once.
 */
export function createBodyReader(requestBody: RequestBodyObject, bytesMax: number, passesBytes = false): BodyReader {
  if (takesAnyBody(requestBody)) {
    return async (req) =>
      hasBody(req) ? { mediaType: anyMediaType, value: new UnreadBody(req, bytesMax) } : undefined;
  }
  const parsers = new Map(
    Object.keys(requestBody.content).map((type) => [type.toLowerCase(), createParser(type.toLowerCase(), passesBytes)]),
  );
  const supported = [...parsers.keys()].join(' or ');
  return async (req) => {
    if (!hasBody(req)) {
      if (requestBody.required === true) {
        throw new Problem('validation_failed', `Send a body as ${supported}.`, {
          errors: [{ pointer: '', detail: 'is required' }],
        });
      }
      return undefined;
    }
    const { mediaType: given, isUtf8: saysUtf8 } = parseContentType(req.headers['content-type']);
    const mediaType = parsers.has(given) ? given : rangeOf(given);
    const parse = parsers.get(mediaType);
    if (parse === undefined) {
      throw new Problem('media_type_unsupported', `Send the body as ${supported}, and say so in Content-Type.`);
    }
    // A parser would read other encodings too, where what it makes of the bytes is not what others see in them.
    if (!saysUtf8 && isText(mediaType)) throw new Problem('media_type_unsupported', 'Send the body in UTF-8.');
    const bytes = req.body === undefined ? await readBodyBytes(req, bytesMax) : unparsedBytes(req.body);
    if (bytes !== undefined) {
      if (bytes.length > bytesMax) throw bodyTooLarge(bytesMax);
      (req as { [bodyBytes]?: Buffer })[bodyBytes] = bytes;
      req.body = parse(req, bytes);
    }
    const readBytes = bytesOfBody(req);
    if (readBytes === undefined || !isJsonType(mediaType) || mayHoldTextFaults(readBytes)) {
      const errors = findTextFaults(req.body);
      if (errors.length > 0) throw createValidationProblem(errors);
    }
    return { mediaType, value: req.body, length: readBytes?.length };
  };
}

/** Rejects a body that is not empty: the operation declares none, so nothing could validate it. */
export const readNoBody: BodyReader = async (req) => {
  if (!hasBody(req)) return undefined;
  const isEmpty =
    req.body === undefined &&
    (await readBodyBytes(req, 0).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem && !unwanted.has(error.code)) throw error;
        return false;
      },
    ));
  if (isEmpty) return undefined;
  throw createValidationProblem([{ pointer: '', detail: 'must be absent: this operation takes no body' }]);
};

const unwanted: ReadonlySet<string> = new Set(['body_too_large', 'encoding_unsupported']);

/** A host application may have read the body before: as bytes or text, which are yet to be parsed, or as a value. */
function unparsedBytes(body: unknown): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  return typeof body === 'string' ? Buffer.from(body) : undefined;
}

/** Whether the body is handed on unread, whatever it is. */
export function takesAnyBody(requestBody: RequestBodyObject): boolean {
  return anyMediaType in requestBody.content;
}

const anyMediaType = '*/*';

/** The range that a media type is in, such as `image/*` (OpenAPI 3.0.3 §4.7.10.1). */
function rangeOf(mediaType: string): string {
  return mediaType.replace(/\/.*$/s, '/*');
}

/** Whether its parser decodes the bytes: of others a charset says nothing. */
function isText(mediaType: string): boolean {
  return isJsonType(mediaType) || mediaType === formType || mediaType.startsWith('text/');
}

const formType = 'application/x-www-form-urlencoded';

type ParseBody = (req: Request, bytes: Buffer) => unknown;

function createParser(mediaType: string, passesBytes: boolean): ParseBody {
  if (isJsonType(mediaType)) return (req, bytes) => parseJson(req, bytes, passesBytes);
  if (mediaType === formType) return parseForm;
  return mediaType.startsWith('text/') ? decodeText : (_req, bytes) => bytes;
}

/** The bytes of a body that was read and parsed, decoded; undefined when there was none. */
export function bytesOfBody(req: IncomingMessage): Buffer | undefined {
  return (req as { [bodyBytes]?: Buffer })[bodyBytes];
}

const bodyBytes = Symbol('bytes of the body');

/** The bytes of a body that was read and parsed, as they came: in their content coding. */
export function receivedBytesOf(req: IncomingMessage): Buffer | undefined {
  return encodedBytesOf(req) ?? bytesOfBody(req);
}

/** Rejects what a decoder would replace by U+FFFD: another text than the one sent would be validated and stored. */
function decodeText({ headers }: IncomingMessage, bytes: Buffer): string {
  const isWhole = asciiCharset.test(headers['content-type'] ?? '') ? isAscii(bytes) : isUtf8(bytes);
  if (!isWhole) malformed('The body holds bytes that are not UTF-8: send all of it in UTF-8.');
  // A byte order mark is no part of the text.
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', start);
}

const asciiCharset = /;\s*charset="?us-ascii/i;

function parseJson(req: IncomingMessage, bytes: Buffer, hasSingleNames: boolean): unknown {
  const text = decodeText(req, bytes);
  const written = hasSingleNames || bytes.length > depthMax ? countWrittenMembers(bytes, depthMax) : 0;
  if (written === undefined) malformed(`The body is nested more than ${depthMax} levels deep (RFC 8259 §9).`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    malformed(`The body could not be parsed: ${whatIsWrong(error)}.`);
  }
  // Before the validator adds defaults.
  if (hasSingleNames && hasLostMembers(value, written))
    malformed('The body gives one name twice in an object. Give each name once (RFC 8259 §4).');
  return value;
}

const depthMax = 1_000;

function parseForm(req: IncomingMessage, bytes: Buffer): unknown {
  const text = decodeText(req, bytes);
  // The parser would drop a field without a name, and another form than the one sent would be validated.
  if (/(?:^|&)=/.test(text)) malformed('The body has a field without a name before its =.');
  if (text.split('&', fieldsMax + 1).length > fieldsMax) malformed(`The body has more than ${fieldsMax} fields.`);
  for (const [encoded] of text.matchAll(/(?:%[\da-f]{2})+/gi)) {
    if (!isUtf8(Buffer.from(encoded.replaceAll('%', ''), 'hex'))) malformed('Percent-encode the fields as UTF-8.');
  }
  return { ...parseQuery(text) };
}

const fieldsMax = 1_000;

function malformed(detail: string): never {
  throw new Problem('malformed_request', detail);
}

function whatIsWrong(error: unknown): string {
  // JSON.parse quotes the caller's text, which belongs in no answer: only the place is taken.
  const text = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(text) ?? [];
  if (/end of JSON input/.test(text)) return 'it ends before it is complete';
  return position === undefined ? 'it is not valid' : `it is not valid at position ${position}`;
}
