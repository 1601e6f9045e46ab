import type { ComparisonOperator } from './ast.ts';
import { isWholeType } from './binder.ts';
import type {
  BoundArithmetic,
  BoundCall,
  BoundCollection,
  BoundCompare,
  BoundConstant,
  BoundExpression,
  BoundIn,
  BoundLambda,
  BoundOrder,
  Value,
} from './bound-ast.ts';
import { arithmeticSql, type Bind, clockPart, positionMax, type Share, type SqlDialect } from './sql-dialect.ts';
import {
  collectionAt,
  columnOf,
  columnSql,
  type SqlColumn,
  type SqlMapping,
  type SqlParameter,
  type SqlText,
} from './sql-mapping.ts';
import { textLength } from './text.ts';

interface Row {
  readonly alias: string;
  readonly mapping: SqlMapping | SqlColumn;
}

// No name in a mapping can hold U+0000, and no value ever stands in the SQL itself.
const mark = /\0(\d+);/g;
/** Operands of this many characters may be repeated. */
const repeatedLengthMax = 100;
const symbols: Record<ComparisonOperator, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };

/** Writes one piece of SQL. Values stand in it as marks until `finish` gives them placeholders in their order. */
export class SqlWriter {
  readonly #dialect: SqlDialect;
  readonly #rows = new Map<number, Row>();
  readonly #values: { readonly parameter: SqlParameter; readonly type: BoundExpression['type'] }[] = [];
  readonly #bind: Bind;

