import { escapeStep, isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';
import type { ContractDocument } from './contract-document.ts';

/** Whether a schema describes requests or responses: `readOnly` makes the two differ. */
export type Direction = 'request' | 'response';

/** A schema that others refer to. */
export interface CarriedComponent {
  readonly schema: SchemaObject;
  /** The names of the components that it refers to. */
  readonly uses: ReadonlySet<string>;
  readonly faults: readonly DocumentFault[];
}

/** A fault at a pointer into a document. */
export interface DocumentFault {
  readonly pointer: string;
  readonly detail: string;
}

/** The components that the operations of one document refer to, each translated once. */
export interface ComponentLibrary {
  readonly components: ReadonlyMap<string, CarriedComponent>;
  /** Returns the component name of a local reference's target, and adds the target to the components. */
  nameOf(reference: string, direction: Direction, translate: TranslateTarget): string;
}

export type TranslateTarget = (
  value: unknown,
  pointer: string,
  uses: Set<string>,
  report: (pointer: string, detail: string) => void,
) => SchemaObject;

/** Yields the named components and all that they refer to, each once. */
export function* reachedFrom(
  names: Iterable<string>,
  components: ReadonlyMap<string, CarriedComponent>,
): Generator<readonly [name: string, component: CarriedComponent]> {
  const seen = new Set(names);
  for (const name of seen) {
    const component = components.get(name);
    if (component === undefined) continue;
    yield [name, component];
    for (const next of component.uses) seen.add(next);
  }
}

/**
 * Returns the library of a document. Names depend on the document alone, not on the order of use: `Petstore.Pet`. A
 * schema that differs between requests and responses is translated twice, the second time as `Petstore.PetRequest`.
 */
export function createComponentLibrary(document: ContractDocument, prefix: string): ComponentLibrary {
  const components = new Map<string, CarriedComponent>();
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const differs = createDirectionCheck(document);
  const declared = isObject(document.value.components) ? document.value.components.schemas : undefined;
  for (const name of isObject(declared) ? Object.keys(declared) : []) {
    names.set(`#/components/schemas/${escapeStep(name)}`, freeName(name, taken));
  }

  const baseNameOf = (reference: string): string => {
    let name = names.get(reference);
    if (name === undefined) {
      name = freeName(reference.replace(/^#\/(components\/schemas\/)?/, ''), taken);
      names.set(reference, name);
    }
    return name;
  };

  return {
    components,
    nameOf(reference, direction, translate) {
      const base = baseNameOf(reference);
      const isRequest = direction === 'request' && differs(reference);
      let own = base;
      if (isRequest) {
        const key = `request ${reference}`;
        own = names.get(key) ?? freeName(`${base}Request`, taken);
        names.set(key, own);
      }
      const name = `${prefix}.${own}`;
      if (!components.has(name)) {
        const uses = new Set<string>();
        // Added before it is translated, since it may refer to itself.
        const faults: DocumentFault[] = [];
        const component = { schema: {} as SchemaObject, uses, faults };
        components.set(name, component);
        component.schema = translate(document.resolve(reference), reference.slice(1), uses, (pointer, detail) =>
          faults.push({ pointer, detail }),
        );
      }
      return name;
    },
  };
}

function freeName(wanted: string, taken: Set<string>): string {
  const base = wanted.replace(/[^A-Za-z0-9._-]+/g, '_');
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}${n}`;
  taken.add(name);
  return name;
}

/** Returns a function that checks whether a reference leads to a `readOnly` schema. */
function createDirectionCheck(document: ContractDocument): (reference: string) => boolean {
  const facts = new Map<string, Facts>();
  const results = new Map<string, boolean>();
  const factsOf = (reference: string): Facts => {
    let found = facts.get(reference);
    if (found === undefined) {
      found = { hasReadOnly: false, references: new Set() };
      gatherFacts(document.resolve(reference), found);
      facts.set(reference, found);
    }
    return found;
  };
  return (reference) => {
    const known = results.get(reference);
    if (known !== undefined) return known;
    const seen = new Set([reference]);
    let hasReadOnly = false;
    for (const next of seen) {
      const found = factsOf(next);
      if (found.hasReadOnly) {
        hasReadOnly = true;
        break;
      }
      for (const target of found.references) seen.add(target);
    }
    results.set(reference, hasReadOnly);
    return hasReadOnly;
  };
}

interface Facts {
  hasReadOnly: boolean;
  readonly references: Set<string>;
}

function gatherFacts(value: unknown, facts: Facts): void {
  if (Array.isArray(value)) for (const item of value) gatherFacts(item, facts);
  if (!isObject(value)) return;
  if (value.readOnly === true) facts.hasReadOnly = true;
  if (typeof value.$ref === 'string') facts.references.add(value.$ref);
  for (const member of Object.values(value as JsonObject)) gatherFacts(member, facts);
}
