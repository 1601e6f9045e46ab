import type { ComparisonOperator } from './ast.ts';
import type {
  BoundArithmetic,
  BoundCall,
  BoundCollection,
  BoundCompare,
  BoundExpression,
  BoundIn,
  BoundLambda,
  BoundOrder,
  Value,
} from './bound-ast.ts';
import { isWholeType } from './binder.ts';
import { arithmeticSql, type Bind, type SqlDialect, wholePart } from './sql-dialect.ts';
import { columnSql, type SqlCollection, type SqlColumn, type SqlMapping, type SqlParameter } from './sql-mapping.ts';
import { textLength } from './text.ts';

interface Row {
  readonly alias: string;
  readonly mapping: SqlMapping | SqlColumn;
}

const symbols: Record<ComparisonOperator, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

/** Writes one piece of SQL and gathers its parameters in the order of their placeholders. */
export class SqlWriter {
  readonly parameters: SqlParameter[] = [];
  readonly #dialect: SqlDialect;
  readonly #first: number;
  readonly #rows = new Map<number, Row>();
  readonly #bind: Bind;

  constructor(dialect: SqlDialect, mapping: SqlMapping, row: string, first: number) {
    this.#dialect = dialect;
    this.#first = first;
    this.#rows.set(0, { alias: row, mapping });
    this.#bind = (value, type) => {
      this.parameters.push(Array.isArray(value) ? value.map((one) => dialect.parameter(one) as never) : dialect.parameter(value));
      return dialect.placeholder(this.#first + this.parameters.length - 1, type);
    };
  }

  order({ expression, descending }: BoundOrder): string {
    const sql = this.#ordered(expression, this.value(expression));
    return this.#dialect.order(sql, descending);
  }

