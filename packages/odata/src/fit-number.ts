import type { ComparisonOperator } from './ast.ts';
import type { BoundConstant, BoundExpression, Value } from './bound-ast.ts';
import { constant } from './bound-expressions.ts';
import { isWholeType } from './model.ts';

const int64Max = 2 ** 63;

/** Values that come out whole and exact in every engine; what is computed is a double. */
const exactKinds: ReadonlySet<BoundExpression['kind']> = new Set(['property', 'variable', 'count']);
export const isExactWhole = (node: BoundExpression): boolean => isWholeType(node.type) && exactKinds.has(node.kind);

/** The number as a double where it may hold more digits: each engine compares the two in its own way. */
export function asDouble(node: BoundExpression, type = node.type): BoundExpression {
  if (node.kind === 'constant' && typeof node.value === 'bigint') return constant(type, Number(node.value));
  if (!isExactWhole(node)) return node.type === type ? node : { ...node, type };
  return { kind: 'call', name: 'double', arguments: [node], type, nullable: node.nullable };
}

/**
 * `other operator number` with a number of the type of `other`, so that no engine compares a whole number with a double,
 * which each would do in its own way: `Age gt 2.5` is `Age gt 2`. Where no such number is, whether the comparison holds
 * (`null`: for all values but null).
 */
export function fitNumber(
  other: BoundExpression,
  operator: ComparisonOperator,
  number: BoundConstant,
): BoundConstant | boolean | null {
  const { value } = number;
  if (value === null) return number;
  if (!isExactWhole(other)) return typeof value === 'bigint' ? constant('Edm.Double', Number(value)) : number;
  if (typeof value === 'bigint') return number;
  const wanted = Number(value);
  if (!Number.isInteger(wanted) && (operator === 'eq' || operator === 'ne')) return operator === 'ne';
  const whole = operator === 'gt' || operator === 'le' ? Math.floor(wanted) : Math.ceil(wanted);
  if (whole >= -int64Max && whole < int64Max) return constant('Edm.Int64', wholeValue(whole));
  if (operator === 'eq' || operator === 'ne') return operator === 'ne';
  return (operator === 'lt' || operator === 'le') === whole > 0 ? null : false;
}

/** The number as an item of `in`, after the same rules; undefined where it can equal nothing. */
export function fitListItem(other: BoundExpression, value: Exclude<Value, null>): Exclude<Value, null> | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  const fitted = fitNumber(other, 'eq', constant('Edm.Int64', value));
  return typeof fitted === 'boolean' || fitted === null ? undefined : (fitted.value ?? undefined);
}

const wholeValue = (whole: number): Value => (Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole));
