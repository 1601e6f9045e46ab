import fc from 'fast-check';

/** A person as the API writes it, with all collections. */
export type Person = Readonly<Record<string, unknown>> & { readonly StaffKey: string };
type Row = Readonly<Record<string, unknown>>;
/** Undefined is OData's null. */
type Value = string | number | boolean | undefined;

/** An expression and its hand-written evaluation, without any code of the tested library. */
interface Meaning<T extends Value> {
  readonly text: string;
  readonly of: (row: Row) => T | undefined;
}

type Meanings<T extends Value> = fc.Arbitrary<Meaning<T>>;

/** A query of the supported subset, and its naive result. */
export interface MeantQuery {
  readonly options: Readonly<Record<string, string>>;
  readonly evaluate: (people: readonly Person[]) => { readonly count: number; readonly keys: readonly string[] };
}

const texts = ['', 'a', 'an', 'S', 'on', "O'Neil", 'Oslo', 'Smith', '%', '_', 'Ø', ' ', 'zz', '\\', '1', 'e'];
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const momentOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value.replace(/Z?$/, 'Z')) : undefined);

function property<T extends Value>(name: string, read: (value: unknown) => T | undefined): Meaning<T> {
  return { text: name, of: (row) => read(row[name]) };
}

const asIs = <T extends Value>(value: unknown): T | undefined => (value === null ? undefined : (value as T));
const strings = (names: readonly string[]) => fc.constantFrom(...names.map((name) => property<string>(name, asIs)));
const booleans = (names: readonly string[]) => fc.constantFrom(...names.map((name) => property<boolean>(name, asIs)));
const textLiteral = fc.constantFrom(...texts).map((text) => ({ text: quoted(text), of: () => text }));
const numberLiteral = fc
  .constantFrom(0, 1, 2, 3, 5, 10, 40, 0.5, 0.25, -1, 1.5, 100)
  .map((value) => ({ text: String(value), of: () => value as number }));
const momentLiteral = fc
  .constantFrom('2024-01-01T00:00:00Z', '2020-06-15T12:30:00Z', '1999-12-31T23:59:59Z', '2030-01-01T01:00:00+01:00')
  .map((text) => ({ text, of: () => Date.parse(text) as number }));

/** Returns null if an argument is null, like every function and operator of OData. */
function lift<A extends Value, B extends Value, T extends Value>(run: (a: A, b: B) => T) {
  return (a: A | undefined, b: B | undefined): T | undefined =>
    a === undefined || b === undefined ? undefined : run(a, b);
}

function call<A extends Value, B extends Value, T extends Value>(
  name: string,
  one: Meaning<A>,
  other: Meaning<B>,
  run: (a: A, b: B) => T,
): Meaning<T> {
  const lifted = lift(run);
  return { text: `${name}(${one.text},${other.text})`, of: (row) => lifted(one.of(row), other.of(row)) };
}

function change<A extends Value, T extends Value>(name: string, one: Meaning<A>, run: (a: A) => T): Meaning<T> {
  return {
    text: `${name}(${one.text})`,
    of: (row) => {
      const value = one.of(row);
      return value === undefined ? undefined : run(value);
    },
  };
}

const comparisons = {
  eq: (a: Value, b: Value) => a === b,
  ne: (a: Value, b: Value) => a !== b,
  // null is neither less nor more than a value, and equals itself (OData 4.01, Part 2, 5.1.1.1.4).
  gt: (a: Value, b: Value) => a !== undefined && b !== undefined && a > b,
  ge: (a: Value, b: Value) => a === b || (a !== undefined && b !== undefined && a > b),
  lt: (a: Value, b: Value) => a !== undefined && b !== undefined && a < b,
  le: (a: Value, b: Value) => a === b || (a !== undefined && b !== undefined && a < b),
} as const;
const operator = fc.constantFrom(...(Object.keys(comparisons) as (keyof typeof comparisons)[]));

function compare<T extends Value>(one: Meanings<T>, other: Meanings<T>): Meanings<boolean> {
  return fc.tuple(one, operator, other).map(([a, by, b]) => ({
    text: `${a.text} ${by} ${b.text}`,
    of: (row) => comparisons[by](a.of(row), b.of(row)),
  }));
}

function compareWithNull<T extends Value>(one: Meanings<T>): Meanings<boolean> {
  return fc.tuple(one, fc.constantFrom('eq' as const, 'ne' as const)).map(([a, by]) => ({
    text: `${a.text} ${by} null`,
    of: (row) => comparisons[by](a.of(row), undefined),
  }));
}

