import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BoundQuery, bind, ODataError, parseQueryOptions, toComparator, toPredicate } from '../src/index.ts';
import { type Person, people } from './people.ts';
import { aliases, filterText, orderbyText, population } from './random-queries.ts';

/** A database that answers a bound query with the keys of its rows, in order. */
export interface Engine {
  load(rows: readonly Person[]): void | Promise<void>;
  /** Ordered by the query's $orderby, then by key; undefined where a computation leaves the engine's doubles. */
  keys(query: BoundQuery): string[] | undefined | Promise<string[] | undefined>;
  close(): void | Promise<void>;
}

const cases = Number(process.env.ODATA_FUZZ_CASES ?? 2_000);
const seed = process.env.ODATA_FUZZ_SEED === undefined ? undefined : Number(process.env.ODATA_FUZZ_SEED);
const populations = Math.min(8, cases);
const settings = { limits: { nodesMax: 10_000, lambdaDepthMax: 8 } };

/** Holds an engine equal to the in-memory predicate and comparator, on random people and random queries. */
export function describeDifferential(name: string, createEngine: () => Engine | Promise<Engine>): void {
  describe(`${name} answers as the predicate does`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await createEngine();
    }, 60_000);
    afterAll(() => engine?.close());

    const seeded = seed === undefined ? {} : { seed };
    const each = Math.ceil(cases / populations);
    for (const [i, rows] of fc.sample(population, { numRuns: populations, ...seeded }).entries()) {
      test(`to ${each} random queries of population ${i + 1}`, { timeout: 600_000 }, async () => {
        await engine.load(rows);
        let refused = 0;
        const options = fc.record({ filter: filterText, orderby: fc.option(orderbyText), values: aliases });
        const property = fc.asyncProperty(options, async ({ filter, orderby, values }) => {
          const query = boundQuery(filter, orderby, values);
          const keys = query && (await engine.keys(query));
          if (query === undefined || keys === undefined) refused++;
          else expect(keys).toEqual(expectedKeys(query, rows));
        });
        await fc.assert(property, { numRuns: each, ...seeded });
        // Division by a literal zero and the like are refused; were it more, little would be compared.
        expect(refused).toBeLessThan(each / 5);
      });
    }
  });
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

function expectedKeys(query: BoundQuery, rows: readonly Person[]): string[] {
  const compare = toComparator<Person>(query);
  return rows
    .filter(toPredicate(query))
    .toSorted((a, b) => compare(a, b) || (a.Key < b.Key ? -1 : 1))
    .map(({ Key }) => Key);
}
