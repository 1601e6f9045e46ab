import { pipeline, type Readable, Transform } from 'node:stream';
import type { RawReply } from '@rostergate/server';
import { responseTooLate, type UpstreamResponse, wholeBodyOf } from '@rostergate/upstream';
import { closeBrace, closeBracket, jsonSpaces, openBrace, openBracket } from '../json/value-scanner.ts';
import { brokeOff, createUpstreamProblem, notTheContract, readBytes, rethrowAsBrokenOff } from './upstream-problem.ts';

/** Responses up to this length are read whole first, so that a broken one becomes a 502. */
const wholeBytesMax = 64 * 1024;

/**
 * Returns the upstream's response as the proxy's: the JSON of a success byte for byte, long bodies as a stream.
 * `rewriteLocation` maps an upstream address to the proxy's, or drops it; `token` is the one that the request was sent
 * with.
 * @throws Problem for every rejection and fault of the upstream.
 */
export function relayResponse(
  response: UpstreamResponse,
  rewriteLocation: (location: string) => string | undefined,
  token: string,
): RawReply | Promise<RawReply> {
  const { status, headers } = response;
  // The proxy never asks for a range.
  if (status < 200 || status > 299 || status === 206) return rejectWithProblem(response, token);
  const contentType = headerOf(response, 'content-type');
  if (contentType === undefined || !isJson(contentType) || isEncoded(response)) {
    response.body.destroy();
    throw notTheContract(status);
  }
  const relayed = headersToRelay(response);
  const location = headerOf(response, 'location');
  const ownLocation = location === undefined ? undefined : rewriteLocation(location);
  if (ownLocation !== undefined) relayed.Location = ownLocation;
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!(length <= wholeBytesMax)) return relayStream(response, length, contentType, relayed);
  const bytes = wholeBodyOf(response);
  return bytes instanceof Promise
    ? bytes.then(
        (late) => relayWhole(status, late, contentType, relayed),
        (cause) => {
          throw brokeOff(status, cause);
        },
      )
    : relayWhole(status, bytes, contentType, relayed);
}

async function rejectWithProblem(response: UpstreamResponse, token: string): Promise<never> {
  throw await createUpstreamProblem(response, token);
}

type RelayedHeaders = Record<string, string>;

function relayWhole(status: number, raw: Buffer, contentType: string, headers: RelayedHeaders): RawReply {
  if (!isOpening(firstByteOf(raw)) || !endsLikeJson(raw)) throw notTheContract(status);
  return { status, raw, contentType, headers };
}

async function relayStream(
  response: UpstreamResponse,
  length: number,
  contentType: string,
  headers: RelayedHeaders,
): Promise<RawReply> {
  const { status, body } = response;
  const first = await peekFirstByte(body).catch(rethrowAsBrokenOff(status));
  if (!isOpening(first)) {
    body.destroy();
    throw notTheContract(status);
  }
  if (Number.isSafeInteger(length)) headers['Content-Length'] = String(length);
  else if (response.headers['transfer-encoding'] === undefined) {
    const raw = pipeline(
      body,
      createEndCheck(() => brokeOff(status)),
      () => {},
    );
    return { status, raw, contentType, headers };
  }
  return { status, raw: body, contentType, headers };
}

/** Returns the reply for a 304: the caller's copy is current (RFC 9110 §15.4.5). */
export function relayNotModified(response: UpstreamResponse): RawReply {
  response.body.resume();
  return { status: 304, raw: '', contentType: 'application/json', headers: headersToRelay(response) };
}

/** Returns the headers that responses of all operations pass on. */
export function headersToRelay({ headers }: UpstreamResponse): RelayedHeaders {
  const relayed: RelayedHeaders = {};
  const { etag, 'last-modified': modified, 'odata-version': version, 'preference-applied': preference } = headers;
  if (typeof etag === 'string') relayed.ETag = etag;
  if (typeof modified === 'string') relayed['Last-Modified'] = modified;
  if (typeof version === 'string') relayed['OData-Version'] = version;
  if (typeof preference === 'string') relayed['Preference-Applied'] = preference;
  return relayed;
}

