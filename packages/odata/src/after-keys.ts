import type { BoundConstant, BoundExpression, BoundOrder, Value } from './bound-ast.ts';
import { comparison, constant, isConstant, joinConditions } from './bound-expressions.ts';
import { isExactWhole } from './fit-number.ts';
import { categoryOf } from './model.ts';

/**
 * The condition for rows that come after a row with these keys in the order of `orderby`: the next page, whatever has
 * changed since the page before. End `orderby` with what no two rows share.
 */
export function afterKeys(orderby: readonly BoundOrder[], keys: readonly Value[]): BoundExpression {
  const nothing = constant('Edm.Boolean', false);
  return orderby.reduceRight<BoundExpression>(
    (after, { expression, descending }, i) => afterKey(expression, descending, keys[i] ?? null, after),
    nothing,
  );
}

/** Null comes first, last where descending. `after` holds for rows that come after among those with the same key. */
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
  // Not "beyond, or equal and after": an index serves a range of its first key.
  const range = comparison(descending ? 'le' : 'ge', expression, key);
  const found = isConstant(after, false)
    ? beyond
    : joinConditions('and', [range, joinConditions('or', [beyond, after])]);
  return descending && expression.nullable
    ? joinConditions('or', [found, comparison('eq', expression, nothing)])
    : found;
}

/** Of a number in the type that the expression is computed in: see `fitNumber`. */
function keyConstant(expression: BoundExpression, key: Exclude<Value, null>): BoundConstant {
  if (categoryOf(expression.type) !== 'number') return constant(expression.type, key);
  return isExactWhole(expression) ? constant('Edm.Int64', key) : constant('Edm.Double', Number(key));
}
