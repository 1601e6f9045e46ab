import { expect, test } from 'vitest';
import { costRatio } from '../../../tools/workspace/cpu-costs.ts';
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

const ratioMax = 3;

// Parsing eight times the text at once takes as long as eight times the text if it is linear, and eight times that if
// it is quadratic.
test.each(Object.entries(hostileQueries))('takes linear time: %s', (_, create) => {
  const [small, large] = [create(8_000), create(64_000)];
  const run = () => read(large, boundless);
  const peer = () => {
    for (let i = 0; i < 8; i++) read(small, boundless);
  };
  expect(costRatio({ run, peer, ratioMax })).toBeLessThan(ratioMax);
});

test.each(Object.entries(hostileQueries))('parses or rejects 16 KB of %s', (_, create) => {
  read(create(16_000));
});
