import { hash } from 'node:crypto';
import { Problem } from '@rostergate/runtime/problem';
import type { Place, PlaceValue } from '../store/staff-order.ts';
import type { Scope } from '../store/staff-store.ts';

/** Where the next page begins. */
export interface PageStart {
  readonly after: Place;
  /** How many people the pages before have had together. */
  readonly delivered: number;
  /** People a page, as they were asked for first. */
  readonly pageSize: number;
}

/** A page's place in `$skiptoken`: opaque to callers, and good for the query that it came with. */
export function createSkipToken({ after, delivered, pageSize }: PageStart, queryDigest: string): string {
  const fields = [queryDigest, pageSize, delivered, after.staffKey, ...after.keys];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** @throws Problem 400 `odata_invalid` for a token that is garbled, or of another query. */
export function parseSkipToken(token: string, queryDigest: string, keyCount: number): PageStart {
  const fields = parseFields(token);
  if (fields === undefined) throw invalid('is no token of this server');
  const [digest, pageSize, delivered, staffKey, ...keys] = fields;
  const isWhole = isCount(pageSize) && pageSize > 0 && isCount(delivered) && isText(staffKey);
  if (typeof digest !== 'string' || !isWhole || !keys.every(isPlaceValue)) throw invalid('is no token of this server');
  if (digest !== queryDigest || keys.length !== keyCount) throw invalid('belongs to another query');
  return { after: { staffKey, keys }, delivered, pageSize };
}

/** Of all that decides what is in a list and in which order: the scope and every option but the token. */
export function digestQuery(queryText: string, { companyKey, isAdmin }: Scope): string {
  const text = `${isAdmin} ${companyKey} ${withoutSkipToken(queryText)}`;
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** The address of the next page, relative to this one's, with all other options as they were sent. */
export function createNextLink(queryText: string, token: string): string {
  const others = withoutSkipToken(queryText);
  return `staffmember?${others === '' ? '' : `${others}&`}$skiptoken=${token}`;
}

/** What a URL may not hold as it is, though servers take it (RFC 3986). */
const outlawed = /[^\w.~!$&'()*+,;=:@/?%-]/g;

function withoutSkipToken(queryText: string): string {
  const parts = queryText.split('&').filter((part) => part !== '' && !/^(?:\$|%24)skiptoken(?:=|$)/i.test(part));
  return parts
    .join('&')
    .replace(outlawed, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

function parseFields(token: string): unknown[] | undefined {
  try {
    const fields: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPlaceValue = (value: unknown): value is PlaceValue =>
  typeof value === 'string' ? isText(value) : value === null || typeof value !== 'object';
/** Nothing that is stored holds U+0000 or half a surrogate pair, and PostgreSQL would not even compare with them. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');

function invalid(detail: string): Problem {
  return new Problem('odata_invalid', `$skiptoken: ${detail}. Follow @odata.nextLink as it is, or begin anew.`, {
    errors: [{ parameter: '$skiptoken', detail }],
  });
}
