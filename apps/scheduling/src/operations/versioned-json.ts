import type { RawReply } from '@rostergate/runtime/contract';
import { type PersonVersion, versionTag } from '../store/person-version.ts';
import type { VersionedJson } from '../store/staff-store.ts';
import { jsonText } from './json-text.ts';

/** A reply with the person's version as its entity tag. */
export function versionedJson(person: VersionedJson, status = 200, headers = {}): RawReply {
  return jsonText(person.json, status, { ...versionHeaders(person), ...headers });
}

/** Says that what the caller has is what it would get (RFC 9110 §15.4.5). */
export function notModified(version: PersonVersion): RawReply {
  return jsonText('', 304, versionHeaders(version));
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
