import { describe, expect, test } from 'vitest';
import { defaultLimits } from './limits.ts';
import { ODataError } from './odata-error.ts';
import { parseQueryOptions } from './parse-query-options.ts';

const boundless = { lengthMax: 1e9, nodesMax: 1e9, listItemsMax: 1e9, itemsMax: 1e9 };
const clauses = (count: number): string => Array.from({ length: count }, () => 'A eq 1').join(' and ');

describe('a query over a limit is rejected with the name of the limit', () => {
  test.each([
    ['lengthMax', `$filter=${'x'.repeat(20_000)}`],
    ['depthMax', `$filter=${'('.repeat(5_000)}A${')'.repeat(5_000)}`],
    ['depthMax', `$filter=${'not '.repeat(3_000)}A`],
    ['depthMax', `$filter=${'-'.repeat(3_000)}A`],
    ['depthMax', `$filter=${'tolower('.repeat(1_000)}`],
    ['depthMax', `$filter=${'['.repeat(3_000)}`],
    ['depthMax', `$filter=${'1 add '.repeat(1_000)}1`],
    ['depthMax', `$search=${'('.repeat(3_000)}`],
    ['nodesMax', `$filter=${clauses(100)}`],
    ['nodesMax', `$filter=${'A/'.repeat(300)}B`],
    ['nodesMax', `$filter=${clauses(20)}&$orderby=A&@p=${clauses(20)}&@q=${clauses(20)}`],
    ['listItemsMax', `$filter=A in (${'1,'.repeat(1_000)}1)`],
    ['lambdaDepthMax', `$filter=${'A/any(x:x/'.repeat(5)}B${')'.repeat(5)}`],
    ['expandDepthMax', '$expand=A($expand=B($expand=C))'],
    ['itemsMax', `$select=${'A,'.repeat(100)}A`],
    ['topMax', '$top=1000000001'],
  ])('%s', (name, query) => {
    const limit = defaultLimits[name as keyof typeof defaultLimits];
    expect(() => parseQueryOptions(query)).toThrow(
      expect.objectContaining({
        code: 'limit_exceeded',
        message: expect.stringContaining(`the limit ${name} is ${limit}`),
      }),
    );
  });
});

test('each limit can be raised', () => {
  expect(() => parseQueryOptions(`$filter=${clauses(2_000)}`, { limits: boundless })).not.toThrow();
});

describe('a megabyte of hostile text is parsed or rejected without a stall or a stack overflow', () => {
  // Long enough for a quadratic step to exceed the test timeout. The benchmark measures the speed.
  const size = 1_000_000;
  test.each([
    ['parentheses', '('],
    ['nots', 'not '],
    ['clauses', 'A eq 1 and '],
    ['quotes', "'"],
    ['spaces', ' '],
    ['path segments', 'a/'],
    ['brackets', '[{"a":'],
    ['list items', "A in ('a',"],
    ['signs', '-'],
    ['digits', '9'],
    ['escapes', '%20'],
    ['letters', 'é'],
    ['search terms', 'a NOT '],
    ['guid starts', 'abcdefab-'],
    ['date starts', '2024-'],
    ['operators', ' eq eq'],
    ['lambda', 'a/any(x:'],
  ])('%s', (_, piece) => {
    const text = piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
    for (const option of ['$filter=', '$filter=A eq ', '$search=', '$expand=A($filter=']) {
      const read = () => {
        try {
          return parseQueryOptions(option + text, { limits: boundless });
        } catch (error) {
          return error;
        }
      };
      expect(read()).toSatisfy((found) => found instanceof ODataError || !(found instanceof Error));
    }
  });
});
