import type { ContractDocument } from '@rostergate/endpoints';
import { minus } from './change.ts';
import {
  acceptsType,
  type Bound,
  boundNames,
  type Conjunction,
  compareBounds,
  createSchemaReader,
  type SchemaPart,
  type Shape,
  textOf,
} from './schema-shape.ts';

export type Direction = 'request' | 'answer';

/** A difference between two schemas, of requests or responses; `rule` completes `request-` or `answer-`. */
export interface SchemaDifference {
  /** Relative to the compared schemas: `/owner/[]/name`; `[]` means items, `{}` undeclared fields. */
  readonly path: string;
  readonly rule: DifferenceRule;
  readonly text: string;
}

export type DifferenceRule =
  | `${'type' | 'enum' | 'bound' | 'format' | 'pattern'}-${'narrowed' | 'widened'}`
  | `${'type' | 'format' | 'pattern' | 'default' | 'rule'}-changed`
  | `null-${'refused' | 'allowed'}`
  | `field-${'added' | 'removed' | 'required' | 'optional'}`
  | `more-${'refused' | 'allowed'}`
  | `choice-${'added' | 'removed'}`;

export type SchemaComparison = (old: unknown, next: unknown, direction: Direction) => readonly SchemaDifference[];

/** Limits the pairs of mutually recursive schemas: the rest is compared as text. */
const pairsMax = 5_000;
/** Limits the differences of two schemas: differences of a shared schema repeat at every place. */
const differencesMax = 200;

/** Returns a comparison of the schemas of two documents. Each pair is compared once, so that recursion ends. */
export function createSchemaComparison(
  oldDocument: ContractDocument,
  nextDocument: ContractDocument,
): SchemaComparison {
  const [readOld, readNext] = [createSchemaReader(oldDocument), createSchemaReader(nextDocument)];
  const whole = new Map<string, readonly SchemaDifference[]>();
  let known = new Map<string, readonly SchemaDifference[]>();

  const compare: Compare = (old, next, direction) => {
    const key = keyOf(old, next, direction);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= pairsMax) return textOf(old) === textOf(next) ? [] : [difference('rule-changed', 'has changed')];
    known.set(key, []);
    const differences = compareParts(old, next, direction).take(differencesMax).toArray();
    known.set(key, differences);
    return differences;
  };

  const keyOf = (old: Conjunction, next: Conjunction, direction: Direction): string =>
    `${readOld.keyOf(old)} ${readNext.keyOf(next)} ${direction}`;

  function* compareParts(old: Conjunction, next: Conjunction, direction: Direction): Generator<SchemaDifference> {
    const a = readOld.shapeOf(old);
    const b = readNext.shapeOf(next);
    if (a.choices === undefined && b.choices !== undefined) {
      // One schema became one of several.
      if (b.choices.some((choice) => compare(old, choice, direction).length === 0)) {
        yield difference('choice-added', `may now have ${b.choices.length} forms, including the previous one`);
        return;
      }
    } else if (a.choices !== undefined && b.choices === undefined) {
      if (a.choices.some((choice) => compare(choice, next, direction).length === 0)) {
        yield difference('choice-removed', `had ${a.choices.length} forms, of which one remains`);
        return;
      }
    }
    const typeDifference = compareTypes(a, b);
    if (typeDifference !== undefined) yield typeDifference;
    const isFromAny = typeDifference !== undefined && (a.types === undefined || b.types === undefined);
    if (a.isNullable !== b.isNullable && !isFromAny) {
      yield b.isNullable
        ? difference('null-allowed', 'may now be null')
        : difference('null-refused', 'may no longer be null');
    }
    if (typeDifference?.rule === 'type-changed') return;
    yield* compareValues(a, b);
    yield* compareLimits(a, b);
    yield* compareFields(a, b, direction, compare);
    yield* compareContents('[]', 'items', a.items, b.items);
    yield* compareMore(a, b);
    yield* compareChoices(a, b, direction);
    yield* compareRest(a, b, direction);

    function* compareContents(step: string, what: string, from: Conjunction | undefined, to: Conjunction | undefined) {
      if (from === undefined && to === undefined) return;
      if (from !== undefined && to !== undefined) yield* below(step, compare(from, to, direction));
      else if (to !== undefined) yield difference('type-narrowed', `no longer accepts ${what} of any kind`);
      else yield difference('type-widened', `now accepts ${what} of any kind`);
    }

    function* compareMore(from: Shape, to: Shape): Generator<SchemaDifference> {
      if (from.more === false || to.more === false) {
        if (from.more === to.more) return;
        if (to.more === false) yield difference('more-refused', 'no longer accepts other fields');
        else yield difference('more-allowed', 'may now have other fields');
      } else yield* compareContents('{}', 'other fields', from.more, to.more);
    }
  }

  function* compareChoices(a: Shape, b: Shape, direction: Direction): Generator<SchemaDifference> {
    if (a.choices === undefined && b.choices === undefined) return;
    if (a.choices === undefined || b.choices === undefined) {
      yield difference('rule-changed', 'the choices changed');
      return;
    }
    const left = [...b.choices];
    const unmatched: Conjunction[] = [];
    for (const choice of a.choices) {
      const same = left.findIndex((other) => compare(choice, other, direction).length === 0);
      if (same < 0) unmatched.push(choice);
      else left.splice(same, 1);
    }
    for (const choice of [...unmatched]) {
      const name = titleOf(choice);
      const like = name === undefined ? -1 : left.findIndex((other) => titleOf(other) === name);
      if (like < 0) continue;
      unmatched.splice(unmatched.indexOf(choice), 1);
      yield* compare(choice, left.splice(like, 1)[0] as Conjunction, direction);
    }
    const [only, other] = [unmatched[0], left[0]];
    if (unmatched.length === 1 && left.length === 1 && only !== undefined && other !== undefined) {
      yield* compare(only, other, direction);
      return;
    }
    if (unmatched.length > 0) yield difference('choice-removed', `${forms(unmatched.length)} fewer`);
    if (left.length > 0) yield difference('choice-added', `${forms(left.length)} more`);
  }

  return (old, next, direction) => {
    const [before, now] = [readOld.expand(old ?? true), readNext.expand(next ?? true)];
    const key = keyOf(before, now, direction);
    let found = whole.get(key);
    if (found === undefined) {
      // Cached differences of another comparison may leave out what that comparison has reported.
      known = new Map();
      found = compare(before, now, direction);
      whole.set(key, found);
    }
    return found;
  };
}

