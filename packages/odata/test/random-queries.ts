import fc from 'fast-check';
import type { Person } from './people.ts';

/** Small pools make values meet; the odd string now and then keeps the pool honest. */
const texts = [
  ...['', 'a', 'A', 'ab', 'Ab', 'b', "O'Brien", "''", '"', '\\', '%', '_', 'a%b', 'a_b', 'Smith', 'null', '0'],
  ...['Ö', 'ö', 'O\u0308', 'ß', 'SS', 'ss', 'straße', 'STRASSE', 'İ', 'i\u0307', 'ı', 'I', 'ΣΑΣ', 'σας', 'Ǆ', 'ǆ'],
  ...[
    '日本',
    '😀',
    '😀a',
    '\ue000',
    '\uffee',
    '\u{10ffff}',
    ' x ',
    '\u00a0x\u2003',
    '\ufeffx',
    '\t',
    '\u200b',
    '&',
    '+',
    ';',
  ],
];
const moments = [
  ...[
    '2024-01-01T00:00:00',
    '2024-01-01T00:00:00.5',
    '2024-01-01T00:00:00.05',
    '2023-12-31T23:59:59',
    '2024-02-29T12:30:15',
  ],
  ...['0001-01-01T00:00:00', '9999-12-31T23:59:59', '1969-12-31T23:59:59.999', '2024-01-01T00:00:01'],
];
const dates = ['2024-01-01', '2023-12-31', '2024-02-29', '1900-02-28', '0001-01-01', '9999-12-31'];
const times = ['00:00:00', '23:59:59', '12:30:00', '12:30:00.25', '09:05:07'];
const guids = ['11111111-2222-3333-4444-555555555555', 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee'];

const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).filter((s) => !s.includes('\0')) },
);
const whole = fc.constantFrom(0, 1, -1, 2, 3, 5, 7, -8, 10, 100, 2_147_483_647);
const double = fc.constantFrom(0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 0.2, 0.3, 1, 2, 1e10, 3.14, -7.25, 1 / 3);
const extremes = ['INF', '-INF', 'NaN', '9007199254740993', '-9223372036854775808', '1e400', '12345678901234567890123'];
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null, freq: 4 });

