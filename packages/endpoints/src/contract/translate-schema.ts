import { escapeStep, isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';
import type { ComponentLibrary, Direction } from './component-library.ts';
import type { ContractDocument } from './contract-document.ts';
import {
  annotations,
  copiedKeywords,
  droppedKeywords,
  keywordTranslators,
  schemaTypes,
  unsupportedKeywords,
} from './schema-keywords.ts';

/** Reports a fault at a pointer into the document. */
export type ReportInDocument = (pointer: string, detail: string) => void;

export interface TranslationScope {
  readonly document: ContractDocument;
  readonly library: ComponentLibrary;
  readonly direction: Direction;
  /** Collects the names of the components that the result refers to. */
  readonly uses: Set<string>;
  readonly report: ReportInDocument;
}

type Draft = Record<string, unknown>;

/**
 * Translates a schema of OpenAPI 3.0 or 3.1 (JSON Schema 2020-12) to an equivalent schema of OpenAPI 3.0.3 and reports
 * what 3.0.3 cannot express. The result always compiles: the value of every keyword is checked.
 */
export function translateSchema(given: unknown, at: string, scope: TranslationScope): SchemaObject {
  if (given === true) return {};
  if (given === false) return { not: {} };
  if (!isObject(given)) {
    scope.report(at, 'must be a schema');
    return {};
  }
  if (given.$ref === undefined) return translateObject(given, at, scope);
  const reference = translateReference(given.$ref, at, scope);
  // OpenAPI 3.0 ignores keywords beside a reference.
  if (reference === undefined || scope.document.version === '3.0') return reference ?? {};
  const { $ref: _, ...beside } = given;
  const more = translateObject(beside, at, scope);
  if (Object.keys(more).length === 0) return reference;
  return { ...more, allOf: [reference, ...((more.allOf as SchemaObject[] | undefined) ?? [])] };
}

function translateReference(reference: unknown, at: string, scope: TranslationScope): SchemaObject | undefined {
  const { document, library, direction, report } = scope;
  if (typeof reference !== 'string' || !reference.startsWith('#')) {
    report(`${at}/$ref`, `points outside the document (${JSON.stringify(reference)}): bundle it into one file first`);
    return undefined;
  }
  if (reference === '#' || !reference.startsWith('#/')) {
    report(`${at}/$ref`, `"${reference}" is not a JSON pointer: refer to #/components/schemas/…`);
    return undefined;
  }
  const target = document.resolve(reference);
  if (target === undefined || followsItself(reference, document)) {
    report(`${at}/$ref`, target === undefined ? `${reference} does not exist` : `${reference} refers only to itself`);
    return undefined;
  }
  const name = library.nameOf(reference, direction, (value, pointer, uses, reportInComponent) =>
    translateSchema(value, pointer, { ...scope, uses, report: reportInComponent }),
  );
  scope.uses.add(name);
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns whether a reference leads back to itself without a schema in between. */
function followsItself(reference: string, document: ContractDocument): boolean {
  const seen = new Set<string>();
  for (let next: unknown = reference; typeof next === 'string'; ) {
    if (seen.has(next)) return true;
    seen.add(next);
    const target = document.resolve(next);
    next = isObject(target) ? target.$ref : undefined;
  }
  return false;
}

function translateObject(given: JsonObject, at: string, scope: TranslationScope): SchemaObject {
  const { report } = scope;
  const draft: Draft = {};
  const more: SchemaObject[] = [];
  const types = readTypes(given, at, report);
  for (const [keyword, value] of Object.entries(given)) {
    const here = `${at}/${escapeStep(keyword)}`;
    const rule = copiedKeywords.get(keyword);
    if (rule !== undefined) {
      // A tighter exclusive bound may be set already.
      if (rule.isValid(value)) draft[keyword] ??= value;
      else report(here, `must be ${rule.text}`);
    } else if (unsupportedKeywords.has(keyword)) {
      report(here, `the keyword ${keyword} cannot be expressed in OpenAPI 3.0: ${unsupportedKeywords.get(keyword)}`);
    } else if (keyword.startsWith('x-')) {
      if (!keyword.startsWith('x-eov')) draft[keyword] = value;
    } else if (!droppedKeywords.has(keyword)) {
      // Unknown keywords are annotations (JSON Schema 2020-12 Core §6.5) and are dropped.
      const sub = (schema: unknown, place: string) => translateSchema(schema, place, scope);
      keywordTranslators.get(keyword)?.({ value, at: here, given, draft, more, sub, report });
      if (keyword === 'discriminator') translateDiscriminator(value, here, given, draft, scope);
    }
  }
  if (scope.direction === 'request') relaxReadOnly(given, draft, scope.document);
  if (more.length > 0) draft.allOf = [...((draft.allOf as SchemaObject[] | undefined) ?? []), ...more];
  translateConditions(given, at, draft, scope);
  return withTypes(draft, types, given, scope.document.version);
}

/** Translates `if`, `then` and `else` to `anyOf` and `not`. */
function translateConditions(given: JsonObject, at: string, draft: Draft, scope: TranslationScope): void {
  if (given.if === undefined || (given.then === undefined && given.else === undefined)) return;
  const branch = (name: 'if' | 'then' | 'else') =>
    given[name] === undefined ? {} : translateSchema(given[name], `${at}/${name}`, scope);
  const condition = branch('if');
  const both = { anyOf: [{ allOf: [condition, branch('then')] }, { allOf: [{ not: condition }, branch('else')] }] };
  draft.allOf = [...((draft.allOf as SchemaObject[] | undefined) ?? []), both];
}

/**
 * Makes read-only properties optional in requests (OpenAPI 3.0.3 §4.7.24.2) and allows them: a client may send back what
 * it read, and the upstream decides what to do with it.
 */
function relaxReadOnly(given: JsonObject, draft: Draft, document: ContractDocument): void {
  delete draft.readOnly;
  if (!Array.isArray(draft.required) || !isObject(given.properties)) return;
  const { properties } = given;
  const required = draft.required.filter(
    (name: string) => !(Object.hasOwn(properties, name) && isReadOnly(properties[name], document)),
  );
  if (required.length > 0) draft.required = required;
  else delete draft.required;
}

function isReadOnly(schema: unknown, document: ContractDocument): boolean {
  let found = schema;
  for (let hops = 0; isObject(found) && hops < 32; hops++) {
    if (found.readOnly === true) return true;
    if (typeof found.$ref !== 'string') return false;
    found = document.resolve(found.$ref);
  }
  return false;
}

interface Types {
  readonly list: readonly string[];
  readonly isNullable: boolean;
}

function readTypes({ type, nullable }: JsonObject, at: string, report: ReportInDocument): Types | undefined {
  if (type === undefined) return nullable === true ? { list: [], isNullable: true } : undefined;
  const given: readonly unknown[] = Array.isArray(type) ? type : [type];
  const list = given.filter((name) => name !== 'null');
  const wrong = list.find((name) => !schemaTypes.has(name));
  if (wrong !== undefined || given.length === 0) {
    report(`${at}/type`, `${JSON.stringify(wrong ?? '')} is not a JSON type`);
    return undefined;
  }
  const isWide = list.includes('number');
  return {
    list: [...new Set(list as string[])].filter((name) => !(isWide && name === 'integer')),
    isNullable: nullable === true || list.length < given.length,
  };
}

/** Matches only null; 3.0 has no type null. */
const onlyNull: SchemaObject = Object.freeze({ type: 'string', nullable: true, enum: [null] });

function withTypes(draft: Draft, types: Types | undefined, given: JsonObject, version: '3.0' | '3.1'): SchemaObject {
  if (types === undefined) return mergeNullAlternative(draft);
  const { list, isNullable } = types;
  if (list.length === 0) return given.type === undefined ? nullableWithoutType(draft) : { ...draft, ...onlyNull };
  if (list.length > 1) {
    const alternatives = [...list.map((type) => ({ type })), ...(isNullable ? [onlyNull] : [])];
    return draft.anyOf === undefined
      ? { ...draft, anyOf: alternatives }
      : { ...draft, allOf: [...((draft.allOf as SchemaObject[] | undefined) ?? []), { anyOf: alternatives }] };
  }
  const typed: Draft = { type: list[0], ...draft };
  if (!isNullable) return typed;
  if (version === '3.0' && ['allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in draft)) return orNull(typed);
  typed.nullable = true;
  // Authors of 3.0 documents expect nullable to allow null beside enum; the validator requires it among the values.
  if (version === '3.0' && Array.isArray(typed.enum) && !typed.enum.includes(null)) typed.enum = [...typed.enum, null];
  return typed;
}

/** Allows null without a type: 3.0 does not define that, but documents use it, most often beside `allOf`. */
function nullableWithoutType(draft: Draft): SchemaObject {
  return Object.keys(draft).every((keyword) => annotations.has(keyword)) ? draft : orNull(draft);
}

function orNull(draft: Draft): SchemaObject {
  const entries = Object.entries(draft);
  const notes = entries.filter(([keyword]) => annotations.has(keyword));
  const rest = entries.filter(([keyword]) => !annotations.has(keyword));
  return { ...Object.fromEntries(notes), anyOf: [Object.fromEntries(rest), onlyNull] };
}

/** Translates `anyOf: [{ type: string }, { type: null }]`, which generators write for optional values. */
function mergeNullAlternative(draft: Draft): SchemaObject {
  const keyword = draft.anyOf === undefined ? 'oneOf' : 'anyOf';
  const { [keyword]: alternatives, ...notes } = draft;
  if (!Array.isArray(alternatives) || alternatives.length !== 2) return draft;
  const other = alternatives.find((schema: SchemaObject) => !isOnlyNull(schema)) as SchemaObject | undefined;
  if (other === undefined || typeof other.type !== 'string' || !alternatives.some(isOnlyNull)) return draft;
  if (!Object.keys(notes).every((name) => annotations.has(name))) return draft;
  const values = Array.isArray(other.enum) && !other.enum.includes(null) ? { enum: [...other.enum, null] } : {};
  return { ...other, ...values, ...notes, nullable: true };
}

function isOnlyNull(schema: SchemaObject): boolean {
  return schema.nullable === true && Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null;
}

/** Writes the mapping of a discriminator explicitly: the translated schemas have other names. */
function translateDiscriminator(
  value: unknown,
  at: string,
  given: JsonObject,
  draft: Draft,
  scope: TranslationScope,
): void {
  if (!isObject(value) || typeof value.propertyName !== 'string') {
    scope.report(at, 'must name a property in propertyName');
    return;
  }
  const mapping: Record<string, unknown> = {};
  const targets = new Map<string, [string, string]>();
  for (const [keyword, entry] of [given.oneOf, given.anyOf].flatMap((list) =>
    Array.isArray(list) ? [...list.entries()] : [],
  )) {
    const reference = isObject(entry) ? entry.$ref : undefined;
    if (typeof reference === 'string') {
      targets.set(reference.slice(reference.lastIndexOf('/') + 1), [reference, `${at}/${keyword}`]);
    }
  }
  if (isObject(value.mapping)) {
    const explicit = Object.entries(value.mapping).map(([key, target]) => {
      const text = typeof target === 'string' ? target : '';
      return [key, text.includes('/') || text.includes('#') ? text : `#/components/schemas/${text}`] as const;
    });
    const named = new Set(explicit.map(([, reference]) => reference));
    for (const [name, [reference]] of targets) if (named.has(reference)) targets.delete(name);
    for (const [key, reference] of explicit) targets.set(key, [reference, `${at}/mapping/${escapeStep(key)}`]);
  }
  for (const [key, [reference, place]] of targets) {
    const translated = translateReference(reference, place, scope);
    if (translated !== undefined) mapping[key] = translated.$ref;
  }
  draft.discriminator = {
    propertyName: value.propertyName,
    ...(Object.keys(mapping).length === 0 ? {} : { mapping }),
  };
}
