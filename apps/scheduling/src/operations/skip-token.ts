import { hash } from 'node:crypto';
import type { BoundOrder } from '@rostergate/odata';
import { Problem } from '@rostergate/runtime/problem';
import type { Scope } from '../store/scope.ts';
import { type Place, type PlaceValue, placeTypeOf } from '../store/staff-order.ts';

/** Where the next page begins. */
export interface PageStart {
  readonly after: Place;
  /** How many people the pages before have had together. */
  readonly delivered: number;
  /** People a page, as they were asked for first. */
  readonly pageSize: number;
  /** The bound of a list of changes; undefined for any other list. */
  readonly until?: string | undefined;
}

/** A page's place in `$skiptoken`: opaque to callers, and good for the query that it came with. */
export function createSkipToken({ after, delivered, pageSize, until }: PageStart, queryDigest: string): string {
  const fields = [queryDigest, pageSize, delivered, until ?? null, after.staffKey, ...after.keys.map(toField)];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** @throws Problem 400 `odata_invalid` for a token that is garbled, or of another query. */
export function parseSkipToken(token: string, queryDigest: string, orderby: readonly BoundOrder[]): PageStart {
  const fields = parseFields(token);
  if (fields === undefined) throw invalid('is no token of this server');
  const [digest, pageSize, delivered, until, staffKey, ...texts] = fields;
  const isWhole = isCount(pageSize) && pageSize > 0 && isCount(delivered) && typeof staffKey === 'string';
  if (typeof digest !== 'string' || !isWhole || !(until === null || typeof until === 'string'))
    throw invalid('is no token of this server');
  if (digest !== queryDigest || texts.length !== orderby.length) throw invalid('belongs to another query');
  const keys = orderby.map((order, i) => readField(texts[i], placeTypeOf(order)));
  return { after: { staffKey, keys }, delivered, pageSize, until: until ?? undefined };
}

/** Numbers that JSON does not have. */
const unwritten: readonly (readonly [number: number, name: string])[] = [
  [Number.POSITIVE_INFINITY, 'INF'],
  [Number.NEGATIVE_INFINITY, '-INF'],
  [-0, '-0'],
];

function toField(value: PlaceValue): unknown {
  const [, name] = unwritten.find(([number]) => Object.is(number, value)) ?? [];
  return name === undefined ? value : { number: name };
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

function readField(field: unknown, type: ReturnType<typeof placeTypeOf>): PlaceValue {
  if (field === null || typeof field === type) return field as PlaceValue;
  const name = (field as { number?: unknown } | undefined)?.number;
  const [number] = unwritten.find(([, written]) => written === name) ?? [];
  if (type === 'number' && number !== undefined) return number;
  throw invalid('is no token of this server');
}

function invalid(detail: string): Problem {
  return new Problem('odata_invalid', `$skiptoken: ${detail}. Follow @odata.nextLink as it is, or begin anew.`, {
    errors: [{ parameter: '$skiptoken', detail }],
  });
}