  constructor(dialect: SqlDialect, mapping: SqlMapping, row: string) {
    this.#dialect = dialect;
    this.#rows.set(0, { alias: row, mapping });
    this.#bind = (value, type) => {
      const parameter = Array.isArray(value)
        ? value.map((one) => dialect.parameter(one))
        : dialect.parameter(value as Exclude<Value, null>);
      return `\0${this.#values.push({ parameter, type }) - 1};`;
    };
  }

  readonly #share: Share = (operands, write) => {
    if (operands.every(({ length }) => length <= repeatedLengthMax)) return write(...operands);
    const names = operands.map((_, i) => `operand${i}`);
    const columns = operands.map((operand, i) => `${operand} AS ${names[i]}`);
    return `(SELECT ${write(...names.map((name) => `v.${name}`))} FROM (SELECT ${columns.join(', ')}) AS v)`;
  };

  /** The SQL with placeholders, the first of them numbered `first`. */
  finish(sql: string, first: number): SqlText {
    const parameters: SqlParameter[] = [];
    const numbers = new Map<string, number>();
    const text = sql.replace(mark, (_, id: string) => {
      const { parameter, type } = this.#values[Number(id)]!;
      let number = this.#dialect.numbered ? numbers.get(id) : undefined;
      if (number === undefined) {
        number = first + parameters.push(parameter) - 1;
        numbers.set(id, number);
      }
      return this.#dialect.placeholder(number, type);
    });
    return { text, parameters };
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
        return this.#join(
          node.kind,
          node.operands.map((operand) => this.condition(operand)),
        );
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
        return this.#join(
          node.kind,
          node.operands.map((operand) => this.value(operand)),
        );
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
    for (const name of path) columns = columnOf(columns, name);
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
    const nullable = left.nullable || right.nullable;
    const both = left.nullable && right.nullable;
    const a = this.#comparand(operator, left);
    const b = this.#comparand(operator, right);
    if (operator === 'eq' && nullable && (exact || both)) return `(${this.#dialect.same(a, b)})`;
    if (operator === 'ne' && nullable) return `(${this.#dialect.different(a, b)})`;
    // ge and le are "gt or eq": they hold between two nulls.
    if (both && (operator === 'ge' || operator === 'le')) {
      return this.#share([a, b], (x, y) => `coalesce(${x} ${symbols[operator]} ${y}, ${x} IS NULL AND ${y} IS NULL)`);
    }
    const plain = `${a} ${symbols[operator]} ${b}`;
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

  /** gt and lt with null are constants (`bind-expression.ts`); ge and le come down to eq. */
  #compareNull(operator: ComparisonOperator, left: BoundExpression, right: BoundExpression): string {
    const other = isNullConstant(left) ? right : left;
    return `(${this.value(other)} ${operator === 'ne' ? 'IS NOT NULL' : 'IS NULL'})`;
  }

  #in({ left, values, hasNull }: BoundIn, exact: boolean): string {
    const sql = this.value(left);
    if (values.length === 0) return `(${sql} IS NULL)`;
    const memberOf = (operand: string) =>
      this.#dialect.memberOf(operand, values, listType(left.type, values), this.#bind);
    if (hasNull) return this.#share([sql], (x) => `(${memberOf(x)} OR ${x} IS NULL)`);

    return exact && left.nullable ? `coalesce(${memberOf(sql)}, ${this.#dialect.false})` : `(${memberOf(sql)})`;
  }

  #arithmetic({ operator, left, right }: BoundArithmetic): string {
    const whole = isWholeType(left.type) && isWholeType(right.type);
    return `(${arithmeticSql(operator, this.#double(left), this.#double(right), whole, this.#share)})`;
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
      case 'matchespattern':
        return this.#matches(node);
      case 'hour':
      case 'minute':
      case 'second':
      case 'fractionalseconds':
        return clockPart(this.#dialect, node.name, this.value(first), first.type === 'Edm.TimeOfDay' ? 1 : 12);
      case 'round':
      case 'floor':
      case 'ceiling':
        if (isWholeType(first.type)) return this.value(first);
    }
    const args = node.arguments.map((argument, i) =>
      node.name === 'substring' && i > 0 ? this.#position(argument) : this.value(argument),
    );
    return this.#dialect.call(node.name, args, this.#bind, this.#share);
  }

  /** Binding lets no constant below zero through. */
  #position(node: BoundExpression): string {
    if (node.kind !== 'constant' || node.value === null) return this.#dialect.position(this.value(node), this.#share);
    return this.#bind(Math.min(Number(node.value), positionMax), 'Edm.Int64');
  }

  #matches({ name, arguments: [text, pattern] }: BoundCall): string {
    const source = (pattern as BoundConstant).value;
    if (source === null) return 'NULL';
    const sql = this.value(text!);
    return this.#dialect.call(
      name,
      [sql, this.#bind(this.#dialect.pattern(source as string), 'Edm.String')],
      this.#bind,
      this.#share,
    );
  }

  #edge(end: 'start' | 'end', text: BoundExpression, part: BoundExpression): string {
    const a = this.value(text);
    const b = this.value(part);
    if (part.kind === 'constant' && typeof part.value === 'string') {
      // Every text starts and ends with the empty one; null stays null.
      if (part.value === '') return this.#share([a], (x) => `${x} = ${x}`);
      return `${this.#dialect.edge(end, a, this.#bind(textLength(part.value), 'Edm.Int32'))} = ${b}`;
    }
    return this.#share([a, b], (x, y) => {
      const found = `${this.#dialect.edge(end, x, `length(${y})`)} = ${y}`;
      return end === 'start' ? found : `CASE WHEN ${y} = '' THEN ${x} = ${x} ELSE ${found} END`;
    });
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
    const alias = `${this.#rows.get(0)!.alias}_${element}`;
    this.#rows.set(element, { alias, mapping });
    const tie = `FROM ${from(alias, parent.alias)} WHERE (${where(alias, parent.alias)})`;
    return predicate === undefined ? tie : `${tie} AND ${this.condition(predicate)}`;
  }
}

/** A list may hold fractions to compare whole numbers with. */
function listType(type: BoundExpression['type'], values: BoundIn['values']): BoundExpression['type'] {
  if (!isWholeType(type)) return type;
  const whole = values.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value));
  return whole ? type : 'Edm.Double';
}

const isNullConstant = (node: BoundExpression): boolean => node.kind === 'constant' && node.value === null;

const textTypes: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.Guid', 'Edm.Date', 'Edm.DateTimeOffset', 'Edm.TimeOfDay'],
]);
const isText = (type: string): boolean => textTypes.has(type);