function textOf(names: readonly string[], depth: number): Meanings<string> {
  if (depth === 0) return fc.oneof(strings(names), textLiteral);
  const inner = textOf(names, depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: strings(names) },
    textLiteral,
    inner.map((a) => change('tolower', a, (text) => text.toLowerCase())),
    inner.map((a) => change('toupper', a, (text) => text.toUpperCase())),
    inner.map((a) => change('trim', a, (text) => text.trim())),
    fc.tuple(inner, inner).map(([a, b]) => call('concat', a, b, (x, y) => x + y)),
    fc
      .tuple(inner, fc.constantFrom(0, 1, 3, 9))
      .map(([a, from]) => call('substring', a, { text: String(from), of: () => from as number }, (x, n) => x.slice(n))),
  );
}

function numberOf(depth: number): Meanings<number> {
  const leaves = [
    fc.constantFrom(...['Fte', 'RegHours'].map((name) => property<number>(name, asIs))),
    numberLiteral,
    fc.constantFrom(...['Tags', 'Skillset', 'Profiles'].map(countOf)),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = numberOf(depth - 1);
  const sums = {
    add: (a: number, b: number) => a + b,
    sub: (a: number, b: number) => a - b,
    mul: (a: number, b: number) => a * b,
  };
  return fc.oneof(
    ...leaves,
    fc.tuple(inner, fc.constantFrom(...(Object.keys(sums) as (keyof typeof sums)[])), inner).map(([a, by, b]) => {
      const lifted = lift(sums[by]);
      return { text: `(${a.text} ${by} ${b.text})`, of: (row: Row) => lifted(a.of(row), b.of(row)) };
    }),
    inner.map((a) => change('floor', a, Math.floor)),
    inner.map((a) => change('ceiling', a, Math.ceil)),
    textOf(people, 1).map((a) => change('length', a, (text) => [...text].length)),
    fc.tuple(textOf(people, 1), textLiteral).map(([a, b]) => call('indexof', a, b, (x, y) => x.indexOf(y))),
    momentOfPerson.map((a) => change('year', a, (ms) => new Date(ms).getUTCFullYear())),
    momentOfPerson.map((a) => change('month', a, (ms) => new Date(ms).getUTCMonth() + 1)),
    momentOfPerson.map((a) => change('day', a, (ms) => new Date(ms).getUTCDate())),
  );
}

function countOf(name: string): Meaning<number> {
  return { text: `${name}/$count`, of: (row) => (row[name] as unknown[]).length };
}

const people = ['FirstName', 'LastName', 'City', 'State', 'Email', 'Abbrev', 'StaffId', 'StaffClassification'];
const momentOfPerson = fc.constantFrom(
  ...['StartDate', 'EndDate', 'DeactivationDateUtc'].map((name) => property<number>(name, momentOf)),
);

/** Three-valued logic. */
function both(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}
const not = (a: boolean | undefined) => (a === undefined ? undefined : !a);
const either = (a: boolean | undefined, b: boolean | undefined) => not(both(not(a), not(b)));

function search(inner: Meanings<string>): Meanings<boolean> {
  const searches = {
    contains: (a: string, b: string) => a.includes(b),
    startswith: (a: string, b: string) => a.startsWith(b),
    endswith: (a: string, b: string) => a.endsWith(b),
  };
  return fc
    .tuple(fc.constantFrom(...(Object.keys(searches) as (keyof typeof searches)[])), inner, textLiteral)
    .map(([name, a, b]) => call(name, a, b, searches[name]));
}

function inList(one: Meanings<string>): Meanings<boolean> {
  const list = fc.array(fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 5 }), {
    minLength: 1,
    maxLength: 4,
  });
  return fc.tuple(one, list).map(([a, items]) => ({
    text: `${a.text} in (${items.map((item) => (item === undefined ? 'null' : quoted(item))).join(',')})`,
    of: (row) => items.includes(a.of(row)),
  }));
}

/** Returns `any` and `all` over a collection, with conditions that are never null. */
function over(name: string, variable: string, inner: Meanings<boolean>): Meanings<boolean> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({ text: `${name}/any()`, of: (row: Row) => (row[name] as Row[]).length > 0 }) },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.boolean(), inner).map(([isAny, a]) => ({
        text: `${name}/${isAny ? 'any' : 'all'}(${variable}:${a.text})`,
        of: (row: Row) => {
          const elements = row[name] as Row[];
          return isAny ? elements.some((one) => a.of(one) === true) : elements.every((one) => a.of(one) === true);
        },
      })),
    },
  );
}

