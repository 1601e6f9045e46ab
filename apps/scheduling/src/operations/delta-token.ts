import type { ChangePlace } from '../store/changed-staff-finder.ts';
import { invalidToken, isCount, isTime, parseFields } from './skip-token.ts';

/** Where a page of changes begins. The token has the whole state, so the server stores nothing of its clients. */
export interface DeltaStart {
  readonly after: ChangePlace;
  /** The upper bound of the round; undefined at its beginning. */
  readonly until?: string | undefined;
  /** Undefined: the server chooses. */
  readonly pageSize?: number | undefined;
}

/** Returns a `$deltatoken`: opaque to clients, and valid only for the query that it was created for. */
export function createDeltaToken({ after, until, pageSize }: DeltaStart, queryDigest: string): string {
  const fields = [queryDigest, after.stamp, after.staffKey ?? null, until ?? null, pageSize ?? null];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** @throws Problem 400 `odata_invalid` for a malformed token, or one of another query or of other rights */
export function parseDeltaToken(token: string, queryDigest: string): DeltaStart {
  const [digest, stamp, staffKey, until, pageSize, ...others] = parseFields(token) ?? [];
  const isWhole =
    isTime(stamp) &&
    (staffKey === null || typeof staffKey === 'string') &&
    (until === null || isTime(until)) &&
    (pageSize === null || (isCount(pageSize) && pageSize > 0)) &&
    others.length === 0;
  if (!isWhole) throw invalidToken('$deltatoken', 'is not a token of this server');
  if (digest !== queryDigest) {
    throw invalidToken('$deltatoken', 'belongs to another query, or to an account with other rights');
  }
  const after = { stamp, staffKey: staffKey ?? undefined };
  return { after, until: until ?? undefined, pageSize: pageSize ?? undefined };
}