  /** Where null may stand for false: what WHERE, EXISTS and CASE WHEN ask for. Plain, so that indexes serve it. */
  condition(node: BoundExpression): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return this.#join(node.kind, node.operands.map((operand) => this.condition(operand)));
      case 'compare':
        return this.#compare(node, false);
      case 'in':
        return this.#in(node, false);
      case 'constant':
        return node.value === true ? this.#dialect.true : this.#dialect.false;
      default:
        return this.value(node);
    }
  }

  /** Exactly the value, three-valued where it is a condition. Bracketed so that it can be any operand. */
  value(node: BoundExpression): string {
    switch (node.kind) {
      case 'constant':
        return this.#constant(node.value, node.type);
      case 'property':
        return this.#property(node.variable, node.path);
      case 'variable':
        return this.#variable(node.variable);
      case 'and':
      case 'or':
        return this.#join(node.kind, node.operands.map((operand) => this.value(operand)));
      case 'not':
        return `(NOT ${this.value(node.operand)})`;
      case 'compare':
        return this.#compare(node, true);
      case 'in':
        return this.#in(node, true);
      case 'arithmetic':
        return this.#arithmetic(node);
      case 'negate':
        return `(-${this.value(node.operand)})`;
      case 'call':
        return `(${this.#call(node)})`;
      case 'case': {
        const branches = node.branches.map(
          ({ condition, value }) => `WHEN ${this.condition(condition)} THEN ${this.value(value)}`,
        );
        return `(CASE ${branches.join(' ')} END)`;
      }
      case 'any':
      case 'all':
        return this.#lambda(node);
      case 'count':
        return `(SELECT count(*) ${this.#from(node.collection)})`;
    }
  }

  #join(kind: 'and' | 'or', operands: readonly string[]): string {
    return `(${operands.join(kind === 'and' ? ' AND ' : ' OR ')})`;
  }

  #constant(value: Value, type: BoundExpression['type']): string {
    if (value === null) return 'NULL';
    if (typeof value === 'boolean') return value ? this.#dialect.true : this.#dialect.false;
    return this.#bind(value, type);
  }

  #property(variable: number, path: readonly string[]): string {
    const { alias, mapping } = this.#rows.get(variable)!;
    let columns = mapping;
    for (const name of path) columns = member(columns, name);
    if (typeof columns === 'object') throw new TypeError(`The SQL mapping of ${path.join('/')} is no column.`);
    return columnSql(columns, alias);
  }

  #variable(variable: number): string {
    const { alias, mapping } = this.#rows.get(variable)!;
    if (typeof mapping === 'object') throw new TypeError('The SQL mapping of a primitive element must be a column.');
    return columnSql(mapping, alias);
  }

  #compare({ operator, left, right }: BoundCompare, exact: boolean): string {
    if (isNullConstant(left) || isNullConstant(right)) return this.#compareNull(operator, left, right);
    if (isNaNConstant(left) || isNaNConstant(right)) {
      return operator === 'ne' ? this.#dialect.true : this.#dialect.false;
    }
    const nullable = left.nullable || right.nullable;
    const both = left.nullable && right.nullable;
    const a = this.#comparand(operator, left);
    const b = this.#comparand(operator, right);
    if (operator === 'eq' && nullable && (exact || both)) return `(${this.#dialect.same(a, b)})`;
    if (operator === 'ne' && nullable) return `(${this.#dialect.different(a, b)})`;
    const plain = `${a} ${symbols[operator]} ${b}`;
    // ge and le are "gt or eq": they hold between two nulls.
    const orBothNull = both && (operator === 'ge' || operator === 'le');
    if (orBothNull) return `coalesce(${plain}, ${a} IS NULL AND ${this.value(right)} IS NULL)`;
    return exact && nullable ? `coalesce(${plain}, ${this.#dialect.false})` : `(${plain})`;
  }

  /** Text is compared by code point; equality needs no order. */
  #comparand(operator: ComparisonOperator, node: BoundExpression): string {
    const sql = this.value(node);
    return operator === 'eq' || operator === 'ne' ? sql : this.#ordered(node, sql);
  }

  #ordered(node: BoundExpression, sql: string): string {
    return isText(node.type) ? this.#dialect.ordered(sql) : sql;
  }

  #compareNull(operator: ComparisonOperator, left: BoundExpression, right: BoundExpression): string {
    const other = isNullConstant(left) ? right : left;
    switch (operator) {
      case 'eq':
      case 'ge':
      case 'le':
        return `(${this.value(other)} IS NULL)`;
      case 'ne':
        return `(${this.value(other)} IS NOT NULL)`;
      default:
        return this.#dialect.false;
    }
  }

  #in({ left, values, hasNull }: BoundIn, exact: boolean): string {
    if (values.length === 0) return hasNull ? `(${this.value(left)} IS NULL)` : this.#dialect.false;
    const member = this.#dialect.memberOf(this.value(left), values, left.type, this.#bind);
    if (hasNull) return `(${member} OR ${this.value(left)} IS NULL)`;
    return exact && left.nullable ? `coalesce(${member}, ${this.#dialect.false})` : `(${member})`;
  }

  #arithmetic({ operator, left, right }: BoundArithmetic): string {
    const whole = isWholeType(left.type) && isWholeType(right.type);
    // mod names its operands twice, so they are written twice: each writing binds its own parameters.
    const a = this.#double(left);
    const b = this.#double(right);
    if (operator !== 'mod') return `(${arithmeticSql(operator, a, b, whole)})`;
    return `(${a} - ${b} * trunc(${this.#double(left)} / nullif(${this.#double(right)}, 0)))`;
  }

  #double(node: BoundExpression): string {
    return this.#dialect.double(this.value(node));
  }

  #call(node: BoundCall): string {
    const [first, second] = node.arguments as [BoundExpression, BoundExpression];
    switch (node.name) {
      case 'startswith':
      case 'endswith':
        return this.#edge(node.name === 'startswith' ? 'start' : 'end', first, second);
      case 'hour':
      case 'minute':
      case 'second':
      case 'fractionalseconds':
        return this.#clockPart(node.name, first);
      case 'round':
      case 'floor':
      case 'ceiling':
        if (isWholeType(first.type)) return this.value(first);
    }
    return this.#dialect.call(
      node.name,
      node.arguments.map((argument) => this.value(argument)),
      this.#bind,
    );
  }

  #edge(end: 'start' | 'end', text: BoundExpression, part: BoundExpression): string {
    const a = this.value(text);
    if (part.kind === 'constant' && typeof part.value === 'string') {
      // Every text starts and ends with the empty one; null stays null.
      if (part.value === '') return `${a} = ${this.value(text)}`;
      const length = this.#bind(textLength(part.value), 'Edm.Int32');
      return `${this.#dialect.edge(end, a, length)} = ${this.value(part)}`;
    }
    const length = `length(${this.value(part)})`;
    const edge = this.#dialect.edge(end, a, length);
    const found = `${edge} = ${this.value(part)}`;
    return end === 'start' ? found : `CASE WHEN ${this.value(part)} = '' THEN ${this.value(text)} IS NOT NULL ELSE ${found} END`;
  }

  #clockPart(name: 'hour' | 'minute' | 'second' | 'fractionalseconds', node: BoundExpression): string {
    const sql = this.value(node);
    const start = node.type === 'Edm.TimeOfDay' ? 1 : 12;
    switch (name) {
      case 'hour':
        return wholePart(sql, start, 2);
      case 'minute':
        return wholePart(sql, start + 3, 2);
      case 'second':
        return wholePart(sql, start + 6, 2);
      case 'fractionalseconds':
        return this.#dialect.double(`('0' || substr(${sql}, ${start + 8}))`);
    }
  }

  #lambda({ kind, collection, predicate }: BoundLambda): string {
    const from = this.#from(collection);
    if (predicate === undefined) return `EXISTS (SELECT 1 ${from})`;
    const test = this.condition(predicate);
    if (kind === 'any') return `EXISTS (SELECT 1 ${from} AND ${test})`;
    return `NOT EXISTS (SELECT 1 ${from} AND ${test} IS NOT TRUE)`;
  }

  /** FROM … WHERE … over the elements, with the predicate of a `/$filter(…)`. */
  #from({ variable, path, element, predicate }: BoundCollection): string {
    const parent = this.#rows.get(variable)!;
    const { from, where, element: mapping } = collectionAt(parent.mapping, path);
    const alias = `t${element}`;
    this.#rows.set(element, { alias, mapping });
    const tie = `FROM ${from(alias, parent.alias)} WHERE ${where(alias, parent.alias)}`;
    return predicate === undefined ? tie : `${tie} AND ${this.condition(predicate)}`;
  }
}

const isNullConstant = (node: BoundExpression): boolean => node.kind === 'constant' && node.value === null;
const isNaNConstant = (node: BoundExpression): boolean => node.kind === 'constant' && Number.isNaN(node.value);

const textTypes: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.Guid', 'Edm.Date', 'Edm.DateTimeOffset', 'Edm.TimeOfDay'],
]);
const isText = (type: string): boolean => textTypes.has(type);

function member(mapping: SqlMapping | SqlColumn, name: string): SqlMapping | SqlColumn {
  const found = typeof mapping === 'object' && Object.hasOwn(mapping.columns, name) ? mapping.columns[name] : undefined;
  if (found === undefined) throw new TypeError(`The SQL mapping has no column for ${name}.`);
  return found;
}

function collectionAt(mapping: SqlMapping | SqlColumn, path: readonly string[]): SqlCollection {
  let holder = mapping;
  for (const name of path.slice(0, -1)) holder = member(holder, name);
  const name = path.at(-1)!;
  const { collections } = holder as SqlMapping;
  const found = collections !== undefined && Object.hasOwn(collections, name) ? collections[name] : undefined;
  if (found === undefined) throw new TypeError(`The SQL mapping has no collection for ${name}.`);
  return found;
}
