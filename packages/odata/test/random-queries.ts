import fc from 'fast-check';
import {
  dates,
  double,
  durations,
  extremes,
  guids,
  moments,
  serial,
  split,
  text,
  times,
  whole,
} from './random-people.ts';

/** Patterns with every construct that all engines support. */
const patternPart = fc
  .tuple(
    fc.constantFrom(
      ...split(String.raw`a b . [ab] [^a] \d \w \s \W ö 😀 (a|b) (?:ab|) (a*) \. % _ [a-z] [\D] [^\W_] [\s\S]`),
      ...split(String.raw`[\u{1F600}-😀] ''`),
    ),
    fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'),
  )
  .map((parts) => parts.join(''));
const pattern = fc
  .tuple(fc.constantFrom('', '^'), fc.array(patternPart, { maxLength: 4 }), fc.constantFrom('', '$'))
  .map(([start, parts, end]) => `'${start}${parts.join('')}${end}'`);
const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const zones = ['Z', 'z', '', '+00:00', '-00:00', '-05:30', '+14:00', '-12:00'];
const decimal = (value: number): string => String(value).replace('e+', 'e');

/** Writes the path of a property in the scope of the expression: `Name`, `$it/Name`, `x/Name`. */
type Scope = {
  readonly row: readonly string[];
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  readonly emails: readonly string[];
};
/** Values of the aliases `@s`, `@n`, `@m`, `@list`, `@numbers` and `@c`. */
export const aliases: fc.Arbitrary<Record<string, string>> = fc.record({
  '@s': fc.oneof(text.map(quoted), fc.constantFrom('Name', 'null', 'Address/City', '@s2')),
  '@s2': fc.constantFrom("'a'", 'tolower(Note)'),
  '@n': fc.oneof(whole.map(String), double.map(decimal), fc.constantFrom('Age', 'Address/Floor', 'null')),
  '@m': fc.oneof(
    fc.constantFrom(...moments).map((moment) => `${moment}Z`),
    fc.constantFrom('Seen', 'null'),
  ),
  '@list': fc
    .array(
      fc.oneof(
        text.map((one) => JSON.stringify(one)),
        fc.constant('null'),
      ),
      { maxLength: 4 },
    )
    .map((items) => `[${items.join(',')}]`),
  '@numbers': fc
    .array(fc.oneof(whole.map(String), fc.constantFrom(...extremes, 'null')), { maxLength: 4 })
    .map((items) => `[${items.join(' , ')}]`),
  '@c': fc.constantFrom('Active', 'Age gt 1 or Note eq null', "Groups/any(g:g/Name eq 'a')", 'null', 'false'),
});

const top: Scope = { row: ['', '$it/', '$this/'], groups: [], tags: [], emails: [] };

/** Texts of $filter for the model `people`. */
export const filterText: fc.Arbitrary<string> = condition(top, 3);

/** Texts of $orderby for the model `people`. */
export const orderbyText: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(anyValue(top, 1), fc.constantFrom('Serial', 'Badge', '-Serial')),
      fc.constantFrom('', ' asc', ' desc'),
    ),
    { minLength: 1, maxLength: 3 },
  )
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
    compare(path(scope, 'Serial'), fc.oneof(serial.map(String), fc.constantFrom(...extremes, '-(1)', 'null'))),
    compare(fc.constantFrom(...extremes), path(scope, 'Serial')),
    path(scope, 'Serial').map((a) => `-${a} lt floor(${a})`),
    fc.constantFrom('@c', '@c eq true', 'not @c', '@s in @list', 'Age in @numbers', 'Score in @numbers', '@m ge Seen'),
    compare(fc.constantFrom(...durations)),
    compare(path(scope, 'Seen'), fc.constantFrom(...dates)),
    compare(fc.constantFrom(...dates), path(scope, 'Seen')),
    fc.constantFrom('isof(Name,Edm.String)', 'isof(Age,Edm.String)', 'isof(null,Edm.Guid)', "contains('',null)"),
    compare(nullable(moment(scope))),
    compare(nullable(date(scope))),
    compare(nullable(time(scope))),
    compare(path(scope, 'Badge'), nullable(fc.constantFrom(...guids))),
    compare(path(scope, 'Key'), fc.constantFrom("'k003'", "'k01'", ...guids)),
    fc.oneof(path(scope, 'Active'), fc.constantFrom('true', 'FALSE', 'null')),
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
      .tuple(path(scope, 'Serial'), fc.array(fc.oneof(serial.map(String), fc.constantFrom(...extremes, 'null'))))
      .map(([a, list]) => `${a} in (${list.join(' ,')})`),
    fc
      .tuple(fc.constantFrom('Born', 'Seen', 'Shift', 'Badge', 'Active'), fc.boolean(), fc.boolean())
      .map(([name, none, both]) => inList(name, none, both)),
    fc.tuple(s, fc.constantFrom(...scope.row)).map(([a, r]) => `${a} in ${r}Emails`),
    fc
      .tuple(s, fc.oneof({ weight: 9, arbitrary: pattern }, fc.constant('null')))
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
    fc.tuple(inner, inner).map(([a, b]) => `case((${a}):${b},true:null)`),
    lambda(scope, below),
  );
}

