import { escapeStep, isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';
import { tableOf, unicodePattern } from './schema-keywords.ts';

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
