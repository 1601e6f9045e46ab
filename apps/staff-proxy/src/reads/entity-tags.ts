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
  const tags = listTags(ifNoneMatch) ?? [];
  const own = tags.filter(isOwnTag);
  if (own.length === 0) return { own, others: ifNoneMatch };
  const others = tags.filter((tag) => !isOwnTag(tag));
  return { own, others: others.length === 0 ? undefined : others.join(', ') };
}

/** If-Match with each weak tag as the strong one that compression here has made it of. */
export function strongly(ifMatch: string): string {
  const tags = listTags(ifMatch) ?? [];
  return tags.some((tag) => tag.startsWith('W/')) ? tags.map(opaqueOf).join(', ') : ifMatch;
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
  return (listTags(ifNoneMatch) ?? []).some((named) => opaqueOf(named) === opaqueOf(tag));
}

/**
 * The tags of a list (RFC 9110 §8.8.3); undefined for `*` and for what is malformed. Elements may be empty (§5.6.1.2), and
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
