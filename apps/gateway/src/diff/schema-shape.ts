import type { ContractDocument } from '@rostergate/endpoints';

/** Schemas that must all match: a schema with its references and `allOf` followed. */
export type Conjunction = readonly SchemaPart[];
export type SchemaPart = Readonly<Record<string, unknown>>;

/** The combined keywords of a conjunction; undefined means no restriction. */
export interface Shape {
  /** Without null; `number` includes integers. Undefined for any type. */
  readonly types: ReadonlySet<string> | undefined;
  readonly isNullable: boolean;
  /** JSON texts of the allowed values, without null. */
  readonly values: ReadonlySet<string> | undefined;
  readonly bounds: ReadonlyMap<BoundName, Bound>;
  readonly formats: ReadonlySet<string>;
  readonly patterns: ReadonlySet<string>;
  readonly multipleOf: number | undefined;
  readonly isUnique: boolean;
  readonly required: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, Conjunction>;
  /** Undeclared fields: undefined if any are allowed, false if none are. */
  readonly more: Conjunction | false | undefined;
  readonly items: Conjunction | undefined;
  readonly choices: readonly Conjunction[] | undefined;
  readonly fallback: string | undefined;
  /** Keywords that are compared as text. */
  readonly others: ReadonlyMap<string, ReadonlySet<string>>;
}

export const boundNames = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;
export type BoundName = (typeof boundNames)[number];

export interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
}

const opaqueKeywords = [
  ...['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'prefixItems', 'patternProperties'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
];

const nothing: SchemaPart = Object.freeze({ type: [], enum: [] });

/** Reads the schemas of one document, with a cache. */
export interface SchemaReader {
  /** Follows references and `allOf`; repeated parts count once, so that recursion ends. */
  expand(schema: unknown): Conjunction;
  shapeOf(parts: Conjunction): Shape;
  /** Returns a key that is equal for equal conjunctions of this reader. */
  keyOf(parts: Conjunction): string;
}

/** Maximum depth of nested choices; deeper ones are ignored. */
const choiceDepthMax = 6;

export function createSchemaReader(document: ContractDocument): SchemaReader {
  const ids = new WeakMap<SchemaPart, number>();
  const shapes = new Map<string, Shape>();
  let lastId = 0;
  const idOf = (part: SchemaPart): number => {
    let id = ids.get(part);
    if (id === undefined) {
      id = ++lastId;
      ids.set(part, id);
    }
    return id;
  };
  const keyOf = (parts: Conjunction): string =>
    parts
      .map(idOf)
      .sort((a, b) => a - b)
      .join(',');
  const expand = (schema: unknown): Conjunction => expandSchema(schema, document);

  const shapeAt = (parts: Conjunction, depth: number): Shape => {
    if (depth > choiceDepthMax) return anything;
    const key = `${keyOf(parts)} ${depth}`;
    let shape = shapes.get(key);
    if (shape === undefined) {
      const own = parts.map((part) => partShape(part, expand)).reduce(mergeShapes, anything);
      // Two parts may contain the same choices.
      const lists = new Map(parts.flatMap(choicesOf).map((list) => [textOf(list), list]));
      const [choices] = lists.values();
      if (choices === undefined) shape = own;
      // Several sets of choices are compared as text.
      else if (lists.size > 1) {
        shape = { ...own, others: new Map([...own.others, ['choices', new Set(lists.keys())]]) };
      } else shape = withChoices(own, choices.map(expand), (choice) => shapeAt(choice, depth + 1));
      shapes.set(key, shape);
    }
    return shape;
  };
  return { expand, keyOf, shapeOf: (parts) => shapeAt(parts, 0) };
}

function expandSchema(schema: unknown, document: ContractDocument): Conjunction {
  const parts = new Set<SchemaPart>();
  const seen = new Set<unknown>();
  const pending = [schema];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next === false) parts.add(nothing);
    if (typeof next !== 'object' || next === null) continue;
    const given = next as SchemaPart;
    const isReference = typeof given.$ref === 'string';
    if (isReference) pending.push(document.resolve(given.$ref as string) ?? true);
    const isAlone = document.version === '3.0' && isReference;
    if (!isAlone && Array.isArray(given.allOf)) pending.push(...given.allOf);
    if (!isAlone && Object.keys(given).some((keyword) => !structuralKeywords.has(keyword))) parts.add(given);
  }
  return [...parts];
}

const structuralKeywords: ReadonlySet<string> = new Set(['$ref', 'allOf', 'description', 'summary']);

/** Adds choices to a shape; a single choice, or one and null, is merged instead. */
function withChoices(own: Shape, choices: readonly Conjunction[], shapeOf: (choice: Conjunction) => Shape): Shape {
  const shapes = choices.map(shapeOf);
  const real = choices.filter((_, i) => !isOnlyNull(shapes[i] as Shape));
  const realShapes = shapes.filter((shape) => !isOnlyNull(shape));
  const isNullable = own.isNullable && shapes.some((shape) => shape.isNullable);
  if (real.length === 1) return mergeShapes({ ...own, isNullable }, { ...(realShapes[0] as Shape), isNullable });
  const types = realShapes.some((shape) => shape.types === undefined)
    ? undefined
    : new Set(realShapes.flatMap((shape) => [...(shape.types ?? [])]));
  return { ...own, isNullable, types: own.types ?? types, choices: real };
}

