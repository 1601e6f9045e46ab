import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileExpression } from '../src/evaluate.ts';
import {
  afterKeys,
  type BoundOrder,
  type BoundQuery,
  bind,
  ODataError,
  parseQueryOptions,
  toComparator,
  toPredicate,
  type Value,
} from '../src/index.ts';
import { type Person, people } from './people.ts';
import { createPerson, extremePair, population } from './random-people.ts';
import { aliases, filterText, orderbyText } from './random-queries.ts';

/** A row that an engine finds, with its key and sort keys. */
export interface FoundRow {
  readonly key: string;
  readonly values: readonly Value[];
}

/** A database that runs bound queries. */
export interface Engine {
  load(rows: readonly Person[]): void | Promise<void>;
  /** Returns the matching rows, ordered by the query's $orderby, then by key. */
  find(query: BoundQuery): FoundRow[] | Promise<FoundRow[]>;
  close(): void | Promise<void>;
}

const cases = Number(process.env.ODATA_FUZZ_CASES ?? 2_000);
const seed = process.env.ODATA_FUZZ_SEED === undefined ? undefined : Number(process.env.ODATA_FUZZ_SEED);
const populations = Math.min(8, cases);
const settings = { limits: { nodesMax: 10_000, lambdaDepthMax: 8 } };

/** Compares an engine with the in-memory predicate and comparator, on random people and random queries. */
export function describeDifferential(name: string, createEngine: () => Engine | Promise<Engine>): void {
  describe(`${name} returns the rows of the predicate`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await createEngine();
    }, 60_000);
    afterAll(() => engine?.close());

    const seeded = seed === undefined ? {} : { seed };
    const each = Math.ceil(cases / populations);
    for (const [i, rows] of fc.sample(population, { numRuns: populations, ...seeded }).entries()) {
      test(`for ${each} random queries of population ${i + 1}`, { timeout: 600_000 }, async () => {
        await engine.load(rows);
        let rejected = 0;
        const options = fc.record({ filter: filterText, orderby: fc.option(orderbyText), values: aliases });
        const property = fc.asyncProperty(options, async ({ filter, orderby, values }) => {
          const query = boundQuery(filter, orderby, values);
          if (query === undefined) rejected++;
          else expect(await engine.find(query)).toEqual(createMemoryEngine(rows).find(query));
        });
        await fc.assert(property, { numRuns: each, ...seeded });
        // Queries such as a division by a literal zero are rejected. Most queries must be compared.
        expect(rejected).toBeLessThan(each / 5);
      });

      const walks = Math.ceil(each / 10);
      test(`page by page for ${walks} random orders of population ${i + 1}`, { timeout: 600_000 }, async () => {
        await engine.load(rows);
        const options = fc.record({ orderby: orderbyText, values: aliases });
        const property = fc.asyncProperty(
          options,
          fc.integer({ min: 1, max: 15 }),
          async ({ orderby, values }, size) => {
            const query = boundQuery('true', orderby, values);
            if (query === undefined) return;
            const whole = await engine.find(query);
            const pages = await walk(engine, query, size);
            expect(pages).toEqual(whole.map(({ key }) => key));
            expect(pages).toEqual(await walk(createMemoryEngine(rows), query, size));
          },
        );
        await fc.assert(property, { numRuns: walks, ...seeded });
      });
    }

    const found = [
      // A case whose branches are all null has no type in SQL.
      { filter: "case(Serial eq 9007199254740992:NaN,true:cast(null,Edm.Int32)) eq indexof(tolower(''),'')" },
      { filter: 'case(Active:null) eq length(Name)', orderby: 'case(Active:null,Age gt 1:NaN) desc,Key desc' },
      { filter: 'not case(Active:null) or case(Age gt 1:null)' },
      { filter: 'case(Active:matchesPattern(Name,null)) eq (Age gt 1)' },
      { filter: 'case(Active:case(Age gt 1:null),true:NaN) add Age eq null', orderby: 'case(Active:null),Key desc' },
      // Whole numbers beyond 64 bits.
      { filter: 'case(-Serial lt floor(Serial):INF,true:Age) eq (@n mul @n)', '@n': '10000000000' },
      { filter: 'case(Active:10000000000 mul 10000000000,true:Age) gt 5' },
      { filter: 'Age add 9223372036854775807 lt 4294967296 mul 2147483648' },
      { filter: 'Age sub (4294967296 mul 4294967296) lt 0', orderby: 'Age mul (10000000000 mul 1000000000000) desc' },
      // Doubles compared with whole numbers that have more digits.
      { filter: 'Serial eq (Serial add 0)', orderby: 'round(Serial) desc,case(Active:Serial,true:Age)' },
      { filter: 'case(true:Serial,Active:0) ge 9007199254740993', orderby: 'cast(Serial,Edm.Decimal)' },
      { filter: 'floor(Serial) eq 9007199254740993 or cast(Serial,Edm.Double) gt 9007199254740992' },
      { filter: 'Serial gt cast(9007199254740993,Edm.Double) or case(Active:9007199254740993) eq Serial' },
      { filter: '(Age mul 1) in (100000000000000000000,1)' },
    ];
    test.each(found)('for %j', async ({ filter, orderby = null, ...values }) => {
      const rows = fc.sample(population, { numRuns: 1, seed: 1 })[0]!;
      await engine.load(rows);
      const query = boundQuery(filter, orderby, values as Record<string, string>) as BoundQuery;
      expect(await engine.find(query)).toEqual(createMemoryEngine(rows).find(query));
    });

    test('for products that round to the smallest double or to zero', async () => {
      const pairs = [1 + 2 ** -52, 1 - 2 ** -53, 1, 1.5, 4 / 3].flatMap((a) =>
        [1 + 2 ** -52, 1 - 2 ** -53, 1 - 2 ** -52, 1, 4 / 3, 1.5].map((b) => [a, b] as const),
      );
      const rows = [1, 537, 800]
        .flatMap((shift) => pairs.map(([a, b]): [number, number] => [a * 2 ** -shift, -b * 2 ** (shift - 1075)]))
        .map(([score, ratio], i) => createPerson(i, score, ratio));
      await engine.load(rows);
      const query = boundQuery('true', 'Score mul Ratio,Ratio mul Score', {}) as BoundQuery;
      expect(await engine.find(query)).toEqual(createMemoryEngine(rows).find(query));
    });

    test('for arithmetic on numbers of any size', { timeout: 600_000 }, async () => {
      const pairs = fc.array(extremePair, { minLength: 400, maxLength: 400 });
      for (const sample of fc.sample(pairs, { numRuns: Math.ceil(cases / 1_000), ...seeded })) {
        const rows = sample.map(([score, ratio], i) => createPerson(i, score, ratio));
        await engine.load(rows);
        for (const operator of ['add', 'sub', 'mul', 'div', 'divby', 'mod']) {
          const decimal = `cast(Score,Edm.Decimal) ${operator} cast(Ratio,Edm.Decimal)`;
          const query = boundQuery('true', `${decimal},Score ${operator} Ratio`, {}) as BoundQuery;
          const found = await engine.find(query);
          expect(found).toEqual(createMemoryEngine(rows).find(query));
        }
      }
    });
  });
}

