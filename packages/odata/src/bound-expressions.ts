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

/** Null for every row, where SQL would not know the type of the expression. */
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

/** The node itself, or its value where all it rests on are constants. */
export function fold(node: BoundExpression, operands: readonly BoundExpression[]): BoundExpression {
  for (const operand of operands) if (operand.kind !== 'constant') return node;
  return constant(node.type, compileExpression(node)([]));
}

/** Constants decide a chain or drop out of it. */
export function joinConditions(kind: 'and' | 'or', conditions: readonly BoundExpression[]): BoundExpression {
  const decisive = kind === 'or';
  if (conditions.some((condition) => isConstant(condition, decisive))) return constant('Edm.Boolean', decisive);
  const operands = conditions.filter((condition) => !isConstant(condition, !decisive));
  if (operands.length === 0) return constant('Edm.Boolean', !decisive);
  if (operands.length === 1) return operands[0]!;
  return fold({ kind, operands, type: 'Edm.Boolean', nullable: operands.some(isNullable) }, operands);
}
