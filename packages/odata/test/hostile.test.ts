import { expect, test } from 'vitest';
import { bind, ODataError, parseQueryOptions, toPredicate, toSql } from '../src/index.ts';
import { hostileQueries } from './hostile.ts';
import { mapping, people } from './people.ts';

const boundless = { lengthMax: 1e9, nodesMax: 1e9, listItemsMax: 1e9, itemsMax: 1e9 };

/** Reads a query to its end, or to where it is refused. */
function read(query: string, limits = {}): void {
  try {
    const bound = bind(parseQueryOptions(query, { limits }), people, 'Person', { nodesMax: 100_000 });
    toSql(bound, 'postgres', { mapping });
    toPredicate(bound);
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
  }
}

/** The time of this thread alone: what others do on the machine takes none of it. */
function ms(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The least of five: compiling and collecting garbage only add to what a query costs, and never the same twice. */
const costMs = (run: () => void): number => Math.min(...Array.from({ length: 5 }, () => ms(run)));

// Eight times the text costs eight times the time where it is linear, 64 times where it is quadratic. What is over within
// a millisecond says nothing.
test.each(Object.entries(hostileQueries))(
  'takes time in proportion to the text, whatever it holds: %s',
  (_, create) => {
    const [small, large] = [create(8_000), create(64_000)];
    const [smallMs, largeMs] = [costMs(() => read(small, boundless)), costMs(() => read(large, boundless))];
    expect(largeMs / Math.max(smallMs, 1)).toBeLessThan(24);
  },
);

test.each(Object.entries(hostileQueries))('refuses by its limits, or reads, 16 KB of %s', (_, create) => {
  read(create(16_000));
});