function choicesOf({ oneOf, anyOf }: SchemaPart): (readonly unknown[])[] {
  return [oneOf, anyOf].filter((list) => Array.isArray(list) && list.length > 0) as (readonly unknown[])[];
}

function isOnlyNull({ types, values, isNullable }: Shape): boolean {
  return isNullable && (types?.size === 0 || values?.size === 0);
}

const anything: Shape = {
  types: undefined,
  isNullable: true,
  values: undefined,
  bounds: new Map(),
  formats: new Set(),
  patterns: new Set(),
  multipleOf: undefined,
  isUnique: false,
  required: new Set(),
  fields: new Map(),
  more: undefined,
  items: undefined,
  choices: undefined,
  fallback: undefined,
  others: new Map(),
};

function partShape(part: SchemaPart, expand: SchemaReader['expand']): Shape {
  const types = part.type === undefined ? undefined : [part.type].flat().map(String);
  const listed = Array.isArray(part.enum) ? part.enum : 'const' in part ? [part.const] : undefined;
  const takesNull = types === undefined || types.includes('null') || part.nullable === true;
  const listsNull = listed === undefined || listed.includes(null) || part.nullable === true;
  const { additionalProperties: more, properties, required } = part;
  return {
    types: types && new Set(types.filter((type) => type !== 'null')),
    isNullable: takesNull && listsNull,
    values: listed && new Set(listed.filter((value) => value !== null).map(textOf)),
    bounds: boundsOf(part),
    formats: new Set(typeof part.format === 'string' ? [part.format] : []),
    patterns: new Set(typeof part.pattern === 'string' ? [part.pattern] : []),
    multipleOf: typeof part.multipleOf === 'number' ? part.multipleOf : undefined,
    isUnique: part.uniqueItems === true,
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    fields: new Map(Object.entries((properties ?? {}) as object).map(([name, schema]) => [name, expand(schema)])),
    more: more === undefined || more === true ? undefined : more === false ? false : expand(more),
    items: part.items === undefined || part.items === true ? undefined : expand(part.items),
    choices: undefined,
    fallback: part.default === undefined ? undefined : textOf(part.default),
    others: new Map(
      opaqueKeywords.flatMap((name) => (part[name] === undefined ? [] : [[name, new Set([textOf(part[name])])]])),
    ),
  };
}

function boundsOf(part: SchemaPart): Map<BoundName, Bound> {
  const bounds = new Map<BoundName, Bound>();
  for (const name of boundNames) {
    const value = part[name];
    const exclusive = name === 'minimum' ? part.exclusiveMinimum : name === 'maximum' ? part.exclusiveMaximum : false;
    if (typeof value === 'number') bounds.set(name, { value, isExclusive: exclusive === true });
    if (typeof exclusive !== 'number') continue;
    bounds.set(name, tighter(name, bounds.get(name), { value: exclusive, isExclusive: true }));
  }
  return bounds;
}

function tighter(name: BoundName, a: Bound | undefined, b: Bound): Bound {
  return a === undefined || compareBounds(name, a, b) < 0 ? b : a;
}

/** Returns a negative number if `a` is the looser of two bounds. */
export function compareBounds(name: BoundName, a: Bound, b: Bound): number {
  const byValue = name.startsWith('min') ? a.value - b.value : b.value - a.value;
  return byValue || Number(a.isExclusive) - Number(b.isExclusive);
}

/** Returns the shape of both; the order does not matter. */
function mergeShapes(a: Shape, b: Shape): Shape {
  const bounds = new Map(a.bounds);
  for (const [name, bound] of b.bounds) bounds.set(name, tighter(name, bounds.get(name), bound));
  const fields = new Map(a.fields);
  for (const [name, schema] of b.fields) fields.set(name, joined(fields.get(name), schema));
  const others = new Map(a.others);
  for (const [name, texts] of b.others) others.set(name, new Set([...(others.get(name) ?? []), ...texts]));
  return {
    types: mergeTypes(a.types, b.types),
    isNullable: a.isNullable && b.isNullable,
    values:
      a.values === undefined
        ? b.values
        : b.values === undefined
          ? a.values
          : new Set([...a.values].filter((value) => b.values?.has(value))),
    bounds,
    formats: new Set([...a.formats, ...b.formats]),
    patterns: new Set([...a.patterns, ...b.patterns]),
    multipleOf: largest(a.multipleOf, b.multipleOf),
    isUnique: a.isUnique || b.isUnique,
    required: new Set([...a.required, ...b.required]),
    fields,
    more: a.more === false || b.more === false ? false : b.more === undefined ? a.more : joined(a.more, b.more),
    items: b.items === undefined ? a.items : joined(a.items, b.items),
    choices: a.choices ?? b.choices,
    fallback: [a.fallback, b.fallback].filter((text) => text !== undefined).sort()[0],
    others,
  };
}

function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function joined(a: Conjunction | undefined, b: Conjunction): Conjunction {
  return a === undefined ? b : [...new Set([...a, ...b])];
}

function mergeTypes(a: Shape['types'], b: Shape['types']): Shape['types'] {
  if (a === undefined || b === undefined) return a ?? b;
  const both = [...a, ...b].filter((type) => acceptsType(a, type) && acceptsType(b, type));
  return new Set(both);
}

export function acceptsType(types: ReadonlySet<string> | undefined, type: string): boolean {
  return types === undefined || types.has(type) || (type === 'integer' && types.has('number'));
}

/** Returns JSON text with sorted members, so that equal values have equal texts. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
