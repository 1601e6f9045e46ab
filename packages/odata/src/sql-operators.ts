import type { ComparisonOperator } from './ast.ts';
import type { BoundCall, BoundCompare, BoundConstant, BoundExpression, BoundIn } from './bound-ast.ts';
import { type Bind, clockPart, positionMax, type Share, type SqlDialect } from './sql-dialect.ts';
import { textLength } from './values.ts';

/** Writes the operands of comparisons and functions. */
export interface OperandWriter {
  readonly dialect: SqlDialect;
  readonly bind: Bind;
  readonly share: Share;
  /** Returns the SQL of a value. */
  value(node: BoundExpression): string;
  /** Returns `sql`, the value of the node, in a form that orders as the standard requires. */
  ordered(node: BoundExpression, sql: string): string;
}

const symbols: Record<ComparisonOperator, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

/**
 * Writes a comparison. If `exact`, the result is never null. Otherwise null can mean false, so that an index can be
 * used.
 */
export function compareSql(writer: OperandWriter, { operator, left, right }: BoundCompare, exact: boolean): string {
  if (isNullConstant(left) || isNullConstant(right)) return compareNull(writer, operator, left, right);
  const nullable = left.nullable || right.nullable;
  const both = left.nullable && right.nullable;
  const a = comparand(writer, operator, left);
  const b = comparand(writer, operator, right);
  if (operator === 'eq' && nullable && (exact || both)) return `(${writer.dialect.same(a, b)})`;
  if (operator === 'ne' && nullable) return `(${writer.dialect.different(a, b)})`;
  // ge and le mean "gt or eq", so they are true for two nulls.
  if (both && (operator === 'ge' || operator === 'le')) {
    return writer.share([a, b], (x, y) => `coalesce(${x} ${symbols[operator]} ${y}, ${x} IS NULL AND ${y} IS NULL)`);
  }
  const plain = `${a} ${symbols[operator]} ${b}`;
  return exact && nullable ? `coalesce(${plain}, ${writer.dialect.false})` : `(${plain})`;
}

/** Text is compared by code point. Equality needs no order. */
function comparand(writer: OperandWriter, operator: ComparisonOperator, node: BoundExpression): string {
  const sql = writer.value(node);
  return operator === 'eq' || operator === 'ne' ? sql : writer.ordered(node, sql);
}

/** ge and le with null are eq. gt and lt with null are constants (`bind-comparison.ts`). */
function compareNull(
  writer: OperandWriter,
  operator: ComparisonOperator,
  left: BoundExpression,
  right: BoundExpression,
): string {
  const other = isNullConstant(left) ? right : left;
  return `(${writer.value(other)} ${operator === 'ne' ? 'IS NOT NULL' : 'IS NULL'})`;
}

/** Writes `in`. See `compareSql` for `exact`. */
export function inSql(writer: OperandWriter, { left, values, hasNull }: BoundIn, exact: boolean): string {
  const sql = writer.value(left);
  if (values.length === 0) return `(${sql} IS NULL)`;
  const memberOf = (operand: string) => writer.dialect.memberOf(operand, values, left.type, writer.bind);
  if (hasNull) return writer.share([sql], (x) => `(${memberOf(x)} OR ${x} IS NULL)`);
  return exact && left.nullable ? `coalesce(${memberOf(sql)}, ${writer.dialect.false})` : `(${memberOf(sql)})`;
}

const isNullConstant = (node: BoundExpression): boolean => node.kind === 'constant' && node.value === null;

/** Writes a function call. */
export function callSql(writer: OperandWriter, node: BoundCall): string {
  const [first, second] = node.arguments as [BoundExpression, BoundExpression];
  switch (node.name) {
    case 'startswith':
    case 'endswith':
      return edge(writer, node.name === 'startswith' ? 'start' : 'end', first, second);
    case 'matchespattern':
      return matches(writer, node);
    case 'hour':
    case 'minute':
    case 'second':
    case 'fractionalseconds':
      return clockPart(writer.dialect, node.name, writer.value(first), first.type === 'Edm.TimeOfDay' ? 1 : 12);
    case 'double':
      return writer.dialect.double(writer.value(first));
  }
  const args = node.arguments.map((argument, i) =>
    node.name === 'substring' && i > 0 ? position(writer, argument) : writer.value(argument),
  );
  return writer.dialect.call(node.name, args, writer.bind, writer.share);
}

/** Writes a position or length. Binding has rejected negative constants. */
function position(writer: OperandWriter, node: BoundExpression): string {
  if (node.kind !== 'constant' || node.value === null) return writer.dialect.position(writer.value(node), writer.share);
  return writer.bind(Math.min(Number(node.value), positionMax), 'Edm.Int64');
}

function matches(writer: OperandWriter, { name, arguments: [text, pattern] }: BoundCall): string {
  const source = (pattern as BoundConstant).value as string;
  const sql = writer.value(text!);
  return writer.dialect.call(
    name,
    [sql, writer.bind(writer.dialect.pattern(source), 'Edm.String')],
    writer.bind,
    writer.share,
  );
}

function edge(writer: OperandWriter, end: 'start' | 'end', text: BoundExpression, part: BoundExpression): string {
  const a = writer.value(text);
  const b = writer.value(part);
  if (part.kind === 'constant' && typeof part.value === 'string') {
    // Every text starts and ends with the empty text. Null stays null.
    if (part.value === '') return writer.share([a], (x) => `${x} = ${x}`);
    return `${writer.dialect.edge(end, a, writer.bind(textLength(part.value), 'Edm.Int32'))} = ${b}`;
  }
  return writer.share([a, b], (x, y) => {
    const found = `${writer.dialect.edge(end, x, `length(${y})`)} = ${y}`;
    return end === 'start' ? found : `CASE WHEN ${y} = '' THEN ${x} = ${x} ELSE ${found} END`;
  });
}
