import type { ArithmeticOperator, BinaryExpression } from './ast.ts';
import { mismatch, outOfRange, unsupported } from './bind-faults.ts';
import { literalAs } from './bind-literal.ts';
import type { Binder } from './binder.ts';
import type { BoundExpression } from './bound-ast.ts';
import { fold, isConstant } from './bound-expressions.ts';
import { categoryOf, isWholeType, type PrimitiveType } from './model.ts';

export function bindArithmetic(binder: Binder, node: BinaryExpression): BoundExpression {
  const operator = node.operator as ArithmeticOperator;
  const left = binder.expression(node.left);
  let right = binder.expression(node.right);
  const [a, b] = [categoryOf(left.type), categoryOf(right.type)];
  if (a === 'moment' || a === 'date') {
    if (b === 'string' && node.right.kind === 'literal') right = literalAs(node.right, 'Edm.Duration') ?? right;
    const result = momentResult(node, left, right);
    const bound = fold({ kind: 'arithmetic', operator, left, right, type: result, nullable: true }, [left, right]);
    return bound.kind === 'constant'
      ? inRange(bound, node, [left, right])
      : unsupported('Moving a stored date', node.offset);
  }
  const durations = a === 'duration' || b === 'duration';
  if (durations ? !durationFits(operator, a, b) : !isNumber(a) || !isNumber(b)) {
    const wrong = isNumber(a) || a === 'duration' ? node.right : node.left;
    mismatch(`${operator} does not take ${left.type} and ${right.type}`, wrong.offset);
  }
  const type = durations ? 'Edm.Duration' : numericResult(operator, left.type, right.type);
  // Operations on infinity can give NaN, which databases treat differently.
  for (const [operand, { offset }] of [
    [left, node.left],
    [right, node.right],
  ] as const) {
    if (operand.kind === 'constant' && !Number.isFinite(Number(operand.value))) {
      outOfRange(`${operator} takes finite numbers`, offset);
    }
  }
  // The standard rejects a division by a literal zero.
  if ((operator === 'div' || operator === 'mod') && right.kind === 'constant' && right.value === 0) {
    outOfRange(`${operator} by zero`, node.right.offset);
  }
  const bound = fold({ kind: 'arithmetic', operator, left, right, type, nullable: true }, [left, right]);
  return inRange(bound, node, [left, right]);
}

/** Rejects a constant result that overflows to null. */
function inRange(
  bound: BoundExpression,
  { operator, offset }: BinaryExpression,
  operands: readonly BoundExpression[],
): BoundExpression {
  const isLost = isConstant(bound, null) && !operands.some((operand) => isConstant(operand, null));
  return isLost ? outOfRange(`The result of ${operator} is out of range`, offset) : bound;
}

const isNumber = (category: string): boolean => category === 'number' || category === 'null';

function durationFits(operator: string, a: string, b: string): boolean {
  if (operator === 'add' || operator === 'sub') return a === 'duration' && b === 'duration';
  if (operator === 'mul') return a !== b && (a === 'number' || b === 'number');
  return (operator === 'div' || operator === 'divby') && a === 'duration' && b === 'number';
}

function momentResult(node: BinaryExpression, left: BoundExpression, right: BoundExpression): PrimitiveType {
  const other = categoryOf(right.type);
  if ((node.operator === 'add' || node.operator === 'sub') && (other === 'duration' || other === 'null')) {
    return left.type as PrimitiveType;
  }
  if (node.operator === 'sub' && right.type === left.type) return 'Edm.Duration';
  return mismatch(`${node.operator} does not take ${left.type} and ${right.type}`, node.right.offset);
}

export function numericResult(operator: string, left: string, right: string): PrimitiveType {
  if (operator === 'divby') return 'Edm.Decimal';
  if (isWholeType(left) && isWholeType(right)) return 'Edm.Int64';
  return left === 'Edm.Double' || right === 'Edm.Double' ? 'Edm.Double' : 'Edm.Decimal';
}
