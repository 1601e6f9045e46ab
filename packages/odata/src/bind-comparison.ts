import type { BinaryExpression, ComparisonOperator, Expression, InExpression, Literal } from './ast.ts';
import { bindExpression, fold, isConstant } from './bind-expression.ts';
import { mismatch, unsupported } from './bind-faults.ts';
import { bindLiteral, constant, literalAs } from './bind-literal.ts';
import { type Binder, categoryOf } from './binder.ts';
import type { BoundConstant, BoundExpression, Value } from './bound-ast.ts';
import type { PrimitiveType } from './model.ts';

export function bindComparison(binder: Binder, node: BinaryExpression): BoundExpression {
  const operator = node.operator as ComparisonOperator;
  const [left, right] = unify(
    [bindExpression(binder, node.left), bindExpression(binder, node.right)],
    [node.left, node.right],
  ) as [BoundExpression, BoundExpression];
  const known = knownComparison(operator, left, right);
  if (known !== undefined) return constant('Edm.Boolean', known);
  return fold({ kind: 'compare', operator, left, right, type: 'Edm.Boolean', nullable: false }, [left, right]);
}

/** Comparisons with null and NaN that hold, or do not, whatever the row: SQL never sees them. */
function knownComparison(
  operator: ComparisonOperator,
  left: BoundExpression,
  right: BoundExpression,
): boolean | undefined {
  if (isConstant(left, Number.NaN) || isConstant(right, Number.NaN)) return operator === 'ne';
  if (!isConstant(left, null) && !isConstant(right, null)) return undefined;
  if (operator === 'gt' || operator === 'lt') return false;
  const other = isConstant(left, null) ? right : left;
  return other.nullable ? undefined : operator === 'ne';
}

/** Brings expressions to one type so that they can be compared, or says at which of them they differ. */
export function unify(bound: readonly BoundExpression[], nodes: readonly Expression[]): BoundExpression[] {
  const anchor = bound.find((node) => node.kind !== 'constant') ?? bound.find((node) => node.type !== 'null');
  if (anchor === undefined) return [...bound];
  const type = anchor.type as PrimitiveType;
  const category = categoryOf(type);
  return bound.map((expression, i) => {
    const own = categoryOf(expression.type);
    if (own === category || own === 'null' || category === 'null') return expression;
    const node = nodes[i]!;
    const converted = node.kind === 'literal' ? literalAs(node, type) : undefined;
    if (converted !== undefined) return converted;
    return mismatch(`Cannot compare ${type} with ${expression.type}${comparisonHint(type, node)}`, node.offset);
  });
}

function comparisonHint(type: PrimitiveType, node: Expression): string {
  if (node.kind !== 'literal') return '';
  const literal: Literal = node;
  if (type === 'Edm.String') return `: write '${literal.value}' in quotes`;
  if (literal.type !== 'Edm.String') return '';
  return type === 'Edm.Boolean' || literal.value === '' ? '' : `: write ${literal.value.slice(0, 40)} without quotes`;
}

export function bindIn(binder: Binder, node: InExpression): BoundExpression {
  const left = bindExpression(binder, node.left);
  const items = node.list ?? literalsOf(binder, node.collection!);
  const values: Exclude<Value, null>[] = [];
  let hasNull = false;
  for (const item of items) {
    const [, unified] = unify([left, bindLiteral(item)], [node.left, item]);
    const { value } = unified as BoundConstant;
    if (value === null) hasNull = true;
    else if (!Number.isNaN(value)) values.push(value);
  }
  if (values.length === 0 && !(hasNull && left.nullable)) return constant('Edm.Boolean', false);
  return fold({ kind: 'in', left, values, hasNull, type: 'Edm.Boolean', nullable: false }, [left]);
}

/** The right side of `in` when it is a JSON array or an alias for one. A single literal counts as a list of one. */
function literalsOf(binder: Binder, node: Expression): readonly Literal[] {
  if (node.kind === 'literal') return [node];
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'literal')) return node.items as Literal[];
  if (node.kind === 'path' && node.root === 'alias' && node.segments.length === 0) {
    return binder.withAlias(node.alias!, node.offset, (value) => literalsOf(binder, value));
  }
  return unsupported('in with anything but a list of literals', node.offset);
}