/** `in` with literals of the property's type, with or without null, or empty. */
function inList(name: string, none: boolean, both: boolean): string {
  const values: Record<string, readonly string[]> = {
    Born: dates,
    Seen: ['2024-01-01T00:00:00Z', '2024-01-01', '2024-01-01T15:00:00+01:00'],
    Shift: times.slice(0, 3),
    Badge: guids,
    Active: ['true'],
  };
  return `${name} in (${[...(both ? values[name]! : []), ...(none ? ['null'] : [])].join(',')})`;
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
    row.map(
      (r) => `${r}Groups/$filter(Tags/any())/$filter(Name ne $it/Name)/all(${g}:${g}/Tags/$count le ${g}/Weight)`,
    ),
  ];
  for (const group of scope.groups) {
    options.push(fc.constantFrom(`${group}Tags/any()`, `${group}Tags/$count($filter=Label eq $it/Name) ge 1`));
  }
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
    fc.constant('@s'),
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
    fc
      .constantFrom('Age', 'Serial', 'Badge', 'Key')
      .chain((name) => path(scope, name))
      .map((a) => `cast(${a},Edm.String)`),
    fc
      .tuple(fc.constantFrom('round', 'floor', 'ceiling'), fc.constantFrom('Age', 'Serial', '(Age add 1)', '(-Age)'))
      .map(([f, a]) => `cast(${f}(${a}),Edm.String)`),
  );
}

function number(scope: Scope, depth: number): fc.Arbitrary<string> {
  const leaves = [
    fc.constantFrom(
      ...scope.row.flatMap((row) => ['Age', 'Serial', 'Score', 'Address/Floor'].map((name) => row + name)),
    ),
    fc.oneof(whole.map(String), double.map(decimal)),
    fc.constant('@n'),
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
    fc
      .tuple(
        condition(scope, 0),
        fc.constantFrom('INF', '-INF', 'NaN', '1e400', '1e300', '-1e300', '1e-300', '-0.0'),
        inner,
      )
      .map(([c, a, b]) => `case(${c}:${a},true:${b})`),
    fc
      .tuple(path(scope, 'Score'), fc.constantFrom('mul', 'div', 'mod'), fc.constantFrom('1e-300', 'Ratio'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    path(scope, 'Score').map((a) => `(cast(${a},Edm.Double) mul 1e300 sub 1e300)`),
    fc.constantFrom(
      'cast(Age,Edm.Double)',
      ...['Edm.Int32', 'Edm.Decimal', 'Edm.Double'].map((type) => `cast(Serial,${type})`),
      ...['9007199254740993', '12345678901234567890123', '(10000000000 mul 10000000000)'],
      'cast(1,Edm.Int64)',
      "totalseconds(duration'P1DT0.25S')",
      'cast(null,Edm.Int32)',
    ),
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
    .map(([m, zone]) => m.replace('T', zone === 'z' ? 't' : 'T') + zone);
  const stored = [path(scope, 'Seen'), ...scope.tags.map((tag) => fc.constant(`${tag}Since`))];
  return fc.oneof(
    ...stored,
    literal,
    fc.constantFrom('mindatetime()', 'maxdatetime()', 'now()', '@m', '2024-01-01T00:00', '2024-01-01T00:00Z'),
    fc.constantFrom("2024-01-01T00:00:00Z sub duration'PT1S'", '2016-12-31T23:59:60Z'),
  );
}

function date(scope: Scope): fc.Arbitrary<string> {
  return fc.oneof(
    path(scope, 'Born'),
    fc.constantFrom(...dates, "2024-02-29 add duration'P1D'"),
    path(scope, 'Seen').map((seen) => `date(${seen})`),
  );
}

function time(scope: Scope): fc.Arbitrary<string> {
  return fc.oneof(
    path(scope, 'Shift'),
    fc.constantFrom(...times, '12:30', '23:59:60'),
    path(scope, 'Seen').map((seen) => `time(${seen})`),
  );
}
