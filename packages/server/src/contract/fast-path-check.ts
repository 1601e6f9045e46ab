import { createSafePattern } from '../pattern/safe-pattern.ts';
import type { RequestParts } from './handler.ts';
import { type OpenApiDocument, type ParameterObject, type Reference, resolveReference } from './openapi.ts';

/** The parts of a request that checks read. */
export interface CheckedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly originalUrl: string;
}

/**
 * Returns whether a request without a body is certainly valid; its values are then coerced in place, as the validator
 * would do. False means that the validator decides; nothing has been changed then.
 */
export type FastPathCheck = (req: CheckedRequest, parts: RequestParts) => boolean;

/**
 * Compiles the check of scalar parameters and comma-separated lists. Returns undefined for parameters that it does not
 * support, such as objects. With `takesAnyQuery`, undeclared query parameters stay as they are; with `readsFields`, the
 * values of headers are read from `parts`.
 */
export function createFastPathCheck(
  document: OpenApiDocument,
  parameters: readonly ParameterObject[],
  takesAnyQuery = false,
  readsFields = false,
): FastPathCheck | undefined {
  const queries = new Map<string, ReadValue>();
  const paths: [name: string, read: ReadValue][] = [];
  const headers: [name: string, read: ReadValue, isRequired: boolean][] = [];
  const fields: Field[] = [];
  const requiredQueries: string[] = [];
  const defaults: [name: string, value: unknown][] = [];
  for (const parameter of parameters) {
    const { name, in: place, required = false } = parameter;
    const schema = simpleSchemaOf(document, parameter);
    if (schema === undefined) return undefined;
    const read = createParameterReader(document, schema, parameter);
    if (place === 'query') {
      queries.set(name, read);
      if (required) requiredQueries.push(name);
      if (schema.default !== undefined) {
        if (read(String(schema.default)) !== schema.default) return undefined;
        defaults.push([name, schema.default]);
      }
    } else if (place === 'cookie' || (place === 'header' && readsFields)) {
      if (schema.default !== undefined && read(String(schema.default)) !== schema.default) return undefined;
      fields.push({ place, name, read, isRequired: required, fallback: schema.default });
    } else if (schema.default !== undefined) {
      return undefined;
    } else if (place === 'path') {
      paths.push([name, read]);
    } else {
      headers.push([name.toLowerCase(), read, required]);
    }
  }

  return (req, parts) => {
    const { path, query } = parts;
    if (!plainUrl.test(req.originalUrl)) return false;
    for (let i = 0; i < headers.length; i++) {
      const [name, read, isRequired] = headers[i] as (typeof headers)[number];
      const value = req.headers[name];
      if (value === undefined ? isRequired : typeof value !== 'string' || read(value) === undefined) return false;
    }
    // Changes are applied only when all values are valid.
    let changes: unknown[] | undefined;
    for (let i = 0; i < paths.length; i++) {
      const [name, read] = paths[i] as (typeof paths)[number];
      const text = path[name];
      const value = typeof text === 'string' ? read(text) : undefined;
      if (value === undefined) return false;
      if (value !== text) {
        if (changes === undefined) changes = [path, name, value];
        else changes.push(path, name, value);
      }
    }
    for (const name in query) {
      const text = query[name];
      const read = queries.get(name);
      if (read === undefined && takesAnyQuery) continue;
      const value = typeof text === 'string' ? read?.(text) : undefined;
      if (value === undefined) return false;
      if (value !== text) {
        if (changes === undefined) changes = [query, name, value];
        else changes.push(query, name, value);
      }
    }
    for (let i = 0; i < requiredQueries.length; i++) {
      if (query[requiredQueries[i] as string] === undefined) return false;
    }
    for (let i = 0; i < fields.length; i++) {
      const { place, name, read, isRequired, fallback } = fields[i] as Field;
      const holder = parts[place] as Record<string, unknown>;
      const text = holder[name];
      const value = typeof text === 'string' ? read(text) : fallback;
      if (value === undefined && (text !== undefined || isRequired)) return false;
      if (value !== text) {
        if (changes === undefined) changes = [holder, name, value];
        else changes.push(holder, name, value);
      }
    }
    if (changes !== undefined) {
      for (let i = 0; i < changes.length; i += 3) {
        (changes[i] as Record<string, unknown>)[changes[i + 1] as string] = changes[i + 2];
      }
    }
    for (let i = 0; i < defaults.length; i++) {
      const [name, value] = defaults[i] as (typeof defaults)[number];
      if (query[name] === undefined) query[name] = value;
    }
    return true;
  };
}

/** Returns the value of a text; undefined when the validator has to decide. */
type ReadValue = (text: string) => unknown;

/** A header or cookie whose text is in `parts`. */
interface Field {
  readonly place: 'header' | 'cookie';
  readonly name: string;
  readonly read: ReadValue;
  readonly isRequired: boolean;
  readonly fallback: unknown;
}

