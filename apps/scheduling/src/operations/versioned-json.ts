import type { RawReply } from '@rostergate/runtime/contract';
import type { VersionedJson } from '../store/staff-store.ts';
import { jsonText } from './json-text.ts';

/** A reply with the person's version as its entity tag. */
export function versionedJson({ json, revision }: VersionedJson, status = 200, headers = {}): RawReply {
  return jsonText(json, status, { ...versionHeaders(revision), ...headers });
}

/** Says that what the caller has is what it would get (RFC 9110 §15.4.5). */
export function notModified(revision: number): RawReply {
  return jsonText('', 304, versionHeaders(revision));
}

/**
 * Whoever compresses an answer must weaken its tag, which If-Match then never matches: so nobody may. The same address
 * shows other accounts other things, and a copy is worth nothing without asking.
 */
function versionHeaders(revision: number): Record<string, string> {
  return { ETag: `"${revision}"`, 'Cache-Control': 'private, no-cache, no-transform', Vary: 'Authorization' };
}
