import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { createValidationProblem, Problem } from '../problem/index.ts';
import { bodyTooLarge, encodedBytesOf, readBodyBytes, UnreadBody } from './body-bytes.ts';
import { findTextFaults, mayHoldTextFaults, parseJson } from './json-body.ts';
import type { RequestBodyObject } from './openapi.ts';
import { hasBody, parseQuery } from './request-head.ts';

export interface ParsedBody {
  /** The declared media type that matched, never the client's spelling: validators are cached by it. */
  readonly mediaType: string;
  readonly value: unknown;
  /** In bytes; undefined where a host application parsed the body. */
  readonly length?: number | undefined;
}

export type BodyReader = (req: Request) => Promise<ParsedBody | undefined>;

/**
 * Returns a function that reads and parses the body of one operation; it returns undefined when the client sends none.
 * An operation that accepts any media type gets the body unread.
 * @param passesBytes The handler forwards the bytes, so JSON objects must not name a member twice.
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
    const { mediaType: sent, isUtf8: isSentAsUtf8 } = parseContentType(req.headers['content-type']);
    const mediaType = parsers.has(sent) ? sent : rangeOf(sent);
    const parse = parsers.get(mediaType);
    if (parse === undefined) {
      throw new Problem('media_type_unsupported', `Send the body as ${supported}, and name the type in Content-Type.`);
    }
    // Another reader might decode the bytes differently.
    if (!isSentAsUtf8 && isText(mediaType)) throw new Problem('media_type_unsupported', 'Send the body in UTF-8.');
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

/** Rejects a body that is not empty: the operation declares none, so it could not be validated. */
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
  throw createValidationProblem([{ pointer: '', detail: 'must be absent: this operation accepts no body' }]);
};

const unwanted: ReadonlySet<string> = new Set(['body_too_large', 'encoding_unsupported']);

/** Returns whether the handler gets the body unread, in any media type. */
export function takesAnyBody(requestBody: RequestBodyObject): boolean {
  return anyMediaType in requestBody.content;
}

const anyMediaType = '*/*';

/** Returns the bytes of a body that a host application has read as bytes or text; undefined for a parsed value. */
function unparsedBytes(body: unknown): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  return typeof body === 'string' ? Buffer.from(body) : undefined;
}

/** Returns the decoded bytes of a parsed body; undefined when there was none. */
function bytesOfBody(req: IncomingMessage): Buffer | undefined {
  return (req as { [bodyBytes]?: Buffer })[bodyBytes];
}

const bodyBytes = Symbol('bytes of the body');

/** Returns the bytes of a parsed body as they were sent, in their content coding. */
export function receivedBytesOf(req: IncomingMessage): Buffer | undefined {
  return encodedBytesOf(req) ?? bytesOfBody(req);
}

interface ContentType {
  /** In lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
  /** Whether every reader decodes the text as UTF-8, even those that use another of several charset parameters. */
  readonly isUtf8: boolean;
}

/**
 * Parses a Content-Type (RFC 9110 §8.3). A quoted string (§5.6.4) contains no parameters. With misplaced or unclosed
 * quotes, readers may find different parameters, so the text is not known to be UTF-8.
 */
export function parseContentType(header = ''): ContentType {
  const end = header.indexOf(';');
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  return { mediaType, isUtf8: end < 0 || hasUtf8Charset(header, end) };
}

function hasUtf8Charset(header: string, start: number): boolean {
  for (let at = start; at < header.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const found = parameter.exec(header);
    if (found === null) return false;
    const [, name = '', quoted, plain] = found;
    const value = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain?.trim();
    if (name.trim().toLowerCase() === 'charset' && value !== undefined && !isUtf8Name(value)) return false;
  }
  return true;
}

/** A parameter without a value is accepted, since all readers skip it. No part matches in two ways: time is linear. */
const parameter = /;([^";=]*)(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"[ \t]*|([^";]*)))?/sy;

/** US-ASCII is a subset of UTF-8, and the name without a hyphen is a common mistake. */
function isUtf8Name(charset: string): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(charset);
}

/** Returns whether a media type is JSON or a format based on it (RFC 6839 §3.1). */
function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** Returns the range of a media type, such as `image/*` (OpenAPI 3.0.3 §4.7.10.1). */
function rangeOf(mediaType: string): string {
  return mediaType.replace(/\/.*$/s, '/*');
}

/** Returns whether bodies of a type are decoded; for others the charset is irrelevant. */
function isText(mediaType: string): boolean {
  return isJsonType(mediaType) || mediaType === formType || mediaType.startsWith('text/');
}

export const formType = 'application/x-www-form-urlencoded';

type ParseBody = (req: Request, bytes: Buffer) => unknown;

function createParser(mediaType: string, passesBytes: boolean): ParseBody {
  if (isJsonType(mediaType)) return (req, bytes) => parseJson(decodeText(req, bytes), bytes, passesBytes);
  if (mediaType === formType) return parseForm;
  return mediaType.startsWith('text/') ? decodeText : (_req, bytes) => bytes;
}

/** Rejects bytes that a decoder would replace by U+FFFD, which would validate and store another text. */
function decodeText({ headers }: IncomingMessage, bytes: Buffer): string {
  const isWellFormed = asciiCharset.test(headers['content-type'] ?? '') ? isAscii(bytes) : isUtf8(bytes);
  if (!isWellFormed) throw malformed('The body contains bytes that are not UTF-8: send all of it in UTF-8.');
  // Without a byte order mark.
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', start);
}

const asciiCharset = /;\s*charset="?us-ascii/i;

function parseForm(req: IncomingMessage, bytes: Buffer): unknown {
  const text = decodeText(req, bytes);
  // The parser would drop a field without a name.
  if (/(?:^|&)=/.test(text)) throw malformed('The body has a field without a name before its =.');
  if (text.split('&', fieldsMax + 1).length > fieldsMax) throw malformed(`The body has more than ${fieldsMax} fields.`);
  for (const [encoded] of text.matchAll(/(?:%[\da-f]{2})+/gi)) {
    if (!isUtf8(Buffer.from(encoded.replaceAll('%', ''), 'hex')))
      throw malformed('Percent-encode the fields as UTF-8.');
  }
  return { ...parseQuery(text) };
}

const fieldsMax = 1_000;

const malformed = (detail: string) => new Problem('malformed_request', detail);
