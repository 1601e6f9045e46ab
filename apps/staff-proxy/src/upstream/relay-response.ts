import { pipeline } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { type UpstreamResponse, wholeBodyOf } from '@rostergate/runtime/upstream';
import { brokeOff, notTheContract, rethrowAsBrokenOff } from '../broken-answer.ts';
import { createEndCheck, endsLikeJson } from '../end-check.ts';
import { firstByteOf, isOpening, peekFirstByte } from '../first-byte.ts';
import { createUpstreamProblem } from './upstream-problem.ts';

/** Answers up to this length are read whole first, so that a broken one can still become a 502. */
const heldBytesMax = 64 * 1024;

/**
 * The upstream's answer as our own: the JSON of a success as the very bytes that came, large ones as a stream.
 * `rewriteLocation` turns an address at the upstream into ours, or drops it; `token` is what the upstream was asked with.
 * @throws Problem for every refusal and fault of the upstream.
 */
export function relayAnswer(
  answer: UpstreamResponse,
  rewriteLocation: (location: string) => string | undefined,
  token: string,
): RawReply | Promise<RawReply> {
  const { status, headers } = answer;
  // A part that nobody asked for is not the whole.
  if (status < 200 || status > 299 || status === 206) return refuse(answer, token);
  const contentType = headerOf(answer, 'content-type');
  if (contentType === undefined || !isJson(contentType) || isEncoded(answer)) {
    answer.body.destroy();
    throw notTheContract(status);
  }
  const relayed = headersToRelay(answer);
  const location = headerOf(answer, 'location');
  const ownLocation = location === undefined ? undefined : rewriteLocation(location);
  if (ownLocation !== undefined) relayed.Location = ownLocation;
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!(length <= heldBytesMax)) return relayStream(answer, length, contentType, relayed);
  const bytes = wholeBodyOf(answer);
  return bytes instanceof Promise
    ? bytes.then((late) => relayHeld(status, late, contentType, relayed), rethrowAsBrokenOff(status))
    : relayHeld(status, bytes, contentType, relayed);
}

async function refuse(answer: UpstreamResponse, token: string): Promise<never> {
  throw await createUpstreamProblem(answer, token);
}

type Relayed = Record<string, string>;

function relayHeld(status: number, raw: Buffer, contentType: string, headers: Relayed): RawReply {
  if (!looksLikeJson(raw)) throw notTheContract(status);
  return { status, raw, contentType, headers };
}

async function relayStream(
  answer: UpstreamResponse,
  length: number,
  contentType: string,
  headers: Relayed,
): Promise<RawReply> {
  const { status, body } = answer;
  const first = await peekFirstByte(body).catch(rethrowAsBrokenOff(status));
  if (!isOpening(first)) {
    body.destroy();
    throw notTheContract(status);
  }
  if (Number.isSafeInteger(length)) headers['Content-Length'] = String(length);
  else if (answer.headers['transfer-encoding'] === undefined) {
    // A failure on either side ends the other, and is told by the end that is read.
    const raw = pipeline(
      body,
      createEndCheck(() => brokeOff(status)),
      () => {},
    );
    return { status, raw, contentType, headers };
  }
  return { status, raw: body, contentType, headers };
}

/** The caller's copy still stands (RFC 9110 §15.4.5). */
export function relayNotModified(answer: UpstreamResponse): RawReply {
  answer.body.resume();
  return { status: 304, raw: '', contentType: 'application/json', headers: headersToRelay(answer) };
}

function headersToRelay({ headers }: UpstreamResponse): Record<string, string> {
  const relayed: Record<string, string> = {};
  const { etag, 'last-modified': modified, 'odata-version': version, 'preference-applied': preference } = headers;
  if (typeof etag === 'string') relayed.ETag = etag;
  if (typeof modified === 'string') relayed['Last-Modified'] = modified;
  if (typeof version === 'string') relayed['OData-Version'] = version;
  if (typeof preference === 'string') relayed['Preference-Applied'] = preference;
  return relayed;
}

/** A header that is to come once; a repeated one counts as absent. */
export function headerOf({ headers }: UpstreamResponse, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

export function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/** We ask for plain bytes: an encoded answer could not be relayed to a caller who did not ask for it. */
function isEncoded(answer: UpstreamResponse): boolean {
  const encoding = answer.headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

/** Every answer of the contract is an object or an array. */
function looksLikeJson(bytes: Buffer): boolean {
  return isOpening(firstByteOf(bytes)) && endsLikeJson(bytes);
}
