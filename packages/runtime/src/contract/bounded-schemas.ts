import { type Alternatives, decideAlternatives, type ResolveSchema, type Schema } from './decide-alternatives.ts';

/** Marks where checking a value counts as work; its value is how much. */
export const workKeyword = 'x-rostergate-work';
/** Marks where a check that lists all faults looks whether the list is full. */
export const stopKeyword = 'x-rostergate-stop';

export interface BoundedSchemas {
  /** The components, made over. */
  readonly components: Components;
  /**
   * Makes over the schemas in a part of an operation, in place. Returns whether all their faults can be listed: where
   * schemas are recursive or have alternatives that no tag decides, only the first fault is found in bounded time.
   */
  bound(schemas: readonly unknown[], reached: Components): boolean;
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Makes schemas over so that the work of checking a value can be bounded; they allow the same values as before. */
export function createBoundedSchemas(given: Components = {}): BoundedSchemas {
  const components = structuredClone(given);
  const schemas = components.schemas ?? {};
  const resolve: ResolveSchema = (schema) => {
    let found = schema;
    for (let hops = 0; hops < 32 && isSchema(found) && typeof found.$ref === 'string'; hops++)
      found = schemas[nameIn(found.$ref) ?? ''];
    return isSchema(found) && found.$ref === undefined ? found : undefined;
  };
  const unlisted = new Set(cycleEntries(schemas));
  for (const name of unlisted) addWork(schemas[name], 1);
  for (const [name, schema] of Object.entries(schemas)) if (!boundSchema(schema, resolve)) unlisted.add(name);
  return {
    components,
    bound(list, reached) {
      let isListed = true;
      for (const schema of list) if (!boundSchema(schema, resolve)) isListed = false;
      return isListed && !Object.keys(reached.schemas ?? {}).some((name) => unlisted.has(name));
    },
  };
}

/** False where alternatives are left that no tag decides. */
function boundSchema(root: unknown, resolve: ResolveSchema): boolean {
  let isDecided = true;
  for (const schema of schemasIn(root)) {
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      if (!Array.isArray(schema[keyword]) || isPlain(schema, keyword)) continue;
      const count = schema[keyword].length;
      if (decideAlternatives(schema, keyword, resolve)) continue;
      isDecided = false;
      addWork(schema, count);
    }
    if (schema.$ref === undefined) schema[stopKeyword] = true;
  }
  return isDecided;
}

/** Alternatives that only name members are cheap to check, and all their faults are few. */
function isPlain(schema: Schema, keyword: Alternatives): boolean {
  const plain = new Set(['required', 'type', 'title', 'description']);
  return (schema[keyword] as Schema[]).every((branch) => Object.keys(branch).every((name) => plain.has(name)));
}

function addWork(schema: unknown, work: number): void {
  if (isSchema(schema)) schema[workKeyword] = ((schema[workKeyword] as number | undefined) ?? 0) + work;
}

/** The schemas that a walk along references comes back to: every cycle goes through one of them. */
function cycleEntries(schemas: Readonly<Record<string, unknown>>): string[] {
  const found = new Set<string>();
  const state = new Map<string, 'open' | 'done'>();
  for (const start of Object.keys(schemas)) {
    // Without recursion: documents may hold chains of thousands of schemas.
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

function referencesIn(root: unknown): string[] {
  const names = [...schemasIn(root)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [nameIn($ref)] : []));
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The component that a reference leads to, or into. */
function nameIn(reference: string): string | undefined {
  const [, name] = /^#\/components\/schemas\/([^/]+)/.exec(reference) ?? [];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

const inOne = ['items', 'additionalProperties', 'not', 'propertyNames', 'contains'];
const inList = ['allOf', 'anyOf', 'oneOf', 'items'];
const inMap = ['properties', 'patternProperties'];

/** A schema and all within it, the outer ones first; references are not followed. */
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
