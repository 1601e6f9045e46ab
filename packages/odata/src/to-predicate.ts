import type { BoundQuery } from './bound-ast.ts';
import { compileExpression } from './evaluate.ts';
import { orderValues } from './values.ts';

/** Returns `$filter` as a test of plain objects. Without `$filter`, the test is always true. */
export function toPredicate<Row extends object = object>(query: Pick<BoundQuery, 'filter'>): (row: Row) => boolean {
  if (query.filter === undefined) return () => true;
  const evaluate = compileExpression(query.filter);
  return (row) => evaluate([row]) === true;
}

/** Returns `$orderby` as a comparator for `Array.prototype.sort`. Null sorts first, or last if descending. */
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
      // NaN means no order, which is a tie.
      if (order) return order * sign;
    }
    return 0;
  };
}
