import { escapeStep, isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';
import type { ContractDocument } from './contract-document.ts';

/** Whether a schema says what is sent or what is answered: `readOnly` makes the two differ. */
export type Direction = 'request' | 'answer';

/** A schema that others refer to, under the name that it has in the served document. */
export interface CarriedComponent {
  readonly schema: SchemaObject;
  /** The components that it refers to. */
  readonly uses: ReadonlySet<string>;
  readonly faults: readonly DocumentFault[];
}

/** What is wrong at a pointer into a document. */
export interface DocumentFault {
  readonly pointer: string;
  readonly detail: string;
}

/** The components that the operations of one document bring along, each translated once. */
export interface ComponentLibrary {
  readonly components: ReadonlyMap<string, CarriedComponent>;
  /** The name for what a local reference points at, which is then among the components. */
  nameOf(reference: string, direction: Direction, translate: TranslateTarget): string;
}

export type TranslateTarget = (
  value: unknown,
  pointer: string,
  uses: Set<string>,
  report: (pointer: string, detail: string) => void,
) => SchemaObject;

/** A component, and all that it refers to, each once. */
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
 * Names come from the document alone, never from what was asked for first: `Petstore.Pet`. A schema that differs
 * between request and answer is carried twice, as `Petstore.PetRequest` too.
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
        // Entered before it is translated, since it may refer to itself.
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

/** Whether `readOnly` stands anywhere in what a reference reaches. */
function createDirectionCheck(document: ContractDocument): (reference: string) => boolean {
  const facts = new Map<string, Facts>();
  const verdicts = new Map<string, boolean>();
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
    const known = verdicts.get(reference);
    if (known !== undefined) return known;
    const seen = new Set([reference]);
    let verdict = false;
    for (const next of seen) {
      const found = factsOf(next);
      if (found.hasReadOnly) {
        verdict = true;
        break;
      }
      for (const target of found.references) seen.add(target);
    }
    verdicts.set(reference, verdict);
    return verdict;
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
