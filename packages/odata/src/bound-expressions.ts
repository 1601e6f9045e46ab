import type { ComparisonOperator } from './ast.ts';
import type { BoundConstant, BoundExpression, Value } from './bound-ast.ts';
import { compileExpression } from './evaluate.ts';
import { isWholeType, type PrimitiveType } from './model.ts';

export const constant = (type: PrimitiveType | 'null', value: Value): BoundConstant => ({
  kind: 'constant',
  type: value === null ? 'null' : type,
  nullable: value === null,
  value,
});

/** Returns null with a type, for expressions whose type SQL needs. */
export const nullOf = (type: PrimitiveType | 'null'): BoundConstant => ({ ...constant('null', null), type });

export const comparison = (
  operator: ComparisonOperator,
  left: BoundExpression,
  right: BoundExpression,
): BoundExpression => ({
  kind: 'compare',
  operator,
  left,
  right,
  type: 'Edm.Boolean',
  nullable: false,
});

export const isNullable = (node: BoundExpression): boolean => node.nullable;

export const isConstant = (node: BoundExpression, value: Value): boolean =>
  node.kind === 'constant' && Object.is(node.value, value);

/** Returns the value of a node whose operands are all constants, else the node. */
export function fold(node: BoundExpression, operands: readonly BoundExpression[]): BoundExpression {
  for (const operand of operands) if (operand.kind !== 'constant') return node;
  return constant(node.type, compileExpression(node)([]));
}

/** Joins conditions. A constant decides the chain or is dropped. */
export function joinConditions(kind: 'and' | 'or', conditions: readonly BoundExpression[]): BoundExpression {
  const decisive = kind === 'or';
  if (conditions.some((condition) => isConstant(condition, decisive))) return constant('Edm.Boolean', decisive);
  const operands = conditions.filter((condition) => !isConstant(condition, !decisive));
  if (operands.length === 0) return constant('Edm.Boolean', !decisive);
  if (operands.length === 1) return operands[0]!;
  return fold({ kind, operands, type: 'Edm.Boolean', nullable: operands.some(isNullable) }, operands);
}

const int64Max = 2 ** 63;

/** Expressions whose whole numbers are exact in every engine. Computed values are doubles. */
const exactKinds: ReadonlySet<BoundExpression['kind']> = new Set(['property', 'variable', 'count']);
export const isExactWhole = (node: BoundExpression): boolean => isWholeType(node.type) && exactKinds.has(node.kind);

/** Converts a number to a double, because engines compare exact numbers with doubles differently. */
export function asDouble(node: BoundExpression, type = node.type): BoundExpression {
  if (node.kind === 'constant' && typeof node.value === 'bigint') return constant(type, Number(node.value));
  if (!isExactWhole(node)) return node.type === type ? node : { ...node, type };
  return { kind: 'call', name: 'double', arguments: [node], type, nullable: node.nullable };
}

/**
 * Converts the number of `other operator number` to the type of `other`, because engines compare whole numbers with
 * doubles differently: `Age gt 2.5` becomes `Age gt 2`. Without such a number, returns the result of the comparison, or
 * null when it is true for all values but null.
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

/** Converts an item of `in` by the same rules. Returns undefined when it can equal nothing. */
export function fitListItem(other: BoundExpression, value: Exclude<Value, null>): Exclude<Value, null> | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  const fitted = fitNumber(other, 'eq', constant('Edm.Int64', value));
  return typeof fitted === 'boolean' || fitted === null ? undefined : (fitted.value ?? undefined);
}

const wholeValue = (whole: number): Value => (Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole));
