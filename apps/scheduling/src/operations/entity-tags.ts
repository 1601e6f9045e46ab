import type { IncomingHttpHeaders } from 'node:http';
import type { RawReply, ReplyHeaders } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { type PersonVersion, type VersionedJson, versionTag } from '../store/person-version.ts';

/** `*`, or the entity tags of a list. */
export type EntityTags = '*' | readonly EntityTag[];

export interface EntityTag {
  readonly isWeak: boolean;
  /** The text between the quotes. */
  readonly opaque: string;
}

/**
 * Parses If-Match or If-None-Match (RFC 9110 §13.1.1, §13.1.2); undefined when the header is missing.
 * @throws Problem 400 `validation_failed` that names the header
 */
export function parseEntityTags(
  headers: IncomingHttpHeaders,
  name: 'If-Match' | 'If-None-Match',
): EntityTags | undefined {
  const text = headers[name.toLowerCase() as 'if-match' | 'if-none-match'];
  if (text === undefined) return undefined;
  if (text.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  // List elements may be empty (RFC 9110 §5.6.1.2); a comma within quotes is part of a tag.
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < text.length) {
    const found = element.exec(text);
    if (found === null) throw malformed(name);
    if (found[2] !== undefined) tags.push({ isWeak: found[1] !== undefined, opaque: found[2] });
  }
  if (tags.length === 0) throw malformed(name);
  return tags;
}

/** Returns the opaque parts for a strong comparison (RFC 9110 §8.8.3.2): weak tags never match. */
export function strongTags(tags: EntityTags): '*' | readonly string[] {
  return tags === '*' ? tags : tags.filter(({ isWeak }) => !isWeak).map(({ opaque }) => opaque);
}

/** Returns whether a tag matches the version by weak comparison (RFC 9110 §8.8.3.2). */
export function hasVersion(tags: EntityTags, version: PersonVersion): boolean {
  return tags === '*' || tags.some(({ opaque }) => opaque === versionTag(version));
}

function malformed(header: string): Problem {
  const fault = { header, detail: 'must be a list of entity tags in double quotes, or *' };
  return new Problem(
    'validation_failed',
    `Send the value of an ETag header in ${header}, quotes included, such as "7-mwq7isw0", or send *.`,
    {
      errors: [fault],
    },
  );
}

/** Returns a response with the person's version as its entity tag. */
export function versionedJson(person: VersionedJson, status = 200, headers: ReplyHeaders = {}): RawReply {
  return {
    status,
    raw: person.json,
    contentType: 'application/json',
    headers: { ...versionHeaders(person), ...headers },
  };
}

/** Returns 304: the client's copy is current (RFC 9110 §15.4.5). */
export function notModified(version: PersonVersion): RawReply {
  return { status: 304, raw: '', contentType: 'application/json', headers: versionHeaders(version) };
}

const versionHeaders = (version: PersonVersion) => tagHeaders(versionTag(version));

/**
 * Returns the headers of a response with this opaque part of its entity tag. A compressed response would need a weak
 * tag, which If-Match never matches: hence no-transform. The response depends on the account and must be revalidated.
 */
export function tagHeaders(opaque: string): Record<string, string> {
  return {
    ETag: `"${opaque}"`,
    'Cache-Control': 'private, no-cache, no-transform',
    Vary: 'Authorization',
  };
}
