import type { ComparisonOperator } from './ast.ts';
import type { BoundConstant, BoundExpression, Value } from './bound-ast.ts';
import { compileExpression } from './evaluate.ts';
import type { PrimitiveType } from './model.ts';

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
