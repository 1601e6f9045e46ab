import { hash } from 'node:crypto';
import { type BoundOrder, canonicalDateTime } from '@rostergate/odata';
import { Problem } from '@rostergate/server/problem';
import type { Scope } from '../store/scope.ts';
import { type Place, type PlaceValue, placeTypeOf } from '../store/staff-order.ts';

export interface PageStart {
  readonly after: Place;
  /** Number of people on the pages before. */
  readonly delivered: number;
  /** The page size that the first request asked for. */
  readonly pageSize: number;
  /** The upper bound of a list of changes; undefined for any other list. */
  readonly until?: string | undefined;
}

/** Returns a `$skiptoken`: opaque to clients, and valid only for the query that it was created for. */
export function createSkipToken({ after, delivered, pageSize, until }: PageStart, queryDigest: string): string {
  const fields = [queryDigest, pageSize, delivered, until ?? null, after.staffKey, ...after.keys.map(toField)];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** @throws Problem 400 `odata_invalid` for a malformed token, or one of another query */
export function parseSkipToken(token: string, queryDigest: string, orderby: readonly BoundOrder[]): PageStart {
  const fields = parseFields(token);
  if (fields === undefined) throw invalidToken('$skiptoken', 'is not a token of this server');
  const [digest, pageSize, delivered, until, staffKey, ...texts] = fields;
  const isWhole = isCount(pageSize) && pageSize > 0 && isCount(delivered) && typeof staffKey === 'string';
  if (typeof digest !== 'string' || !isWhole || !(until === null || isTime(until)))
    throw invalidToken('$skiptoken', 'is not a token of this server');
  if (digest !== queryDigest || texts.length !== orderby.length)
    throw invalidToken('$skiptoken', 'belongs to another query');
  const keys = orderby.map((order, i) => readField(texts[i], placeTypeOf(order)));
  return { after: { staffKey, keys }, delivered, pageSize, until: until ?? undefined };
}

/** Numbers that JSON cannot represent. */
const nonJsonNumbers: readonly (readonly [number: number, name: string])[] = [
  [Number.POSITIVE_INFINITY, 'INF'],
  [Number.NEGATIVE_INFINITY, '-INF'],
  [-0, '-0'],
];

function toField(value: PlaceValue): unknown {
  const [, name] = nonJsonNumbers.find(([number]) => Object.is(number, value)) ?? [];
  return name === undefined ? value : { number: name };
}

/**
 * Returns a digest of everything that determines a list and its order: the scope and all options but the tokens. It
 * ignores whether quotes are encoded: many clients and URL parsers encode those of a link.
 */
export function digestQuery(queryText: string, { companyKey, isAdmin }: Scope): string {
  const text = `${isAdmin} ${companyKey} ${withoutTokens(queryText).replaceAll("'", '%27')}`;
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** The paths of lists, below `/v2/`. */
export type ListPath = 'staffmember' | 'StaffMembers';

/** The longest token that the contract accepts, and the longest URL that the server accepts. */
const tokenLengthMax = 8_192;
const urlLengthMax = 16_384;

/**
 * Returns the relative URL of a next page or of later changes, with all other options.
 * @throws Problem 400 `odata_invalid` when the server would reject the URL as too long
 */
export function createLink(queryText: string, name: TokenName, token: string, path: ListPath = 'staffmember'): string {
  const others = withoutTokens(queryText);
  const link = `${path}?${others === '' ? '' : `${others}&`}${name}=${token}`;
  if (token.length > tokenLengthMax) {
    const detail = 'the values at the end of this page are too long for a link to the next one';
    const remedy = 'Order by their first characters, such as substring(City,0,100), or request the list without pages.';
    throw new Problem('odata_invalid', `$orderby: ${detail}. ${remedy}`, {
      errors: [{ parameter: '$orderby', detail }],
    });
  }
  if (`/v2/${link}`.length > urlLengthMax) {
    const fault = `The URL in the link of this response would have more than ${urlLengthMax} bytes.`;
    throw new Problem('odata_invalid', `${fault} Shorten the query, or request the list without pages and changes.`);
  }
  return link;
}

/** Characters that a URL must not contain, although servers accept them (RFC 3986). */
const invalidInUrl = /[^\w.~!$&'()*+,;=:@/?%-]/g;

function withoutTokens(queryText: string): string {
  const parts = queryText
    .split('&')
    .filter((part) => part !== '' && !/^(?:\$|%24)(?:skip|delta)token(?:=|$)/i.test(part));
  return parts
    .join('&')
    .replace(invalidInUrl, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

export function parseFields(token: string): unknown[] | undefined {
  try {
    const fields: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** A time as it is stored; empty before the first change. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && (value === '' || canonicalDateTime(value) === value);
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readField(field: unknown, type: ReturnType<typeof placeTypeOf>): PlaceValue {
  if (field === null || typeof field === type) return field as PlaceValue;
  const name = (field as { number?: unknown } | undefined)?.number;
  const [number] = nonJsonNumbers.find(([, written]) => written === name) ?? [];
  if (type === 'number' && number !== undefined) return number;
  throw invalidToken('$skiptoken', 'is not a token of this server');
}

type TokenName = '$skiptoken' | '$deltatoken';

export function invalidToken(parameter: TokenName, detail: string): Problem {
  const remedy = 'Use the links of responses unchanged, or start again without a token.';
  return new Problem('odata_invalid', `${parameter}: ${detail}. ${remedy}`, { errors: [{ parameter, detail }] });
}
