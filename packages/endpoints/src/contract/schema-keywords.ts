import { isObject } from '../json-pointer.ts';

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
export function tableOf<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
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
