import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RawReply } from '@rostergate/server';
import { entityTagsIn } from '@rostergate/server/edge';
import { createJsonBytesSteps, type Steps } from '@rostergate/server/steps';

/** Bytes with their entity tag. */
export interface TaggedBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

export function tagText(text: string, contentType: string): TaggedBytes {
  const bytes = Buffer.from(text);
  return { bytes, contentType, etag: etagOf(createHash('sha256').update(bytes)) };
}

/** Returns a value as JSON, written in steps so that a large document does not block other requests. */
export function* tagJsonSteps(value: unknown): Steps<TaggedBytes> {
  const hash = createHash('sha256');
  const bytes = yield* createJsonBytesSteps(value, { onPiece: (piece) => void hash.update(piece) });
  return { bytes, contentType: 'application/json', etag: etagOf(hash) };
}

/** Returns the bytes, or 304 for a client that has them (RFC 9110 §13.1.2). */
export function replyTagged(
  { bytes, contentType, etag }: TaggedBytes,
  req: Pick<IncomingMessage, 'headers'>,
  more?: Readonly<Record<string, string>>,
): RawReply {
  // The browser revalidates each time, so that a new version or configuration is seen at once.
  const headers = { 'Cache-Control': 'no-cache', ETag: etag, ...more };
  const known = req.headers['if-none-match'];
  if (known !== undefined && knows(known, etag)) return { status: 304, raw: '', contentType, headers };
  return { status: 200, raw: bytes, contentType, headers, isRepeated: true };
}

/** Returns a strong entity tag (RFC 9110 §8.8.3) of the hashed bytes. */
function etagOf(hash: Hash): string {
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

function knows(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch === '*' || entityTagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}
