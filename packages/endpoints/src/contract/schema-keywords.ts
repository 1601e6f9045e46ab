import { escapeStep, isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';

/** The valid values of a keyword; the text completes "must be …". */
interface KeywordRule {
  readonly isValid: (value: unknown) => boolean;
  readonly text: string;
}

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const anything = () => true;

const text: KeywordRule = { isValid: isText, text: 'a string' };
const flag: KeywordRule = { isValid: isFlag, text: 'true or false' };
const number: KeywordRule = { isValid: isNumber, text: 'a number' };
const count: KeywordRule = { isValid: isCount, text: 'an integer of at least 0' };
const any: KeywordRule = { isValid: anything, text: 'anything' };
const object: KeywordRule = { isValid: isObject, text: 'an object' };

/** Returns a map by keyword: an object would find `constructor` and the like. */
function tableOf<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

/** Keywords with the same meaning in OpenAPI 3.0: they are copied. */
export const copiedKeywords = tableOf<KeywordRule>({
  title: text,
  description: text,
  default: any,
  example: any,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  externalDocs: object,
  xml: object,
  format: text,
  multipleOf: { isValid: (value) => isNumber(value) && (value as number) > 0, text: 'a number above 0' },
  minimum: number,
  maximum: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: flag,
});

/** Keywords that do not restrict values: they are dropped. */
export const droppedKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$comment',
  '$defs',
  '$vocabulary',
  'definitions',
  'contentSchema',
]);

/** Keywords that OpenAPI 3.0 cannot express, with an alternative. */
export const unsupportedKeywords = tableOf<string>({
  patternProperties: 'use additionalProperties',
  propertyNames: 'name the properties',
  prefixItems: 'use items with anyOf, minItems and maxItems',
  additionalItems: 'use items with anyOf, minItems and maxItems',
  minContains: 'leave it out',
  maxContains: 'leave it out',
  unevaluatedItems: 'use items',
  $dynamicRef: 'use $ref',
  $recursiveRef: 'use $ref',
});

export const schemaTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

/** Keywords that only describe and do not restrict values. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
]);

/**
 * Returns a pattern for the validator: a regular expression of ECMA-262 with the `u` flag. Needless escapes, which the
 * flag forbids, are removed; undefined when it is still not a regular expression.
 */
function unicodePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern;
  const plain = pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/gu, '$1').replace(/\\_/g, '_');
  if (compiles(plain)) return plain;
  const outside = plain.replace(/(\[(?:\\.|[^\]\\])*\])|\\-/g, (_, set: string | undefined) => set ?? '-');
  return compiles(outside) ? outside : undefined;
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** One keyword of a schema, and the draft of the translated schema. */
export interface KeywordContext {
  readonly value: unknown;
  readonly at: string;
  /** The schema that contains the keyword. */
  readonly given: JsonObject;
  readonly draft: Record<string, unknown>;
  /** Schemas that must match in addition. */
  readonly more: SchemaObject[];
  readonly sub: (schema: unknown, at: string) => SchemaObject;
  readonly report: (pointer: string, detail: string) => void;
}

