import { createHash } from 'node:crypto';
import type { RawReply } from '@rostergate/server';
import type { StaffCall } from '../staff-call.ts';

/** The tags of an If-None-Match (RFC 9110 §13.1.2), by who made them. */
export interface NamedTags {
  /** Tags that this proxy made from the bytes. */
  readonly own: readonly string[];
  /** The upstream's tags, as a header; undefined when there are none. */
  readonly others: string | undefined;
}

export const noTags: NamedTags = Object.freeze({ own: [], others: undefined });

export function splitTags(ifNoneMatch: string): NamedTags {
  const tags = listTags(ifNoneMatch) ?? [];
  const own = tags.filter(isOwnTag);
  if (own.length === 0) return { own, others: ifNoneMatch };
  const others = tags.filter((tag) => !isOwnTag(tag));
  return { own, others: others.length === 0 ? undefined : others.join(', ') };
}

/** Returns If-Match with strong tags in place of those that compression here has weakened. */
export function strongly(ifMatch: string): string {
  const tags = listTags(ifMatch) ?? [];
  return tags.some((tag) => tag.startsWith('W/')) ? tags.map(opaqueOf).join(', ') : ifMatch;
}

/** Returns a tag for a response that came without one. Weak, as the response may be sent in several encodings. */
export function createOwnTag(bytes: Uint8Array): string {
  return `W/"read-${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

export function isOwnTag(tag: string): boolean {
  return ownTag.test(tag);
}

/** Whether If-None-Match names a tag, by the weak comparison (RFC 9110 §8.8.3.2). */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return (listTags(ifNoneMatch) ?? []).some((named) => opaqueOf(named) === opaqueOf(tag));
}

/** Returns the call with the upstream's tags alone in its condition. */
export function withCondition(call: StaffCall, { others }: NamedTags): StaffCall {
  const { 'If-None-Match': condition, ...headers } = call.headers;
  if (condition === others) return call;
  return { ...call, headers: others === undefined ? headers : { ...headers, 'If-None-Match': others } };
}

export function namesOwn({ own }: NamedTags, { headers }: RawReply): boolean {
  return own.length > 0 && own.includes(String(headers?.ETag));
}

/** RFC 9110 §15.4.5. */
export function notModified({ contentType, headers }: RawReply): RawReply {
  return { status: 304, raw: '', contentType, headers: headers ?? {} };
}

/**
 * Returns the tags of a list (RFC 9110 §8.8.3); undefined for `*` and malformed lists. Elements may be empty (§5.6.1.2);
 * a comma or `W/` within quotes is part of a tag.
 */
function listTags(header: string): readonly string[] | undefined {
  const tags: string[] = [];
  const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < header.length) {
    const found = element.exec(header);
    if (found === null) return undefined;
    if (found[1] !== undefined) tags.push(found[1]);
  }
  return tags;
}

const ownTag = /^W\/"read-[\w-]{22}"$/;

function opaqueOf(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