interface SimpleSchema {
  readonly type?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: unknown;
}

/** Keywords that do not restrict values. */
const annotations = ['type', 'title', 'description', 'example', 'deprecated', 'default'];

const keywordsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set([...annotations, 'enum', 'pattern', 'minLength', 'maxLength']),
  integer: new Set([...annotations, 'minimum', 'maximum']),
  number: new Set([...annotations, 'minimum', 'maximum']),
  boolean: new Set(annotations),
  array: new Set([...annotations, 'items', 'minItems', 'maxItems']),
};

/** The validator parses the URL again and may read any other URL differently. */
const plainUrl = /^\/(?!\/)[!$-[\]_a-z~]*$/;

const scalar = /^(?:string|integer|number|boolean)$/;

/** Returns the schema of a parameter whose absence, at least, can be checked here; undefined for others. */
function simpleSchemaOf(document: OpenApiDocument, parameter: ParameterObject): SimpleSchema | undefined {
  const { in: place, content, style, schema: declared } = parameter;
  if (content !== undefined || typeof declared !== 'object' || declared === null) return undefined;
  const schema = resolveReference<SimpleSchema>(document, declared as SimpleSchema | Reference);
  if (style !== undefined && style !== (place === 'query' || place === 'cookie' ? 'form' : 'simple')) return undefined;
  const isList = schema.type === 'array' && place === 'query' && parameter.explode === false;
  if (!isList && !scalar.test(String(schema.type))) return undefined;
  // Defaults of lists, and defaults inside of combined schemas, are left to the validator.
  if ((isList && schema.default !== undefined) || combines(schema)) return undefined;
  return schema;
}

function combines(schema: object): boolean {
  return ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in schema);
}

const leaveToValidator: ReadValue = () => undefined;

function createParameterReader(document: OpenApiDocument, schema: SimpleSchema, parameter: ParameterObject): ReadValue {
  const read = createReader(document, schema);
  if (read === undefined) return leaveToValidator;
  if (parameter.in !== 'query') return read;
  // The validator rejects unencoded reserved characters; after decoding both forms look the same.
  const unreserved = schema.type === 'array' ? listCharacters : valueCharacters;
  if (parameter.allowReserved === true) return (text) => (text === '' ? undefined : read(text));
  return (text) => (unreserved.test(text) ? read(text) : undefined);
}

const valueCharacters = /^[^#[\]!$&'()*+,;=]+$/;
const listCharacters = /^[^#[\]!$&'()*+;=]+$/;

/** Compiles the type and keywords of a schema; returns undefined for unsupported ones. */
function createReader(document: OpenApiDocument, schema: SimpleSchema): ReadValue | undefined {
  const known = keywordsOf[String(schema.type)];
  if (known === undefined) return undefined;
  for (const keyword of Object.keys(schema)) if (!known.has(keyword) && !keyword.startsWith('x-')) return undefined;
  switch (schema.type) {
    case 'string':
      return createTextReader(schema);
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
    case 'array':
      return createListReader(document, schema);
    default:
      return createNumberReader(schema, schema.type === 'integer' ? usualInteger : usualNumber);
  }
}

/** The usual notation of numbers, which all readers interpret alike. */
const usualInteger = /^-?(?:0|[1-9]\d{0,14})$/;
const usualNumber = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/;

function createNumberReader({ minimum = -Infinity, maximum = Infinity }: SimpleSchema, notation: RegExp): ReadValue {
  return (text) => {
    if (!notation.test(text)) return undefined;
    const value = Number(text);
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

function createTextReader({ enum: known, pattern, minLength = 0, maxLength = Infinity }: SimpleSchema): ReadValue {
  const values = known && new Set(known);
  // With the flag of the validator.
  const form = pattern === undefined ? undefined : createSafePattern(pattern, 'u');
  // Lengths are in characters, each of one or two code units.
  const leastLength = minLength <= 1 ? minLength : 2 * minLength;
  return (text) => {
    if (text.length < leastLength || text.length > maxLength) return undefined;
    if (values !== undefined && !values.has(text)) return undefined;
    return form === undefined || form.test(text) ? text : undefined;
  };
}

function createListReader(document: OpenApiDocument, schema: SimpleSchema): ReadValue | undefined {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  if (typeof items !== 'object' || items === null) return undefined;
  const item = resolveReference<SimpleSchema>(document, items as SimpleSchema | Reference);
  const read = item.type === 'string' ? createReader(document, item) : undefined;
  if (read === undefined) return undefined;
  return (text) => {
    const values = text.split(',');
    if (values.length < minItems || values.length > maxItems) return undefined;
    for (let i = 0; i < values.length; i++) if (read(values[i] as string) === undefined) return undefined;
    return values;
  };
}
