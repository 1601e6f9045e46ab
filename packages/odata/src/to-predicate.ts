import type { BoundQuery } from './bound-ast.ts';
import { compileExpression } from './evaluate.ts';
import { orderValues } from './values.ts';

/** The query's `$filter` as a test on plain objects; true for all where there is none. */
export function toPredicate<Row extends object = object>(query: Pick<BoundQuery, 'filter'>): (row: Row) => boolean {
  if (query.filter === undefined) return () => true;
  const evaluate = compileExpression(query.filter);
  return (row) => evaluate([row]) === true;
}

/** The query's `$orderby` as a comparator for `Array.prototype.sort`; null comes first, last where descending. */
export function toComparator<Row extends object = object>(
  query: Pick<BoundQuery, 'orderby'>,
): (a: Row, b: Row) => number {
  const keys = query.orderby.map(({ expression, descending }) => ({
    evaluate: compileExpression(expression),
    sign: descending ? -1 : 1,
  }));
  return (a, b) => {
    for (const { evaluate, sign } of keys) {
      const order = orderValues(evaluate([a]), evaluate([b]));
      // NaN where values have no order: they tie.
      if (order) return order * sign;
    }
    return 0;
  };
}
