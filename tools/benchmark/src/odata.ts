import { bind, ODataError, parseQueryOptions, toComparator, toPredicate, toSql } from '@rostergate/odata';
import { hostileQueries } from '../../../packages/odata/test/hostile.ts';
import { mapping, people } from '../../../packages/odata/test/people.ts';
import type { Say } from './compare-servers.ts';
import { type Figure, toFigure } from './figure.ts';

const filter =
  "Key eq 'abc' and Name ne null and Seen ge 2024-01-01T00:00:00Z and Active eq true and Groups/any(g:g/Name eq 'Blue')";
/** A filter of five clauses, encoded for a URL. */
export const filterText = `$filter=${encodeURIComponent(filter)}`;

/** Measures a filter of five clauses from its text in the URL to a bound tree. */
export async function measureODataFilter(say: Say): Promise<readonly Figure[]> {
  const query = bind(parseQueryOptions(`${filterText}&$orderby=Name desc`), people, 'Person');
  const predicate = toPredicate(query);
  const comparator = toComparator(query);
  const rows = Array.from({ length: 1_000 }, (_, i) => ({
    ...{ Key: 'abc', Name: `name ${i % 97}`, Seen: '2024-05-01T00:00:00', Active: true },
    Groups: [{ Name: 'Blue' }],
  }));
  const others: Readonly<Record<string, () => unknown>> = {
    'parse it': () => parseQueryOptions(filterText),
    'write it as SQL': () => toSql(query, 'sqlite', { mapping }),
    'test 1,000 objects': () => rows.filter(predicate),
    'sort 1,000 objects': () => rows.toSorted(comparator),
  };
  const bound = { name: 'odata: parse and bind a filter of 5 clauses', max: 12, unit: 'µs' };
  const figure = toFigure(
    bound,
    costUs(() => bind(parseQueryOptions(filterText), people, 'Person')),
  );
  for (const [name, run] of Object.entries(others)) say(`${costUs(run, 5).toFixed(1)} µs to ${name}`);
  return [figure];
}

const unlimited = { lengthMax: 1e9, nodesMax: 1e9, listItemsMax: 1e9, itemsMax: 1e9 };
const size = 16_000;

/** Measures the slowest of all hostile queries of 16 KB until it is rejected, with the size limits and without. */
export async function measureHostile(say: Say): Promise<readonly Figure[]> {
  return [
    slowestQuery('odata: reject 16 KB of hostile text', {}, say),
    slowestQuery('odata: read 16 KB of hostile text with no limit on size', unlimited, say),
  ];
}

function slowestQuery(name: string, limits: object, say: Say): Figure {
  const costs = Object.entries(hostileQueries).map(([shape, create]) => {
    const query = create(size);
    return { shape, ms: costUs(() => readHostile(query, limits), 3, 15_000) / 1_000 };
  });
  const [most, ...others] = costs.sort((a, b) => b.ms - a.ms);
  for (const { shape, ms } of others.slice(0, 3)) say(`${ms.toFixed(2)} ms for ${shape}`);
  return toFigure({ name, max: 5, unit: 'ms' }, most?.ms ?? Number.NaN, `${most?.shape}, of ${costs.length} shapes`);
}

function readHostile(query: string, limits: object): void {
  try {
    bind(parseQueryOptions(query, { limits }), people, 'Person', { nodesMax: 100_000 });
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
  }
}

/** Returns the CPU microseconds of a run in the fastest of `rounds` rounds: disturbances only lengthen a round. */
export function costUs(run: () => unknown, rounds = 15, roundUs = 40_000): number {
  let best = Number.POSITIVE_INFINITY;
  let batch = 1;
  for (let round = 0; round <= rounds; ) {
    const started = threadUs();
    for (let i = 0; i < batch; i++) run();
    const passedUs = threadUs() - started;
    // Reading the clock costs more than a short run, so rounds grow. The first long round warms up.
    if (passedUs < roundUs / 2) batch *= 2;
    else if (round++ > 0) best = Math.min(best, passedUs / batch);
  }
  return best;
}

/** Returns the CPU time of this thread, which other programs barely change. */
function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
