import type {
  BinaryExpression,
  ComparisonOperator,
  Expression,
  InExpression,
  Literal,
  PathExpression,
  PathSegment,
} from './ast.ts';
import { bindWithQuoteHint, mismatch, unsupported } from './bind-faults.ts';
import { bindLiteral, literalAs } from './bind-literal.ts';
import { bindPath } from './bind-path.ts';
import type { Binder } from './binder.ts';
import type { BoundConstant, BoundExpression, Value } from './bound-ast.ts';
import {
  asDouble,
  comparison,
  constant,
  fitListItem,
  fitNumber,
  fold,
  isConstant,
  isExactWhole,
} from './bound-expressions.ts';
import { categoryOf, type PrimitiveType } from './model.ts';

export function bindComparison(binder: Binder, node: BinaryExpression): BoundExpression {
  const operator = node.operator as ComparisonOperator;
  const [left, right] = unify(
    [bindComparand(binder, node.left, node.right), bindComparand(binder, node.right, node.left)],
    [node.left, node.right],
  ) as [BoundExpression, BoundExpression];
  const known = knownComparison(operator, left, right);
  if (known !== undefined) return constant('Edm.Boolean', known);
  if (left.kind === 'constant' && right.kind !== 'constant') return compare(flipped[operator], right, left);
  if (right.kind === 'constant' && left.kind !== 'constant') return compare(operator, left, right);
  if (left.kind === 'constant' || isExactWhole(left) === isExactWhole(right)) {
    return fold(comparison(operator, left, right), [left, right]);
  }
  return comparison(operator, asDouble(left), asDouble(right));
}

/** Binds an operand of a comparison. */
function bindComparand(binder: Binder, node: Expression, other: Expression): BoundExpression {
  return bindWithQuoteHint(
    () => binder.expression(node),
    node,
    () => isText(binder, other),
  );
}

/** Returns whether an expression is text that depends on the row. */
function isText(binder: Binder, node: Expression): boolean {
  try {
    const { type, kind } = binder.expression(node);
    return type === 'Edm.String' && kind !== 'constant';
  } catch {
    return false;
  }
}

const flipped: Record<ComparisonOperator, ComparisonOperator> = {
  ...{ eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' },
};

/** Compares with a constant on the right, so that SQL can use an index. */
function compare(operator: ComparisonOperator, left: BoundExpression, right: BoundConstant): BoundExpression {
  if (categoryOf(right.type) !== 'number') return comparison(operator, left, right);
  const fitted = fitNumber(left, operator, right);
  if (typeof fitted === 'boolean') return constant('Edm.Boolean', fitted);
  if (fitted !== null) return comparison(operator, left, fitted);
  return left.nullable ? comparison('ne', left, constant('null', null)) : constant('Edm.Boolean', true);
}

/** Returns the result of comparisons with null and NaN that do not depend on the row. SQL never contains them. */
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

/** Converts expressions to a common type. Throws at the first expression that cannot be converted. */
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
  if (node.collection?.kind === 'path' && node.collection.root !== 'alias')
    return bindInPath(binder, node, node.collection);
  const left = binder.expression(node.left);
  const items = node.list ?? literalsOf(binder, node.collection!);
  const values: Exclude<Value, null>[] = [];
  let hasNull = false;
  for (const item of items) {
    const [, unified] = unify([left, bindLiteral(item)], [node.left, item]);
    const { value } = unified as BoundConstant;
    if (value === null) hasNull = true;
    else if (!Number.isNaN(value)) {
      const fitted = left.kind === 'constant' ? value : fitListItem(left, value);
      if (fitted !== undefined) values.push(fitted);
    }
  }
  if (values.length === 0 && !(hasNull && left.nullable)) return constant('Edm.Boolean', false);
  return fold({ kind: 'in', left, values, hasNull, type: 'Edm.Boolean', nullable: false }, [left]);
}

/** Name of a range variable. It cannot conflict with a name of the query, because it contains spaces. */
const item = 'item of in';

/** Binds `Name in Emails` as `Emails/any(e:e eq Name)`. */
function bindInPath(binder: Binder, { left, offset, end }: InExpression, path: PathExpression): BoundExpression {
  const place = { offset: path.offset, end: path.end };
  const element: PathExpression = {
    ...{ kind: 'path', root: 'member', alias: undefined, ...place },
    segments: [{ kind: 'name', name: item, ...place }],
  };
  const predicate: BinaryExpression = { kind: 'binary', operator: 'eq', left: element, right: left, offset, end };
  const any: PathSegment = { kind: 'any', variable: item, predicate, ...place };
  return bindWithQuoteHint(
    () => bindPath(binder, { ...path, segments: [...path.segments, any] }),
    path,
    () => isText(binder, left),
  );
}

/** Returns the literals of a JSON array, of an alias for one, or a single literal. */
function literalsOf(binder: Binder, node: Expression): readonly Literal[] {
  if (node.kind === 'literal') return [node];
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'literal')) return node.items as Literal[];
  if (node.kind === 'path' && node.root === 'alias' && node.segments.length === 0) {
    return binder.withAlias(node.alias!, node.offset, (value) => literalsOf(binder, value));
  }
  return unsupported('in without a list of literals', node.offset);
}
