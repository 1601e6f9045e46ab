import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bind, ODataError, parseQueryOptions, toPredicate, toSql } from '../src/index.ts';
import { expressionCases, optionCases } from './grammar-cases.ts';
import { mapping, people } from './people.ts';
import { aliases, filterText, orderbyText } from './random-queries.ts';

const numRuns = Number(process.env.ODATA_FUZZ_CASES ?? 2_000);
const seeded = process.env.ODATA_FUZZ_SEED === undefined ? {} : { seed: Number(process.env.ODATA_FUZZ_SEED) };

const written = fc.constantFrom(
  ...expressionCases
    .flatMap(({ valid, invalid }) => [...valid, ...invalid.map(([text]) => text)])
    .map((e) => `$filter=${e}`),
  ...optionCases.flatMap(({ valid, invalid }) => [...valid, ...invalid.map(([text]) => text)]),
);
const drawn = fc
  .tuple(filterText, orderbyText, aliases)
  .map(([$filter, $orderby, values]) => new URLSearchParams({ $filter, $orderby, ...values }).toString());
const piece = fc.oneof(
  fc.constantFrom(...'()[]{}\'"/,;:=&@$%#*+-. \t0aé😀'),
  fc.constantFrom(
    ...['%27', '%20', '%', '%zz', '%F0%9F', '\0', '\ud800', '$it', '$root/', '$count', '/any(', '/all(x:'],
  ),
  fc.constantFrom(
    ...[' and ', ' not ', ' eq null', ' in (', ' desc', 'null', 'true', '1e999', '2024-01-01', "duration'P1D'"],
  ),
  fc.constantFrom(
    ...['&$filter=', '&$top=', '&$expand=Groups(', '__proto__', 'constructor', '/toString', '@__proto__'],
  ),
);
const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 6 }), fc.oneof(piece, fc.constant('')));
const mutated = fc
  .tuple(fc.oneof(written, drawn), fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([text, edits]) =>
    edits.reduce((now, [where, removed, added]) => {
      const at = Math.floor(where * (now.length + 1));
      return now.slice(0, at) + added + now.slice(at + removed);
    }, text),
  );
const soup = fc.array(piece, { maxLength: 30 }).map((parts) => `$filter=${parts.join('')}`);

const timeout = 600_000;

test('rejects invalid queries with an ODataError whose offset is in the query', {
  timeout,
}, () => {
  let bound = 0;
  const property = fc.property(fc.oneof({ weight: 4, arbitrary: mutated }, soup), fc.boolean(), (query, strict) => {
    try {
      const options = bind(parseQueryOptions(query, { strict }), people, 'Person');
      toSql(options, 'sqlite', { mapping });
      toSql(options, 'postgres', { mapping });
      toPredicate(options)({ Key: 'k', Groups: [{}], Emails: [null] });
      bound++;
    } catch (error) {
      expect(error).toBeInstanceOf(ODataError);
      const { offset, queryOffset = 0, message, status } = error as ODataError;
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(query.length);
      expect(queryOffset).toBeGreaterThanOrEqual(0);
      expect(queryOffset).toBeLessThanOrEqual(query.length);
      expect(message.length).toBeLessThan(400);
      expect([400, 501]).toContain(status);
    }
  });
  fc.assert(property, { numRuns, ...seeded });
  // Otherwise the mutations would be too strong to reach most of the code.
  expect(bound).toBeGreaterThan(numRuns / 50);
});

test('parses text and URLSearchParams to the same tree', () => {
  const property = fc.property(drawn, (query) => {
    expect(parseQueryOptions(new URLSearchParams(query))).toEqual(parseQueryOptions(query));
  });
  fc.assert(property, { numRuns: Math.min(numRuns, 1_000), ...seeded });
});

test('spaces, parentheses and the case of operators do not change the SQL', () => {
  const property = fc.property(drawn, (query) => {
    const filter = new URLSearchParams(query).get('$filter') ?? '';
    const values = [...new URLSearchParams(query)].filter(([name]) => name.startsWith('@'));
    const sql = (text: string) => {
      try {
        const options = parseQueryOptions(new URLSearchParams([['$filter', text], ...values]));
        return toSql(bind(options, people, 'Person', { now: () => new Date(0) }), 'postgres', { mapping }).where;
      } catch (error) {
        return (error as ODataError).code;
      }
    };
    expect(sql(`( ${filter}  )`)).toEqual(sql(filter));
    const shouted = filter.replace(
      /'(?:[^']|'')*'|\b(?:and|or|eq|ne|gt|ge|lt|le|add|sub|mul|contains|any|all|length)\b/g,
      (word) => (word.startsWith("'") ? word : `${word.toUpperCase()}`),
    );
    expect(sql(shouted)).toEqual(sql(filter));
  });
  fc.assert(property, { numRuns: Math.min(numRuns, 1_000), ...seeded });
});
