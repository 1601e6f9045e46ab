import { createSafePattern } from '../pattern/index.ts';
import { type OpenApiDocument, type ParameterObject, type Reference, resolveReference } from './openapi.ts';
import type { CheckedRequest, RequestParts } from './request-validator.ts';

/**
 * Whether a request without a body certainly keeps to the contract: then its values have been coerced in place, as the
 * judge would have. False says nothing: the judge is to be asked, and finds everything as it was.
 */
export type AdmitCheck = (req: Pick<CheckedRequest, 'headers' | 'originalUrl'>, parts: RequestParts) => boolean;

/**
 * Compiles the check of these parameters: scalars and comma-separated lists of them, by the keywords that are known
 * here. Undefined when the contract asks for what cannot be told so simply, such as objects. Where any query is taken,
 * what is not among them is let through as it came.
 */
export function createAdmitCheck(
  document: OpenApiDocument,
  parameters: readonly ParameterObject[],
  takesAnyQuery = false,
): AdmitCheck | undefined {
  const queries = new Map<string, Admit>();
  const paths: [name: string, admit: Admit][] = [];
  const headers: [name: string, admit: Admit, isRequired: boolean][] = [];
  const needed: string[] = [];
  const defaults: [name: string, value: unknown][] = [];
  for (const parameter of parameters) {
    const { name, in: place, required = false } = parameter;
    const schema = simpleSchemaOf(document, parameter);
    if (schema === undefined) return undefined;
    const admit = createAdmit(document, schema, parameter);
    if (place === 'query') {
      queries.set(name, admit);
      if (required) needed.push(name);
      if (schema.default !== undefined) {
        if (admit(String(schema.default)) !== schema.default) return undefined;
        defaults.push([name, schema.default]);
      }
    } else if (schema.default !== undefined) {
      return undefined;
    } else if (place === 'path') {
      paths.push([name, admit]);
    } else {
      headers.push([name.toLowerCase(), admit, required]);
    }
  }

  return (req, { path, query }) => {
    if (!plainUrl.test(req.originalUrl)) return false;
    for (let i = 0; i < headers.length; i++) {
      const [name, admit, isRequired] = headers[i] as (typeof headers)[number];
      const value = req.headers[name];
      if (value === undefined ? isRequired : typeof value !== 'string' || admit(value) === undefined) return false;
    }
    // Nothing is changed before it is certain that nothing is left to the judge.
    let changes: unknown[] | undefined;
    for (let i = 0; i < paths.length; i++) {
      const [name, admit] = paths[i] as (typeof paths)[number];
      const value = path[name];
      const admitted = typeof value === 'string' ? admit(value) : undefined;
      if (admitted === undefined) return false;
      if (admitted !== value) {
        if (changes === undefined) changes = [path, name, admitted];
        else changes.push(path, name, admitted);
      }
    }
    for (const name in query) {
      const value = query[name];
      const admit = queries.get(name);
      if (admit === undefined && takesAnyQuery) continue;
      const admitted = typeof value === 'string' ? admit?.(value) : undefined;
      if (admitted === undefined) return false;
      if (admitted !== value) {
        if (changes === undefined) changes = [query, name, admitted];
        else changes.push(query, name, admitted);
      }
    }
    for (let i = 0; i < needed.length; i++) if (query[needed[i] as string] === undefined) return false;
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

/** The value that a text stands for; undefined when it takes the judge to tell. */
type Admit = (text: string) => unknown;

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

/** What says something about a schema and nothing about its values. */
const annotations = ['type', 'title', 'description', 'example', 'deprecated', 'default'];

const keywordsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set([...annotations, 'enum', 'pattern', 'minLength', 'maxLength']),
  integer: new Set([...annotations, 'minimum', 'maximum']),
  number: new Set([...annotations, 'minimum', 'maximum']),
  boolean: new Set(annotations),
  array: new Set([...annotations, 'items', 'minItems', 'maxItems']),
};

/** Anything else may be read as another address by the judge, which parses it for itself. */
const plainUrl = /^\/(?!\/)[!$-[\]_a-z~]*$/;

const scalar = /^(?:string|integer|number|boolean)$/;

/** The schema of a parameter of which at least its absence can be told to be right; undefined for all others. */
function simpleSchemaOf(document: OpenApiDocument, parameter: ParameterObject): SimpleSchema | undefined {
  const { in: place, content, style, schema: given } = parameter;
  if (content !== undefined || place === 'cookie' || typeof given !== 'object' || given === null) return undefined;
  const schema = resolveReference<SimpleSchema>(document, given as SimpleSchema | Reference);
  if (style !== undefined && style !== (place === 'query' ? 'form' : 'simple')) return undefined;
  const isList = schema.type === 'array' && place === 'query' && parameter.explode === false;
  if (!isList && !scalar.test(String(schema.type))) return undefined;
  // Lists have defaults of their own kind, and what combines schemas may bring some along.
  if ((isList && schema.default !== undefined) || combines(schema)) return undefined;
  return schema;
}

function combines(schema: object): boolean {
  return ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in schema);
}

const toJudge: Admit = () => undefined;

function createAdmit(document: OpenApiDocument, schema: SimpleSchema, parameter: ParameterObject): Admit {
  const read = createReader(document, schema);
  if (read === undefined) return toJudge;
  if (parameter.in !== 'query') return read;
  // A reserved character is refused where it came raw, which a decoded one cannot tell.
  const unreserved = schema.type === 'array' ? listCharacters : valueCharacters;
  if (parameter.allowReserved === true) return (text) => (text === '' ? undefined : read(text));
  return (text) => (unreserved.test(text) ? read(text) : undefined);
}

const valueCharacters = /^[^#[\]!$&'()*+,;=]+$/;
const listCharacters = /^[^#[\]!$&'()*+;=]+$/;

/** Reads the type and keywords of a schema; undefined when one of them is not known here. */
function createReader(document: OpenApiDocument, schema: SimpleSchema): Admit | undefined {
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

/** Of many spellings of a number the usual one: it is the same to everybody. */
const usualInteger = /^-?(?:0|[1-9]\d{0,14})$/;
const usualNumber = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/;

function createNumberReader({ minimum = -Infinity, maximum = Infinity }: SimpleSchema, spelling: RegExp): Admit {
  return (text) => {
    if (!spelling.test(text)) return undefined;
    const value = Number(text);
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

function createTextReader({ enum: known, pattern, minLength = 0, maxLength = Infinity }: SimpleSchema): Admit {
  const values = known && new Set(known);
  // As the judge compiles it.
  const form = pattern === undefined ? undefined : createSafePattern(pattern, 'u');
  // Lengths are told in characters, of which some take two places each.
  const leastLength = minLength <= 1 ? minLength : 2 * minLength;
  return (text) => {
    if (text.length < leastLength || text.length > maxLength) return undefined;
    if (values !== undefined && !values.has(text)) return undefined;
    return form === undefined || form.test(text) ? text : undefined;
  };
}

function createListReader(document: OpenApiDocument, schema: SimpleSchema): Admit | undefined {
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
