import { createValidationProblem, type Fault } from '../problem/index.ts';
import type { RequestParts } from './handler.ts';
import type { ParameterObject } from './openapi.ts';

/** The parts of a request that contain header and cookie parameters. */
export interface FieldRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
}

/** Adds the texts of header and cookie parameters to the parts. @throws Problem `validation_failed` for a repeated one. */
export type ReadFields = (req: FieldRequest, parts: RequestParts) => void;

/**
 * Returns the reader of an operation's cookie parameters and, with `readsHeaders`, header parameters; undefined for an
 * operation without any. A repeated one is ambiguous: servers use the first, the last or both.
 */
export function createFieldReader(
  parameters: readonly ParameterObject[],
  readsHeaders: boolean,
): ReadFields | undefined {
  const cookies = parameters.filter((p) => p.in === 'cookie').map((p) => p.name);
  const headers = readsHeaders ? parameters.filter((p) => p.in === 'header').map((p) => p.name) : [];
  if (cookies.length === 0 && headers.length === 0) return undefined;
  const declared = new Map(headers.map((name) => [name.toLowerCase(), name]));
  return (req, parts) => {
    const faults: Fault[] = [];
    if (headers.length > 0) parts.header = readHeaders(req, declared, faults);
    if (cookies.length > 0) parts.cookie = readCookies(req.headers.cookie, cookies, faults);
    if (faults.length > 0) throw createValidationProblem(faults);
  };
}

function readHeaders(
  { headers, rawHeaders }: FieldRequest,
  declared: ReadonlyMap<string, string>,
  faults: Fault[],
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  // Node joins most repeated fields and uses the first of others, so only the raw fields show a repetition.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = declared.get((rawHeaders[i] as string).toLowerCase());
    if (name === undefined) continue;
    if (name in values) repeated.add(name);
    else values[name] = headers[name.toLowerCase()];
  }
  for (const name of repeated) faults.push({ header: name, detail: givenTwice });
  return values;
}

/** Reads a Cookie header (RFC 6265 §4.2), which Node joins from several. Values are percent-decoded where possible. */
function readCookies(
  header: string | string[] | undefined,
  declared: readonly string[],
  faults: Fault[],
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  for (const pair of String(header ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    if (!declared.includes(name)) continue;
    if (name in values) repeated.add(name);
    else values[name] = decode(pair.slice(at + 1).trim());
  }
  for (const name of repeated) faults.push({ cookie: name, detail: givenTwice });
  return values;
}

const givenTwice = 'is given more than once';

/** Quotes around a value are not part of it. */
function decode(text: string): string {
  const value = /^".*"$/.test(text) ? text.slice(1, -1) : text;
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const cookiePrefix = 'cookie:';

/**
 * Returns the parameters with cookies as headers, which the validator coerces in place; for cookies it would discard the
 * coerced values. No header has such a name.
 */
export function withCookiesAsHeaders(parameters: readonly ParameterObject[]): readonly ParameterObject[] {
  return parameters.map((parameter, i) => {
    if (parameter.in !== 'cookie') return parameter;
    const { style: _, explode: __, ...rest } = parameter;
    return { ...rest, in: 'header', name: `${cookiePrefix}${i}` };
  });
}

/** Where a header of `withCookiesAsHeaders` was declared, and its name there. */
export interface FieldPlace {
  readonly place: 'header' | 'cookie';
  readonly name: string;
}

/** Returns the place of each header of `withCookiesAsHeaders`, by its name in lower case. */
export function fieldPlaces(parameters: readonly ParameterObject[]): ReadonlyMap<string, FieldPlace> {
  const places = new Map<string, FieldPlace>();
  for (const [i, { in: place, name }] of parameters.entries()) {
    if (place === 'header') places.set(name.toLowerCase(), { place, name });
    else if (place === 'cookie') places.set(`${cookiePrefix}${i}`, { place, name });
  }
  return places;
}