/** Prefixes the properties of an element with its variable. */
function within<T extends Value>(variable: string, inner: Meaning<T>): Meaning<T> {
  return { text: `${variable}/${inner.text}`, of: inner.of };
}

const elementText = (variable: string, names: readonly string[]) => strings(names).map((one) => within(variable, one));
const tagEntry = compare<string>(elementText('n', ['Name']), textLiteral);
const ofTags = fc.oneof(
  search(elementText('t', ['CategoryName'])),
  compare<string>(elementText('t', ['CategoryName']), textLiteral),
  over('Tags', 'n', fc.oneof(tagEntry, search(elementText('n', ['Name'])))).map((one) => within('t', one)),
);
const ofSkills = fc.oneof(
  search(elementText('s', ['TaskName', 'StaffId', 'TaskKey'])),
  booleans(['IsSkilledMon', 'IsSkilledSun']).map((one) => within('s', one)),
);
const ofProfiles = fc.oneof(
  search(elementText('p', ['Name'])),
  booleans(['IsViewable', 'IsSchedulable']).map((one) => within('p', one)),
);

function condition(depth: number): Meanings<boolean> {
  const leaves = [
    compare<string>(textOf(people, 2), textOf(people, 1)),
    compare<number>(numberOf(2), numberOf(1)),
    compare<number>(momentOfPerson, momentLiteral),
    compareWithNull<string>(strings(people)),
    compareWithNull<number>(fc.oneof(numberOf(1), momentOfPerson)),
    search(textOf(people, 2)),
    inList(textOf(people, 1)),
    booleans(['IsActive', 'IsAutoApproveSwap', 'TextFromQuickLinks']),
    over('Tags', 't', ofTags),
    over('Skillset', 's', ofSkills),
    over('Profiles', 'p', ofProfiles),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = condition(depth - 1);
  return fc.oneof(
    ...leaves,
    fc
      .tuple(inner, inner)
      .map(([a, b]) => ({ text: `(${a.text}) and (${b.text})`, of: (row: Row) => both(a.of(row), b.of(row)) })),
    fc
      .tuple(inner, inner)
      .map(([a, b]) => ({ text: `(${a.text}) or (${b.text})`, of: (row: Row) => either(a.of(row), b.of(row)) })),
    inner.map((a) => ({ text: `not (${a.text})`, of: (row: Row) => not(a.of(row)) })),
  );
}

interface Key extends Meaning<Value> {
  readonly isDown: boolean;
}

const key: fc.Arbitrary<Key> = fc
  .tuple(fc.oneof<fc.Arbitrary<Meaning<Value>>[]>(textOf(people, 1), numberOf(1), momentOfPerson), fc.boolean())
  .map(([one, isDown]) => ({ ...one, isDown }));

/** Returns the order of OData: null first; the last key is unique. */
function createOrder(keys: readonly Key[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { of, isDown } of keys) {
      const [x, y] = [of(a), of(b)];
      if (x === y) continue;
      const isBefore = x === undefined || (y !== undefined && x < y);
      return isBefore === isDown ? 1 : -1;
    }
    return 0;
  };
}

/** Random queries with filter, order, window and count, each with its evaluation. */
export const meantQuery: fc.Arbitrary<MeantQuery> = fc
  .record({
    filter: fc.option(condition(2), { freq: 10, nil: undefined }),
    keys: fc.array(key, { maxLength: 2 }),
    top: fc.option(fc.nat(60), { nil: undefined }),
    skip: fc.option(fc.nat(60), { nil: undefined }),
  })
  .map(({ filter, keys, top, skip }) => {
    const sorted = [...keys, { ...property<string>('StaffKey', asIs), isDown: false }];
    const orderby = sorted.map(({ text, isDown }) => text + (isDown ? ' desc' : ''));
    return {
      options: {
        $select: 'StaffKey',
        $count: 'true',
        $orderby: orderby.join(','),
        ...(filter === undefined ? {} : { $filter: filter.text }),
        ...(top === undefined ? {} : { $top: String(top) }),
        ...(skip === undefined ? {} : { $skip: String(skip) }),
      },
      evaluate: (all) => {
        const found = all.filter((person) => filter === undefined || filter.of(person) === true);
        const ordered = found.toSorted(createOrder(sorted));
        const window = ordered.slice(skip ?? 0, top === undefined ? undefined : (skip ?? 0) + top);
        return { count: found.length, keys: window.map(({ StaffKey }) => StaffKey) };
      },
    };
  });
