import type { ComparisonOperator } from './ast.ts';
import type { BoundCompare, BoundExpression, BoundIn } from './bound-ast.ts';
import type { SqlWriter } from './sql-writer.ts';

const symbols: Record<ComparisonOperator, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

/** `exact`: false, never null, where nothing is equal; otherwise null may stand for false, so that an index serves it. */
export function compareSql(writer: SqlWriter, { operator, left, right }: BoundCompare, exact: boolean): string {
  if (isNullConstant(left) || isNullConstant(right)) return compareNull(writer, operator, left, right);
  const nullable = left.nullable || right.nullable;
  const both = left.nullable && right.nullable;
  const a = comparand(writer, operator, left);
  const b = comparand(writer, operator, right);
  if (operator === 'eq' && nullable && (exact || both)) return `(${writer.dialect.same(a, b)})`;
  if (operator === 'ne' && nullable) return `(${writer.dialect.different(a, b)})`;
  // ge and le are "gt or eq": they hold between two nulls.
  if (both && (operator === 'ge' || operator === 'le')) {
    return writer.share([a, b], (x, y) => `coalesce(${x} ${symbols[operator]} ${y}, ${x} IS NULL AND ${y} IS NULL)`);
  }
  const plain = `${a} ${symbols[operator]} ${b}`;
  return exact && nullable ? `coalesce(${plain}, ${writer.dialect.false})` : `(${plain})`;
}

/** Text is compared by code point; equality needs no order. */
function comparand(writer: SqlWriter, operator: ComparisonOperator, node: BoundExpression): string {
  const sql = writer.value(node);
  return operator === 'eq' || operator === 'ne' ? sql : writer.ordered(node, sql);
}

/** gt and lt with null are constants (`bind-expression.ts`); ge and le come down to eq. */
function compareNull(
  writer: SqlWriter,
  operator: ComparisonOperator,
  left: BoundExpression,
  right: BoundExpression,
): string {
  const other = isNullConstant(left) ? right : left;
  return `(${writer.value(other)} ${operator === 'ne' ? 'IS NOT NULL' : 'IS NULL'})`;
}

/** `exact` as for `compareSql`. */
export function inSql(writer: SqlWriter, { left, values, hasNull }: BoundIn, exact: boolean): string {
  const sql = writer.value(left);
  if (values.length === 0) return `(${sql} IS NULL)`;
  const memberOf = (operand: string) => writer.dialect.memberOf(operand, values, left.type, writer.bind);
  if (hasNull) return writer.share([sql], (x) => `(${memberOf(x)} OR ${x} IS NULL)`);
  return exact && left.nullable ? `coalesce(${memberOf(sql)}, ${writer.dialect.false})` : `(${memberOf(sql)})`;
}

const isNullConstant = (node: BoundExpression): boolean => node.kind === 'constant' && node.value === null;
