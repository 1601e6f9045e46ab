import { analyzePattern } from '../pattern/analyze-pattern.ts';
import { isLinear } from '../pattern/safe-pattern.ts';
import { createBoundedSchemas, cycleEntries, nameIn, referencesIn, schemasIn, workKeyword } from './bounded-schemas.ts';
import type { Schema } from './decide-alternatives.ts';
import { type Components, escapeStep, httpMethods, type OpenApiDocument, reachableComponents } from './openapi.ts';

const listedMax = 20;

/**
 * Returns the place and the remedy of request schemas that may be costly to check. Their checks end in bounded time, so
 * that values which the schema allows may be rejected.
 */
export function findCostlySchemas(document: Pick<OpenApiDocument, 'paths' | 'components'>): string[] {
  const whole = { openapi: '3.0.3', info: { title: '', version: '' }, ...document };
  const requests = requestParts(document.paths);
  const components = reachableComponents(whole, Object.values(requests));
  const bounded = createBoundedSchemas(components).components.schemas ?? {};
  const nested = Object.entries(bounded).filter(([, root]) => [...schemasIn(root)].some((s) => workKeyword in s));
  const found = [
    ...nested.map(
      ([name]) =>
        `#/components/schemas/${name} has nested alternatives: distinguish them by a discriminator, or by a required property with a different constant in each.`,
    ),
    ...findRepeatedReferences(components.schemas ?? {}).map(
      (name) =>
        `#/components/schemas/${name} refers to itself more than once from the same member, through allOf or overlapping properties: declare the member in one place.`,
    ),
    ...findInside(components, '#/components'),
    ...Object.entries(requests).flatMap(([place, part]) => findInside(part, place)),
  ];
  return found.length <= listedMax
    ? found
    : [...found.slice(0, listedMax), `${found.length - listedMax} more schemas may be costly to check.`];
}

/** Returns the parameters and bodies of requests by their place. */
function requestParts(paths: OpenApiDocument['paths']): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(paths)) {
    if (item?.parameters !== undefined) parts[path] = { parameters: item.parameters };
    for (const method of httpMethods) {
      const operation = item?.[method];
      if (operation === undefined) continue;
      const { parameters, requestBody } = operation;
      parts[`${method.toUpperCase()} ${path}`] = { parameters, requestBody };
    }
  }
  return parts;
}

/** Members that contain values rather than schemas. */
const valueMembers = new Set(['example', 'examples', 'default', 'enum', 'const']);

function findInside(root: unknown, place: string): string[] {
  const found: string[] = [];
  const pending: { readonly value: unknown; readonly at: string }[] = [{ value: root, at: place }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, at } = next;
    if (typeof value !== 'object' || value === null) continue;
    const remedy = remedyFor(value as Readonly<Record<string, unknown>>);
    if (remedy !== undefined) found.push(`${at} ${remedy}`);
    for (const [name, member] of Object.entries(value).reverse()) {
      if (typeof member !== 'object' || valueMembers.has(name)) continue;
      pending.push({ value: member, at: `${at}/${escapeStep(name)}` });
    }
  }
  return found;
}

function remedyFor({ pattern, maxLength, uniqueItems, maxItems, items }: Readonly<Record<string, unknown>>) {
  if (typeof pattern === 'string' && maxLength === undefined && isCostly(pattern)) {
    return `has the pattern ${pattern}, which may take long: give it a maxLength, or a pattern without repetitions of repetitions and without look-around.`;
  }
  if (uniqueItems === true && maxItems === undefined && !isScalar(items)) {
    return 'has uniqueItems for items of any size: give it maxItems.';
  }
  return undefined;
}

function isCostly(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return false;
  }
  const shape = analyzePattern(pattern);
  return !isLinear(shape) && (shape.isNested || (shape.re2 === undefined && shape.power > 1));
}

function isScalar(items: unknown): boolean {
  const { type } = (items ?? {}) as { type?: unknown };
  return typeof type === 'string' && type !== 'object' && type !== 'array';
}

type Section = Components[string];

/**
 * Returns the names of the schemas that refer to themselves more than once from the same member of a value, through
 * `allOf` or overlapping properties: each level of a value then doubles the steps of its check.
 */
function findRepeatedReferences(schemas: Section): string[] {
  const forward = new Map(Object.keys(schemas).map((name) => [name, referencesIn(schemas[name])]));
  const backward = new Map<string, string[]>();
  for (const [name, names] of forward) {
    for (const next of names) {
      const before = backward.get(next);
      if (before === undefined) backward.set(next, [name]);
      else before.push(name);
    }
  }
  const seen = new Set<string>();
  return cycleEntries(schemas).flatMap((entry) => {
    if (seen.has(entry)) return [];
    const before = reachedFrom(entry, backward);
    // All schemas that reach each other.
    const cycle = new Set([...reachedFrom(entry, forward)].filter((name) => before.has(name)));
    for (const name of cycle) seen.add(name);
    return [...cycle].filter((name) =>
      leadsBackTwice(inPlace(schemas, schemas[name]), (schema) => countLeads(schema, (next) => cycle.has(next))),
    );
  });
}

function reachedFrom(name: string, references: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set([name]);
  for (const next of found) for (const further of references.get(next) ?? []) found.add(further);
  return found;
}

/** Returns a schema and those that apply to the same value, once for each time that they apply. */
function inPlace(schemas: Section, root: unknown): Schema[] {
  const found: Schema[] = [];
  const pending = [root];
  while (pending.length > 0 && found.length < inPlaceMax) {
    const schema = Object(pending.pop()) as Schema;
    found.push(schema);
    if (Array.isArray(schema.allOf)) pending.push(...schema.allOf);
    const name = typeof schema.$ref === 'string' ? nameIn(schema.$ref) : undefined;
    if (name !== undefined) pending.push(schemas[name]);
  }
  return found;
}

const inPlaceMax = 200;

function leadsBackTwice(parts: readonly Schema[], count: (schema: unknown) => number): boolean {
  const members = new Set(parts.flatMap(({ properties }) => Object.keys(Object(properties))));
  const countAt = (name: string | undefined, { properties, patternProperties, additionalProperties }: Schema) => {
    const isDeclared = name !== undefined && Object.hasOwn(Object(properties), name);
    const byPattern = Object.entries(Object(patternProperties))
      .filter(([pattern]) => name === undefined || mayMatch(pattern, name))
      .reduce((sum, [, schema]) => sum + count(schema), 0);
    const declared = isDeclared ? count(Object(properties)[name]) : 0;
    return declared + byPattern || (isDeclared ? 0 : count(additionalProperties));
  };
  const total = (countIn: (part: Schema) => number) => parts.reduce((sum, part) => sum + countIn(part), 0);
  return (
    [...members, undefined].some((name) => total((part) => countAt(name, part)) > 1) ||
    total(({ items, contains }) => count(items) + count(contains)) > 1
  );
}

function mayMatch(pattern: string, name: string): boolean {
  try {
    return name.length > 100 || new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}

/** Returns how often a schema leads back independently. */
function countLeads(root: unknown, leadsBack: (name: string) => boolean): number {
  const { allOf, ...own } = Object(root) as Schema;
  const inParts = Array.isArray(allOf) ? allOf.reduce<number>((sum, part) => sum + countLeads(part, leadsBack), 0) : 0;
  return inParts + (referencesIn(own).some(leadsBack) ? 1 : 0);
}
