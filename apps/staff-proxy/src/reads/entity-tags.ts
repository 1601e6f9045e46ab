import { createHash } from 'node:crypto';

/** What If-None-Match names (RFC 9110 §13.1.2), by whose tags they are. */
export interface NamedTags {
  /** Tags that were made here, of the bytes themselves. */
  readonly own: readonly string[];
  /** What the upstream is to judge, as a header; undefined when nothing is left. */
  readonly others: string | undefined;
}

export const noTags: NamedTags = Object.freeze({ own: [], others: undefined });

export function splitTags(ifNoneMatch: string): NamedTags {
  const tags = ifNoneMatch.match(entityTag) ?? [];
  const own = tags.filter(isOwnTag);
  if (own.length === 0) return { own, others: ifNoneMatch };
  const others = tags.filter((tag) => !isOwnTag(tag));
  return { own, others: others.length === 0 ? undefined : others.join(', ') };
}

/** Of an answer that came without one. Weak: the same answer may go out in another encoding. */
export function createOwnTag(bytes: Uint8Array): string {
  return `W/"read-${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

export function isOwnTag(tag: string): boolean {
  return ownTag.test(tag);
}

/** Whether If-None-Match names a tag, by the weak comparison (RFC 9110 §8.8.3.2). */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(entityTag) ?? []).some((named) => opaqueOf(named) === opaqueOf(tag));
}

const entityTag = /(?:W\/)?"[^"]*"/g;
const ownTag = /^W\/"read-[\w-]{22}"$/;

function opaqueOf(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