const person = fc.record({
  Name: orNull(text),
  Note: orNull(text),
  Age: orNull(whole),
  Score: orNull(double),
  Active: orNull(fc.boolean()),
  Born: orNull(fc.constantFrom(...dates)),
  Seen: orNull(fc.constantFrom(...moments)),
  Shift: orNull(fc.constantFrom(...times)),
  Badge: orNull(fc.constantFrom(...guids)),
  Address: fc.record({ City: orNull(text), Floor: orNull(whole) }),
  Emails: fc.array(orNull(text), { maxLength: 3 }),
  Groups: fc.array(
    fc.record({
      Name: orNull(text),
      Weight: orNull(whole),
      Tags: fc.array(fc.record({ Label: orNull(text), Since: orNull(fc.constantFrom(...moments)) }), { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
});

export const population: fc.Arbitrary<Person[]> = fc
  .array(person, { minLength: 40, maxLength: 40 })
  .map((rows) => rows.map((row, i) => ({ Key: `k${String(i).padStart(3, '0')}`, ...row })));

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const zones = ['Z', '', '+00:00', '-05:30', '+14:00'];
const decimal = (value: number): string => String(value).replace('e+', 'e');

/** How a path to a property is spelled where the expression stands: `Name`, `$it/Name`, `x/Name`. */
type Scope = {
  readonly row: readonly string[];
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  readonly emails: readonly string[];
};
const top: Scope = { row: ['', '$it/', '$this/'], groups: [], tags: [], emails: [] };

/** Texts of $filter that fit the model `people`. */
export const filterText: fc.Arbitrary<string> = condition(top, 3);

/** Texts of $orderby that fit it. */
export const orderbyText: fc.Arbitrary<string> = fc
  .array(fc.tuple(anyValue(top, 1), fc.constantFrom('', ' asc', ' desc')), { minLength: 1, maxLength: 3 })
  .map((items) => items.map(([expression, direction]) => expression + direction).join(','));

function anyValue(scope: Scope, depth: number): fc.Arbitrary<string> {
  return fc.oneof(
    string(scope, depth),
    number(scope, depth),
    condition(scope, depth),
    moment(scope),
    date(scope),
    time(scope),
  );
}

function condition(scope: Scope, depth: number): fc.Arbitrary<string> {
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', 'EQ');
  const compare = (one: fc.Arbitrary<string>, other: fc.Arbitrary<string> = one) =>
    fc.tuple(one, operator, other).map(([a, op, b]) => `${a} ${op} ${b}`);
  const nullable = <T extends string>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant('null') });
  const below = Math.max(depth - 1, 0);
  const s = string(scope, below);
  const n = number(scope, below);
  const leaves = [
    compare(nullable(s)),
    compare(nullable(n)),
    compare(n, fc.constantFrom(...extremes)),
    compare(nullable(moment(scope))),
    compare(nullable(date(scope))),
    compare(nullable(time(scope))),
    compare(path(scope, 'Badge'), nullable(fc.constantFrom(...guids))),
    compare(path(scope, 'Key'), fc.constantFrom("'k003'", "'k01'", ...guids)),
    fc.oneof(path(scope, 'Active'), fc.constantFrom('true', 'false')),
    compare(path(scope, 'Active'), fc.constantFrom('true', 'false', 'null')),
    fc.tuple(fc.constantFrom('contains', 'startswith', 'endswith'), s, s).map(([f, a, b]) => `${f}(${a},${b})`),
    fc
      .tuple(s, fc.array(fc.oneof(text.map(quoted), fc.constant('null')), { maxLength: 4 }))
      .map(([a, list]) => `${a} in (${list.join(',')})`),
    fc
      .tuple(
        n,
        fc.array(fc.oneof(whole.map(String), double.map(decimal), fc.constantFrom(...extremes)), {
          minLength: 1,
          maxLength: 4,
        }),
      )
      .map(([a, list]) => `(${a}) in (${list.join(', ')})`),
    fc
      .tuple(s, fc.constantFrom("'^a'", "'[A-Z]'", "'ö|ß$'", "'^.{2,3}$'", "'\\s'", "'^$'", "'[^a-z]+$'", "'(a|b)*_'"))
      .map(([a, p]) => `matchesPattern(${a},${p})`),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = condition(scope, below);
  return fc.oneof(
    ...leaves,
    fc.tuple(inner, fc.constantFrom('and', 'or'), inner).map(([a, op, b]) => `(${a}) ${op} ${b}`),
    fc
      .tuple(inner, fc.constantFrom('and', 'or'), inner, inner)
      .map(([a, op, b, c]) => `${a} ${op} (${b}) ${op} (${c})`),
    inner.map((a) => `not (${a})`),
    inner.map((a) => `(${a}) eq false`),
    lambda(scope, below),
  );
}

function lambda(scope: Scope, depth: number): fc.Arbitrary<string> {
  const kind = fc.constantFrom('any', 'all');
  const name = (prefix: string, taken: readonly string[]) => `${prefix}${taken.length}`;
  const e = name('e', scope.emails);
  const g = name('g', scope.groups);
  const t = name('t', scope.tags);
  const row = fc.constantFrom(...scope.row);
  const options = [
    row.map((r) => `${r}Groups/any()`),
    fc
      .tuple(kind, row, condition({ ...scope, emails: [...scope.emails, e] }, depth))
      .map(([k, r, p]) => `${r}Emails/${k}(${e}:${p})`),
    fc
      .tuple(kind, row, condition({ ...scope, groups: [...scope.groups, `${g}/`] }, depth))
      .map(([k, r, p]) => `${r}Groups/${k}(${g}:${p})`),
    row.map((r) => `${r}Groups/$filter(Weight gt 1)/any(${g}:contains(${g}/Name,'a'))`),
  ];
  if (scope.groups.length > 0) {
    const inner = condition({ ...scope, tags: [...scope.tags, `${t}/`] }, depth);
    options.push(
      fc.tuple(kind, fc.constantFrom(...scope.groups), inner).map(([k, r, p]) => `${r}Tags/${k}(${t}:${p})`),
    );
  }
  return fc.oneof(...options);
}

function path(scope: Scope, name: string): fc.Arbitrary<string> {
  return fc.constantFrom(...scope.row.map((row) => row + name));
}

function string(scope: Scope, depth: number): fc.Arbitrary<string> {
  const leaves = [
    fc.constantFrom(...scope.row.flatMap((row) => ['Name', 'Note', 'Address/City', 'Key'].map((name) => row + name))),
    text.map(quoted),
  ];
  if (scope.emails.length > 0) leaves.push(fc.constantFrom(...scope.emails));
  if (scope.groups.length > 0) leaves.push(fc.constantFrom(...scope.groups.map((group) => `${group}Name`)));
  if (scope.tags.length > 0) leaves.push(fc.constantFrom(...scope.tags.map((tag) => `${tag}Label`)));
  if (depth === 0) return fc.oneof(...leaves);
  const inner = string(scope, depth - 1);
  const index = fc.constantFrom('0', '1', '2', '9', 'Age', 'length(Note)');
  return fc.oneof(
    ...leaves,
    fc.tuple(fc.constantFrom('tolower', 'toupper', 'trim'), inner).map(([f, a]) => `${f}(${a})`),
    fc.tuple(inner, inner).map(([a, b]) => `concat(${a},${b})`),
    fc.tuple(inner, index).map(([a, i]) => `substring(${a},${i})`),
    fc.tuple(inner, index, index).map(([a, i, j]) => `substring( ${a} , ${i} , ${j} )`),
    fc.tuple(condition(scope, 0), inner, inner).map(([c, a, b]) => `case(${c} : ${a},true:${b})`),
    path(scope, 'Age').map((a) => `cast(${a},Edm.String)`),
  );
}

function number(scope: Scope, depth: number): fc.Arbitrary<string> {
  const leaves = [
    fc.constantFrom(...scope.row.flatMap((row) => ['Age', 'Score', 'Address/Floor'].map((name) => row + name))),
    fc.oneof(whole.map(String), double.map(decimal)),
  ];
  if (scope.groups.length > 0) leaves.push(fc.constantFrom(...scope.groups.map((group) => `${group}Weight`)));
  if (depth === 0) return fc.oneof(...leaves);
  const inner = number(scope, depth - 1);
  const s = string(scope, depth - 1);
  const calendar = fc.oneof(moment(scope), date(scope));
  return fc.oneof(
    ...leaves,
    fc
      .tuple(inner, fc.constantFrom('add', 'sub', 'mul', 'div', 'divby', 'mod'), inner)
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    inner.map((a) => `-(${a})`),
    fc.tuple(fc.constantFrom('round', 'floor', 'ceiling'), inner).map(([f, a]) => `${f}(${a})`),
    s.map((a) => `length(${a})`),
    fc.tuple(s, s).map(([a, b]) => `indexof(${a},${b})`),
    fc.tuple(fc.constantFrom('year', 'month', 'day'), calendar).map(([f, a]) => `${f}(${a})`),
    fc
      .tuple(fc.constantFrom('hour', 'minute', 'second', 'fractionalseconds'), fc.oneof(moment(scope), time(scope)))
      .map(([f, a]) => `${f}(${a})`),
    fc.constantFrom(
      ...scope.row.flatMap((row) => [
        `${row}Groups/$count`,
        `${row}Emails/$count`,
        `${row}Groups/$count($filter=Weight gt 1 and $it/Age ne 1)`,
      ]),
    ),
  );
}

function moment(scope: Scope): fc.Arbitrary<string> {
  const literal = fc
    .tuple(fc.constantFrom(...moments), fc.constantFrom(...zones))
    .map(([m, zone]) => m + (/^(0001|9999)/.test(m) ? 'Z' : zone));
  const stored = [path(scope, 'Seen'), ...scope.tags.map((tag) => fc.constant(`${tag}Since`))];
  return fc.oneof(
    ...stored,
    literal,
    fc.constantFrom('mindatetime()', 'maxdatetime()', "2024-01-01T00:00:00Z sub duration'PT1S'"),
  );
}

function date(scope: Scope): fc.Arbitrary<string> {
  return fc.oneof(
    path(scope, 'Born'),
    fc.constantFrom(...dates),
    path(scope, 'Seen').map((seen) => `date(${seen})`),
  );
}

function time(scope: Scope): fc.Arbitrary<string> {
  return fc.oneof(
    path(scope, 'Shift'),
    fc.constantFrom(...times),
    path(scope, 'Seen').map((seen) => `time(${seen})`),
  );
}
