import { isObject } from '../json-pointer.ts';

/** What the value of a keyword must be; the text completes "must be …". */
interface KeywordRule {
  readonly isRight: (value: unknown) => boolean;
  readonly text: string;
}

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const anything = () => true;

const text: KeywordRule = { isRight: isText, text: 'a text' };
const flag: KeywordRule = { isRight: isFlag, text: 'true or false' };
const number: KeywordRule = { isRight: isNumber, text: 'a number' };
const count: KeywordRule = { isRight: isCount, text: 'a whole number from 0' };
const any: KeywordRule = { isRight: anything, text: 'anything' };
const object: KeywordRule = { isRight: isObject, text: 'an object' };

/** By keyword: a map, since a document may use any word there is, `constructor` too. */
export function tableOf<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

/** Keywords that mean the same in OpenAPI 3.0 and are taken over as they are. */
export const keptKeywords = tableOf<KeywordRule>({
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
  multipleOf: { isRight: (value) => isNumber(value) && (value as number) > 0, text: 'a number above 0' },
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

/** Keywords that say nothing of a value: names and notes of JSON Schema, and what references are resolved from. */
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

/** Keywords that OpenAPI 3.0 has no words for, and how the same is often said. */
export const unsayableKeywords = tableOf<string>({
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

/** Keywords that only describe. */
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
 * A pattern as the validator takes it: a regular expression of ECMA-262 with the `u` flag. Needless escapes, which that
 * flag forbids, are taken out; undefined when it is no regular expression even so.
 */
export function unicodePattern(pattern: string): string | undefined {
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
