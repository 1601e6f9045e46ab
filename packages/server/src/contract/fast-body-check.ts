import { type OpenApiDocument, type Reference, type RequestBodyObject, resolveReference } from './openapi.ts';
import type { ParsedBody } from './request-body.ts';

/** Returns whether a body is certainly valid; false means that the validator decides. */
export type FastBodyCheck = (body: ParsedBody) => boolean;

type Test = (value: unknown) => boolean;

/**
 * Compiles the check of JSON bodies of few and plain keywords, such as messages of a protocol. Returns undefined for other
 * schemas, and for those that change the body, by defaults.
 */
export function createFastBodyCheck(
  document: OpenApiDocument,
  { content }: RequestBodyObject,
): FastBodyCheck | undefined {
  const isValid = compile(document, content[jsonType]?.schema, 0);
  return isValid && (({ mediaType, value }) => mediaType === jsonType && isValid(value));
}

const jsonType = 'application/json';

interface PlainSchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

/** Keywords that do not restrict values. */
const annotations = ['title', 'description', 'example', 'deprecated'];

const keywordsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set([...annotations, 'type', 'enum', 'minLength', 'maxLength']),
  integer: new Set([...annotations, 'type', 'minimum', 'maximum']),
  number: new Set([...annotations, 'type', 'minimum', 'maximum']),
  boolean: new Set([...annotations, 'type']),
  object: new Set([...annotations, 'type', 'required', 'properties', 'additionalProperties']),
  undefined: new Set([...annotations, 'anyOf']),
};

/** A schema may contain itself. */
const depthMax = 4;

function compile(document: OpenApiDocument, given: unknown, depth: number): Test | undefined {
  if (typeof given !== 'object' || given === null || depth > depthMax) return undefined;
  const schema = resolveReference<PlainSchema>(document, given as PlainSchema | Reference);
  const known = keywordsOf[String(schema.type)];
  if (known === undefined || !Object.keys(schema).every((keyword) => known.has(keyword))) return undefined;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isWithin = (value: unknown) => (value as number) >= minimum && (value as number) <= maximum;
  switch (schema.type) {
    case 'object':
      return compileObject(document, schema, depth);
    case 'string':
      return compileText(schema);
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'integer':
      return (value) => Number.isSafeInteger(value) && isWithin(value);
    case 'number':
      return (value) => Number.isFinite(value) && isWithin(value);
    default:
      return compileChoice(document, schema, depth);
  }
}

function compileText({ enum: known, minLength = 0, maxLength = Infinity }: PlainSchema): Test {
  // Lengths are in characters, each of one or two code units.
  const leastLength = minLength <= 1 ? minLength : 2 * minLength;
  return (value) =>
    typeof value === 'string' &&
    value.length >= leastLength &&
    value.length <= maxLength &&
    (known === undefined || known.includes(value));
}

function compileChoice(document: OpenApiDocument, { anyOf = [] }: PlainSchema, depth: number): Test | undefined {
  const tests = compileAll(document, anyOf, depth + 1);
  return (
    tests &&
    ((value) => {
      for (let i = 0; i < tests.length; i++) if ((tests[i] as Test)(value)) return true;
      return false;
    })
  );
}

function compileObject(document: OpenApiDocument, schema: PlainSchema, depth: number): Test | undefined {
  const { required = [], properties = {}, additionalProperties = true } = schema;
  if (typeof additionalProperties !== 'boolean') return undefined;
  const names = Object.keys(properties);
  const tests = compileAll(document, Object.values(properties), depth + 1);
  if (tests === undefined) return undefined;
  const known = new Set(names);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const members = value as Readonly<Record<string, unknown>>;
    for (let i = 0; i < required.length; i++) if (!Object.hasOwn(members, required[i] as string)) return false;
    for (let i = 0; i < tests.length; i++) {
      const name = names[i] as string;
      if (Object.hasOwn(members, name) && !(tests[i] as Test)(members[name])) return false;
    }
    if (!additionalProperties) for (const name in members) if (!known.has(name)) return false;
    return true;
  };
}

/** Ends at the first schema that is not plain, as a schema that contains itself never is. */
function compileAll(document: OpenApiDocument, schemas: readonly unknown[], depth: number): Test[] | undefined {
  const tests: Test[] = [];
  for (const schema of schemas) {
    const test = compile(document, schema, depth);
    if (test === undefined) return undefined;
    tests.push(test);
  }
  return tests;
}