/** Longest response that is held as a whole; a person with every collection is far shorter. */
const valueBytesMax = 16 * 1024 * 1024;

/**
 * Returns the JSON value of a success; undefined where it is not JSON.
 * @throws Problem for every rejection of the upstream, and for a response that breaks off or is too long.
 */
export async function readJsonValue(response: UpstreamResponse, token: string): Promise<unknown> {
  const { status, body } = response;
  if (status < 200 || status > 299) throw await createUpstreamProblem(response, token);
  const chunks = await readBytes(
    body,
    valueBytesMax,
    () => new RangeError(`The response is longer than ${valueBytesMax} bytes.`),
  ).catch(rethrowAsBrokenOff(status));
  if (!isJson(headerOf(response, 'content-type') ?? '')) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the result of `read`, which reads the part of a response that is needed before replying: a body that drips is
 * too late like one that never comes. A synchronous result needs no timer.
 * @throws Problem 504 `upstream_timeout` through `read`, whose stream breaks at the deadline.
 */
export function readInTime<T>(
  response: UpstreamResponse,
  leftMs: () => number,
  read: () => T | Promise<T>,
): T | Promise<T> {
  const reading = read();
  return reading instanceof Promise ? untilLate(response, leftMs(), reading) : reading;
}

async function untilLate<T>(response: UpstreamResponse, leftMs: number, reading: Promise<T>): Promise<T> {
  const timer = setTimeout(() => response.body.destroy(responseTooLate(true)), Math.max(0, Math.ceil(leftMs)));
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a header that may occur once; a repeated one counts as absent. */
function headerOf({ headers }: UpstreamResponse, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/** The proxy asks for plain bytes: an encoded body cannot be relayed to a caller that did not ask for it. */
export function isEncoded(response: UpstreamResponse): boolean {
  const encoding = response.headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

/** Whether a JSON document of the contract starts with this byte: each is an object or an array. */
function isOpening(byte: number | undefined): boolean {
  return byte === openBrace || byte === openBracket;
}

/** Whether bytes end like an object or an array. */
function endsLikeJson(bytes: Buffer): boolean {
  return isClosing(lastByteOf(bytes));
}

function isClosing(byte: number | undefined): boolean {
  return byte === closeBrace || byte === closeBracket;
}

/** Returns the first byte that is not whitespace. */
export function firstByteOf(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !jsonSpaces.has(byte));
}

function lastByteOf(bytes: Buffer): number | undefined {
  let end = bytes.length - 1;
  while (end >= 0 && jsonSpaces.has(bytes[end] as number)) end--;
  return bytes[end];
}

/** How much whitespace `peekFirstByte` skips. */
const spaceBytesMax = 64 * 1024;

/** Returns the first byte of a stream that is not whitespace, without consuming any; undefined if none comes early. */
export function peekFirstByte(body: Readable): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const taken: Buffer[] = [];
    let takenBytes = 0;
    const settle = (finish: () => void) => {
      body.off('readable', look).off('end', end).off('error', fail);
      finish();
    };
    const look = () => {
      for (let chunk: Buffer | null = body.read(); chunk !== null; chunk = body.read()) {
        const first = firstByteOf(chunk);
        taken.push(chunk);
        takenBytes += chunk.length;
        if (first === undefined && takenBytes < spaceBytesMax) continue;
        return settle(() => {
          body.unshift(taken.length === 1 ? chunk : Buffer.concat(taken));
          resolve(first);
        });
      }
    };
    const end = () => settle(() => resolve(undefined));
    const fail = (cause: unknown) => settle(() => reject(cause));
    body.on('readable', look).on('end', end).on('error', fail);
  });
}

/**
 * Returns a transform that passes bytes unchanged and fails with `createFault` when they do not end like JSON. For a body
 * that ends with its connection (RFC 9112 §6.3), where a cut looks like an end.
 */
function createEndCheck(createFault: () => Error): Transform {
  let last: number | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      last = lastByteOf(chunk) ?? last;
      done(null, chunk);
    },
    flush(done) {
      done(isClosing(last) ? null : createFault());
    },
  });
}