const keyOrder: BoundOrder = {
  expression: { kind: 'property', variable: 0, path: ['Key'], type: 'Edm.String', nullable: false },
  descending: false,
};

/** Returns the keys of all rows, where each page starts after the last row of the page before. */
async function walk(engine: Pick<Engine, 'find'>, query: BoundQuery, size: number): Promise<string[]> {
  const orderby = [...query.orderby, keyOrder];
  const keys: string[] = [];
  let filter: BoundQuery['filter'];
  for (let pages = 0; pages <= 40; pages++) {
    const page = (await engine.find({ ...query, filter })).slice(0, size);
    const last = page.at(-1);
    if (last === undefined) return keys;
    keys.push(...page.map(({ key }) => key));
    filter = afterKeys(orderby, [...last.values, last.key]);
  }
  throw new Error('The pages do not end.');
}

/** Returns the predicate and the comparator as an engine. */
function createMemoryEngine(rows: readonly Person[]): { find(query: BoundQuery): FoundRow[] } {
  return {
    find(query) {
      const compare = toComparator<Person>(query);
      const evaluators = query.orderby.map(({ expression }) => compileExpression(expression));
      return rows
        .filter(toPredicate(query))
        .toSorted((a, b) => compare(a, b) || (a.Key < b.Key ? -1 : 1))
        .map((row) => ({
          key: row.Key,
          values: evaluators.map((evaluate, i) => toKey(evaluate([row]), query.orderby[i])),
        }));
    },
  };
}

/** Returns a value in the form that all engines share: exact numbers, and one zero. */
export function toKey(value: unknown, order: BoundOrder | undefined): Value {
  if (value === null) return null;
  const type = order?.expression.type ?? 'null';
  if (type === 'Edm.Boolean') return Boolean(value);
  if (!/Int|Decimal|Double|Duration/.test(type)) return String(value);
  const number = Number(value);
  if (typeof value !== 'number' && !Number.isSafeInteger(number)) return BigInt(value as string | bigint);
  return number === 0 ? 0 : number;
}

function boundQuery(
  filter: string,
  orderby: string | null,
  values: Readonly<Record<string, string>>,
): BoundQuery | undefined {
  const text = new URLSearchParams({ $filter: filter, ...(orderby === null ? {} : { $orderby: orderby }), ...values });
  const options = parseQueryOptions(text.toString(), settings);
  try {
    return bind(options, people, 'Person', { nodesMax: 10_000, now: () => new Date('2024-01-01T00:00:00Z') });
  } catch (error) {
    if (error instanceof ODataError && ['value_out_of_range', 'not_supported'].includes(error.code)) return undefined;
    throw error;
  }
}