const forms = (count: number): string => (count === 1 ? 'one form' : `${count} forms`);

type Compare = (old: Conjunction, next: Conjunction, direction: Direction) => readonly SchemaDifference[];

function difference(rule: DifferenceRule, text: string): SchemaDifference {
  return { path: '', rule, text };
}

function* below(step: string, differences: readonly SchemaDifference[]): Generator<SchemaDifference> {
  for (const { path, rule, text } of differences) yield { path: `/${step}${path}`, rule, text };
}

function compareTypes(a: Shape, b: Shape): SchemaDifference | undefined {
  if (a.types === undefined && b.types === undefined) return undefined;
  const text = `${typesText(a)} became ${typesText(b)}`;
  if (a.types === undefined) return difference('type-narrowed', text);
  if (b.types === undefined) return difference('type-widened', text);
  const isNarrower = [...a.types].some((type) => !acceptsType(b.types, type));
  const isWider = [...b.types].some((type) => !acceptsType(a.types, type));
  if (isNarrower && isWider) return difference('type-changed', text);
  if (isNarrower) return difference('type-narrowed', text);
  return isWider ? difference('type-widened', text) : undefined;
}

function typesText({ types }: Shape): string {
  if (types === undefined) return 'any type';
  return types.size === 0 ? 'nothing' : [...types].sort().join(' or ');
}

function* compareValues(a: Shape, b: Shape): Generator<SchemaDifference> {
  if (a.values === undefined && b.values === undefined) return;
  if (a.values === undefined) yield difference('enum-narrowed', `now only ${listed(b.values)}`);
  else if (b.values === undefined) yield difference('enum-widened', `no longer only ${listed(a.values)}`);
  else {
    const gone = minus(a.values, b.values);
    const added = minus(b.values, a.values);
    if (gone.size > 0) yield difference('enum-narrowed', `no longer ${listed(gone)}`);
    if (added.size > 0) yield difference('enum-widened', `also ${listed(added)}`);
  }
}

function listed(values: ReadonlySet<string> | undefined): string {
  return [...(values ?? [])].sort().join(', ') || 'nothing';
}

