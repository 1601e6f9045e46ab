import { type Alternatives, decideAlternatives, type ResolveSchema, type Schema } from './decide-alternatives.ts';
import { type Components, unescapeStep } from './openapi.ts';

/** Marks schemas whose check counts as work; the value is the amount. */
export const workKeyword = 'x-rostergate-work';
/** Marks recursive schemas; the value is how many visits each check counts as. */
export const visitKeyword = 'x-rostergate-visit';
/** Marks where a check that lists all faults stops when the list is full. */
export const stopKeyword = 'x-rostergate-stop';

export interface BoundedSchemas {
  /** The rewritten components. */
  readonly components: Components;
  /**
   * Rewrites the schemas of an operation in place. Returns whether all faults can be listed: for recursive schemas and
   * alternatives that no tag decides, only the first fault is found in bounded time.
   */
  bound(schemas: readonly unknown[], reached: Components): boolean;
}

type Schemas = Readonly<Record<string, unknown>>;

/** Rewrites schemas so that the work of checking a value can be bounded; they allow the same values. */
export function createBoundedSchemas(declared: Components = {}): BoundedSchemas {
  const components = structuredClone(declared);
  const schemas = components.schemas ?? {};
  const resolve: ResolveSchema = (schema) => {
    let found = schema;
    for (let hops = 0; hops < 32 && isSchema(found) && typeof found.$ref === 'string'; hops++)
      found = schemas[nameIn(found.$ref) ?? ''];
    return isSchema(found) && found.$ref === undefined ? found : undefined;
  };
  const recursive = cycleEntries(schemas);
  const unlisted = new Set(recursive);
  const entries = referencedIn(schemas, unlisted);
  const undecided = new Map<string, readonly Schema[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const found = boundSchema(schema, resolve);
    if (found.length === 0) continue;
    unlisted.add(name);
    undecided.set(name, found);
  }
  markNested(schemas, undecided);
  for (const entry of [...recursive.map((name) => schemas[name]), ...entries]) {
    const target = resolve(entry);
    if (target !== undefined) target[visitKeyword] = 1;
  }
  return {
    components,
    bound(list, reached) {
      let isListed = true;
      for (const schema of list) if (boundSchema(schema, resolve).length > 0) isListed = false;
      return isListed && !Object.keys(reached.schemas ?? {}).some((name) => unlisted.has(name));
    },
  };
}

const alternatives: readonly Alternatives[] = ['oneOf', 'anyOf'];

/** Rewrites a schema, and returns the schemas inside it with alternatives that no tag decides. */
function boundSchema(root: unknown, resolve: ResolveSchema): Schema[] {
  const undecided: Schema[] = [];
  for (const schema of schemasIn(root)) {
    for (const keyword of alternatives) {
      if (!Array.isArray(schema[keyword]) || isPlain(schema, keyword)) continue;
      if (!decideAlternatives(schema, keyword, resolve)) undecided.push(schema);
    }
    if (schema.$ref === undefined) schema[stopKeyword] = true;
  }
  return undecided;
}

/** Marks nested alternatives, whose checks multiply; outermost ones do not count as work. */
function markNested(schemas: Schemas, undecided: ReadonlyMap<string, readonly Schema[]>): void {
  const reached = new Set<string>();
  const holders = new Set([...undecided.values()].flat());
  for (const holder of holders) {
    const branches = alternatives.flatMap((keyword) => (holder[keyword] as readonly unknown[] | undefined) ?? []);
    for (const branch of branches) {
      for (const schema of schemasIn(branch)) if (holders.has(schema)) addWork(schema);
      for (const name of referencesIn(branch)) reached.add(name);
    }
  }
  for (const name of reached) for (const next of referencesIn(schemas[name])) reached.add(next);
  for (const name of reached) for (const holder of undecided.get(name) ?? []) addWork(holder);
}

/** Returns whether alternatives only name members, which is cheap to check and causes few faults. */
function isPlain(schema: Schema, keyword: Alternatives): boolean {
  const plain = new Set(['required', 'type', 'title', 'description']);
  return (schema[keyword] as Schema[]).every((branch) => Object.keys(branch).every((name) => plain.has(name)));
}

function addWork(schema: Schema): void {
  const count = alternatives.reduce(
    (sum, keyword) => sum + ((schema[keyword] as unknown[] | undefined)?.length ?? 0),
    0,
  );
  schema[workKeyword] = Math.ceil(count / 4);
}

/** Returns the schemas that a walk along references revisits: every cycle contains one of them. */
export function cycleEntries(schemas: Schemas): string[] {
  const found = new Set<string>();
  const state = new Map<string, 'open' | 'done'>();
  for (const start of Object.keys(schemas)) {
    // Iterative, since documents may contain chains of thousands of schemas.
    const path: { readonly name: string; readonly next: Iterator<string> }[] = [];
    const enter = (name: string) => {
      if (state.get(name) === 'open') found.add(name);
      if (state.has(name) || !Object.hasOwn(schemas, name)) return;
      state.set(name, 'open');
      path.push({ name, next: referencesIn(schemas[name])[Symbol.iterator]() });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { value, done } = top.next.next();
      if (done !== true) enter(value);
      else {
        state.set(top.name, 'done');
        path.pop();
      }
    }
  }
  return [...found];
}

/** Returns the schemas inside of components that references lead to: a cycle may bypass the component itself. */
function referencedIn(schemas: Schemas, names: ReadonlySet<string>): unknown[] {
  const references = new Set(Object.values(schemas).flatMap((root) => [...schemasIn(root)].map(({ $ref }) => $ref)));
  return [...references].flatMap((reference) => {
    const name = typeof reference === 'string' ? nameIn(reference) : undefined;
    if (name === undefined || !names.has(name)) return [];
    const steps = (reference as string).split('/').slice(4).map(unescapeStep);
    return steps.length === 0 ? [] : [steps.reduce<unknown>((inside, step) => Object(inside)[step], schemas[name])];
  });
}

/** Returns the names of the components that a schema refers to. */
export function referencesIn(root: unknown): string[] {
  const names = [...schemasIn(root)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [nameIn($ref)] : []));
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Returns the name of the component that a reference leads to or into. */
export function nameIn(reference: string): string | undefined {
  const [, name] = /^#\/components\/schemas\/([^/]+)/.exec(reference) ?? [];
  return name === undefined ? undefined : unescapeStep(name);
}

const inOne = [
  ...['items', 'additionalProperties', 'not', 'propertyNames', 'contains', 'if', 'then', 'else'],
  ...['additionalItems', 'unevaluatedItems', 'unevaluatedProperties'],
];
const inList = ['allOf', 'anyOf', 'oneOf', 'items', 'prefixItems'];
const inMap = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies'];

/** Yields a schema and all schemas inside it, outer ones first, without following references. */
export function* schemasIn(root: unknown): Generator<Schema> {
  const pending = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isSchema(schema)) continue;
    const inside = [
      ...inOne.map((keyword) => schema[keyword]),
      ...inList.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : [])),
      ...inMap.flatMap((keyword) => (isSchema(schema[keyword]) ? Object.values(schema[keyword]) : [])),
    ];
    yield schema;
    pending.push(...inside.reverse());
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
