import { cycleEntries, nameIn, referencesIn } from './bounded-schemas.ts';
import type { Schema } from './decide-alternatives.ts';

type Schemas = Readonly<Record<string, unknown>>;

/**
 * Returns the names of the schemas that lead back to themselves more than once from the same member of a value, through
 * `allOf` or overlapping properties: each level of a value then doubles the steps of its check.
 */
export function findRepeatedReferences(schemas: Schemas): string[] {
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
    // All of them lead to each other.
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

/** A schema and those that the same value is checked against, as often as it is. */
function inPlace(schemas: Schemas, root: unknown): Schema[] {
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

/** How often a check against a schema leads back by ways of their own. */
function countLeads(root: unknown, leadsBack: (name: string) => boolean): number {
  const { allOf, ...own } = Object(root) as Schema;
  const inParts = Array.isArray(allOf) ? allOf.reduce<number>((sum, part) => sum + countLeads(part, leadsBack), 0) : 0;
  return inParts + (referencesIn(own).some(leadsBack) ? 1 : 0);
}
