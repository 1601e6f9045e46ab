import type { BoundConstant, BoundExpression, BoundOrder, Value } from './bound-ast.ts';
import { comparison, constant, isConstant, isExactWhole, joinConditions } from './bound-expressions.ts';
import { categoryOf } from './model.ts';

/**
 * Returns the condition for the rows after the row with these keys, in the order of `orderby`. It selects the next page
 * even when rows have changed. The last term of `orderby` must be unique for each row.
 */
export function afterKeys(orderby: readonly BoundOrder[], keys: readonly Value[]): BoundExpression {
  const nothing = constant('Edm.Boolean', false);
  return orderby.reduceRight<BoundExpression>(
    (after, { expression, descending }, i) => afterKey(expression, descending, keys[i] ?? null, after),
    nothing,
  );
}

/** Null sorts first, or last if descending. `after` is the condition for rows with the same key. */
function afterKey(
  expression: BoundExpression,
  descending: boolean,
  value: Value,
  after: BoundExpression,
): BoundExpression {
  const nothing = constant('null', null);
  if (value === null) {
    return descending
      ? joinConditions('and', [comparison('eq', expression, nothing), after])
      : joinConditions('or', [comparison('ne', expression, nothing), after]);
  }
  const key = keyConstant(expression, value);
  const beyond = comparison(descending ? 'lt' : 'gt', expression, key);
  // A range of the first key, because an index can serve it. "beyond, or equal and after" would prevent that.
  const range = comparison(descending ? 'le' : 'ge', expression, key);
  const found = isConstant(after, false)
    ? beyond
    : joinConditions('and', [range, joinConditions('or', [beyond, after])]);
  return descending && expression.nullable
    ? joinConditions('or', [found, comparison('eq', expression, nothing)])
    : found;
}

/** Returns a key as a constant, with the type that the expression is computed in. See `fitNumber`. */
function keyConstant(expression: BoundExpression, key: Exclude<Value, null>): BoundConstant {
  if (categoryOf(expression.type) !== 'number') return constant(expression.type, key);
  return isExactWhole(expression) ? constant('Edm.Int64', key) : constant('Edm.Double', Number(key));
}
