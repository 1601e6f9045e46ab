import { expect, test } from 'vitest';
import { bind, ODataError, parseQueryOptions, toPredicate, toSql } from '../src/index.ts';
import { hostileQueries } from './hostile.ts';
import { mapping, people } from './people.ts';

const boundless = { lengthMax: 1e9, nodesMax: 1e9, listItemsMax: 1e9, itemsMax: 1e9 };

/** Parses and binds a query, and ignores its rejection. */
function read(query: string, limits = {}): void {
  try {
    const bound = bind(parseQueryOptions(query, { limits }), people, 'Person', { nodesMax: 100_000 });
    toSql(bound, 'postgres', { mapping });
    toPredicate(bound);
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
  }
}

/** Returns the CPU time of this thread, which does not include other load. */
function ms(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const growthMax = 24;

/**
 * Returns the minima of two costs that are measured in turn, so that both meet the machine at its full speed: other
 * programs, compilation and garbage collection only add time. Measures again while the second seems too high.
 */
function costsMs(first: () => void, second: () => void): [number, number] {
  let [firstMs, secondMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 5 || (secondMs / Math.max(firstMs, 1) >= growthMax && round < 50); round++) {
    firstMs = Math.min(firstMs, ms(first));
    secondMs = Math.min(secondMs, ms(second));
  }
  return [firstMs, secondMs];
}

// Eight times the text takes eight times as long if parsing is linear, and 64 times if it is quadratic. Times below one
// millisecond are too short to compare.
test.each(Object.entries(hostileQueries))('takes linear time: %s', (_, create) => {
  const [small, large] = [create(8_000), create(64_000)];
  const [smallMs, largeMs] = costsMs(
    () => read(small, boundless),
    () => read(large, boundless),
  );
  expect(largeMs / Math.max(smallMs, 1)).toBeLessThan(growthMax);
});

test.each(Object.entries(hostileQueries))('parses or rejects 16 KB of %s', (_, create) => {
  read(create(16_000));
});