/** Translators of the keywords that differ in OpenAPI 3.0 or contain schemas. */
export const keywordTranslators = tableOf<(context: KeywordContext) => void>({
  enum(context) {
    if (!isList(context)) return;
    // Duplicates are valid in 3.1, but not in 3.0.
    context.draft.enum = [
      ...new Map((context.value as unknown[]).map((value) => [JSON.stringify(value), value])).values(),
    ];
  },
  const({ value, draft }) {
    draft.enum = [value];
  },
  examples({ value, given, draft }) {
    if (Array.isArray(value) && value.length > 0 && given.example === undefined) draft.example = value[0];
  },
  pattern({ value, at, draft, report }) {
    const pattern = typeof value === 'string' ? unicodePattern(value) : undefined;
    if (pattern === undefined) report(at, 'must be a regular expression (ECMA-262 with the flag u)');
    else draft.pattern = pattern;
  },
  exclusiveMinimum: (context) => translateExclusive('minimum', 'exclusiveMinimum', context),
  exclusiveMaximum: (context) => translateExclusive('maximum', 'exclusiveMaximum', context),
  contentEncoding({ value, given, draft }) {
    if (given.format === undefined && value === 'base64') draft.format = 'byte';
  },
  contentMediaType({ value, given, draft }) {
    const isBinary = value === 'application/octet-stream' && given.contentEncoding === undefined;
    if (isBinary && given.format === undefined) draft.format = 'binary';
  },
  required({ value, at, draft, report }) {
    if (!isNameList(value)) report(at, 'must be a list of names');
    else if (value.length > 0) draft.required = [...new Set(value)];
  },
  properties({ value, at, draft, sub, report }) {
    if (!isObject(value)) {
      report(at, 'must be an object');
      return;
    }
    draft.properties = Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, sub(schema, `${at}/${escapeStep(name)}`)]),
    );
  },
  additionalProperties({ value, at, draft, sub }) {
    draft.additionalProperties = typeof value === 'boolean' ? value : sub(value, at);
  },
  unevaluatedProperties({ value, at, given, draft, sub, report }) {
    if (['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'dependentSchemas'].some((other) => other in given)) {
      report(at, 'the keyword unevaluatedProperties beside others cannot be expressed in OpenAPI 3.0');
    } else if (given.additionalProperties === undefined) {
      draft.additionalProperties = typeof value === 'boolean' ? value : sub(value, at);
    }
  },
  items({ value, at, draft, sub, report }) {
    if (Array.isArray(value)) report(at, 'must be one schema: a list cannot be expressed in OpenAPI 3.0');
    else draft.items = sub(value, at);
  },
  not({ value, at, draft, sub }) {
    draft.not = sub(value, at);
  },
  allOf: (context) => translateEach('allOf', context),
  anyOf: (context) => translateEach('anyOf', context),
  oneOf: (context) => translateEach('oneOf', context),
  contains({ value, at, more, sub }) {
    more.push({ not: { type: 'array', items: { not: sub(value, at) } } });
  },
  dependentRequired({ value, at, more, report }) {
    if (!isObject(value) || !Object.values(value).every(isNameList))
      report(at, 'must be an object with lists of names');
    else {
      for (const [name, names] of Object.entries(value)) {
        if ((names as string[]).length > 0) more.push(onlyWith(name, { required: names }));
      }
    }
  },
  dependentSchemas({ value, at, more, sub, report }) {
    if (!isObject(value)) report(at, 'must be an object');
    else {
      for (const [name, schema] of Object.entries(value)) {
        more.push(onlyWith(name, sub(schema, `${at}/${escapeStep(name)}`)));
      }
    }
  },
});

function translateEach(keyword: 'allOf' | 'anyOf' | 'oneOf', context: KeywordContext): void {
  if (!isList(context)) return;
  context.draft[keyword] = (context.value as unknown[]).map((schema, i) => context.sub(schema, `${context.at}/${i}`));
}

/** Translates an exclusive bound: a number in 3.1, a flag beside the bound in 3.0. */
function translateExclusive(
  bound: 'minimum' | 'maximum',
  keyword: 'exclusiveMinimum' | 'exclusiveMaximum',
  { value, at, given, draft, report }: KeywordContext,
): void {
  if (typeof value === 'boolean') {
    if (value && typeof given[bound] === 'number') draft[keyword] = true;
    return;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    report(at, 'must be a number');
    return;
  }
  const other = given[bound];
  if (typeof other === 'number' && (bound === 'minimum' ? other > value : other < value)) return;
  draft[bound] = value;
  draft[keyword] = true;
}

const onlyWith = (name: string, schema: SchemaObject): SchemaObject => ({
  anyOf: [{ not: { required: [name] } }, schema],
});

function isList({ value, at, report }: KeywordContext): boolean {
  if (Array.isArray(value) && value.length > 0) return true;
  report(at, 'must be a list with at least one entry');
  return false;
}

function isNameList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
