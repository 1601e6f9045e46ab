import type { IncomingHttpHeaders } from 'node:http';
import type { RawReply, ReplyHeaders } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { type PersonVersion, type VersionedJson, versionTag } from '../store/person-version.ts';

/** `*`, or the entity tags of a list. */
export type EntityTags = '*' | readonly EntityTag[];

export interface EntityTag {
  readonly isWeak: boolean;
  /** What stands between the quotes. */
  readonly opaque: string;
}

/**
 * If-Match or If-None-Match (RFC 9110 §13.1.1, §13.1.2); undefined when it was not sent.
 * @throws Problem 400 `validation_failed` that names the header.
 */
export function parseEntityTags(
  headers: IncomingHttpHeaders,
  name: 'If-Match' | 'If-None-Match',
): EntityTags | undefined {
  const text = headers[name.toLowerCase() as 'if-match' | 'if-none-match'];
  if (text === undefined) return undefined;
  if (text.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  // Elements of a list may be empty (RFC 9110 §5.6.1.2); a comma within quotes is part of a tag.
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < text.length) {
    const found = element.exec(text);
    if (found === null) throw malformed(name);
    if (found[2] !== undefined) tags.push({ isWeak: found[1] !== undefined, opaque: found[2] });
  }
  if (tags.length === 0) throw malformed(name);
  return tags;
}

/** The opaque parts that a strong comparison looks at (RFC 9110 §8.8.3.2): weak tags never match. */
export function strongTags(tags: EntityTags): '*' | readonly string[] {
  return tags === '*' ? tags : tags.filter(({ isWeak }) => !isWeak).map(({ opaque }) => opaque);
}

/** Whether one of the tags is that of a version, by the weak comparison (RFC 9110 §8.8.3.2). */
export function hasVersion(tags: EntityTags, version: PersonVersion): boolean {
  return tags === '*' || tags.some(({ opaque }) => opaque === versionTag(version));
}

function malformed(header: string): Problem {
  const fault = { header, detail: 'must be a list of entity tags in double quotes, or *' };
  return new Problem(
    'validation_failed',
    `Send in ${header} what an ETag said, quotes included, such as "7-mwq7isw0"; or *.`,
    {
      errors: [fault],
    },
  );
}

/** A reply with the person's version as its entity tag. */
export function versionedJson(person: VersionedJson, status = 200, headers: ReplyHeaders = {}): RawReply {
  return {
    status,
    raw: person.json,
    contentType: 'application/json',
    headers: { ...versionHeaders(person), ...headers },
  };
}

/** Says that what the caller has is what it would get (RFC 9110 §15.4.5). */
export function notModified(version: PersonVersion): RawReply {
  return { status: 304, raw: '', contentType: 'application/json', headers: versionHeaders(version) };
}

/**
 * Whoever compresses an answer must weaken its tag, which If-Match then never matches: so nobody may. The same address
 * shows other accounts other things, and a copy is worth nothing without asking.
 */
function versionHeaders(version: PersonVersion): Record<string, string> {
  return {
    ETag: `"${versionTag(version)}"`,
    'Cache-Control': 'private, no-cache, no-transform',
    Vary: 'Authorization',
  };
}