function* compareLimits(a: Shape, b: Shape): Generator<SchemaDifference> {
  for (const name of boundNames) {
    const [from, to] = [a.bounds.get(name), b.bounds.get(name)];
    const isNarrower = to !== undefined && (from === undefined || compareBounds(name, from, to) < 0);
    const isWider = from !== undefined && (to === undefined || compareBounds(name, from, to) > 0);
    const text = `${name} ${boundText(from)} became ${boundText(to)}`;
    if (isNarrower) yield difference('bound-narrowed', text);
    if (isWider) yield difference('bound-widened', text);
  }
  if (a.multipleOf !== b.multipleOf) {
    const [from, to] = [a.multipleOf, b.multipleOf];
    const text = `multipleOf ${from ?? 'none'} became ${to ?? 'none'}`;
    const isWider = to === undefined || (from !== undefined && from % to === 0);
    const isNarrower = from === undefined || (to !== undefined && to % from === 0);
    if (isWider) yield difference('bound-widened', text);
    else if (isNarrower) yield difference('bound-narrowed', text);
    else yield difference('rule-changed', text);
  }
  if (a.isUnique !== b.isUnique) {
    yield b.isUnique
      ? difference('bound-narrowed', 'items must now be unique')
      : difference('bound-widened', 'items may now repeat');
  }
}

function boundText(bound: Bound | undefined): string {
  return bound === undefined ? 'none' : `${bound.value}${bound.isExclusive ? ' (exclusive)' : ''}`;
}

function* compareFields(a: Shape, b: Shape, direction: Direction, compare: Compare): Generator<SchemaDifference> {
  const isForOthers = (field: Conjunction | undefined): boolean =>
    field?.some((part) => (direction === 'request' ? part.readOnly === true : part.writeOnly === true)) ?? false;
  for (const name of new Set([...a.fields.keys(), ...b.fields.keys(), ...a.required, ...b.required])) {
    const [from, to] = [a.fields.get(name), b.fields.get(name)];
    const wasRead = from !== undefined && !isForOthers(from);
    const isThere = to !== undefined && !isForOthers(to);
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
    if (wasRead && isThere) yield* below(step, compare(from, to, direction));
    else if (isThere) yield* below(step, [difference('field-added', `the field ${name} is new`)]);
    else if (wasRead) yield* below(step, [difference('field-removed', `the field ${name} is gone`)]);
    const wasRequired = a.required.has(name) && !isForOthers(from);
    const isRequired = b.required.has(name) && !isForOthers(to);
    if (wasRequired === isRequired) continue;
    if (isRequired) {
      // A new, required field of a response is just an addition.
      if (direction === 'request' || wasRead || !isThere) {
        yield* below(step, [difference('field-required', `the field ${name} is now required`)]);
      }
    } else if (isThere || !wasRead) {
      yield* below(step, [difference('field-optional', `the field ${name} is now optional`)]);
    }
  }
}

const textOfSet = (texts: ReadonlySet<string> | undefined): string => [...(texts ?? [])].sort().join(' and ');

/** Formats whose values are all valid in another format. */
const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

function* compareRest(a: Shape, b: Shape, direction: Direction): Generator<SchemaDifference> {
  const [format, nextFormat] = [textOfSet(a.formats), textOfSet(b.formats)];
  if (format !== nextFormat) {
    const text = `format ${format || 'none'} became ${nextFormat || 'none'}`;
    if (nextFormat === '' || widerFormats[format] === nextFormat) yield difference('format-widened', text);
    else if (format === '' || widerFormats[nextFormat] === format) yield difference('format-narrowed', text);
    else yield difference('format-changed', text);
  }
  const gone = minus(a.patterns, b.patterns);
  const added = minus(b.patterns, a.patterns);
  const text = `pattern ${[...gone].join(' and ') || 'none'} became ${[...added].join(' and ') || 'none'}`;
  if (gone.size > 0 && added.size > 0) yield difference('pattern-changed', text);
  else if (gone.size > 0) yield difference('pattern-widened', text);
  else if (added.size > 0) yield difference('pattern-narrowed', text);
  if (direction === 'request' && a.fallback !== b.fallback) {
    yield difference('default-changed', `the default ${a.fallback ?? 'none'} became ${b.fallback ?? 'none'}`);
  }
  for (const name of new Set([...a.others.keys(), ...b.others.keys()])) {
    if (textOfSet(a.others.get(name)) !== textOfSet(b.others.get(name)))
      yield difference('rule-changed', `the keyword ${name} changed`);
  }
}

function titleOf(choice: Conjunction): string | undefined {
  for (const part of choice) {
    if (typeof part.title === 'string') return part.title;
    const field = Object.entries((part.properties ?? {}) as Record<string, SchemaPart>).find(
      ([, schema]) => schema?.const !== undefined || (Array.isArray(schema?.enum) && schema.enum.length === 1),
    );
    if (field !== undefined) return JSON.stringify([field[0], field[1].const ?? (field[1].enum as unknown[])[0]]);
  }
  return undefined;
}
