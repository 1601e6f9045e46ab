import type { BoundArithmetic, BoundCollection, BoundExpression, BoundLambda, BoundOrder, Value } from './bound-ast.ts';
import { hasInfinity, isWholeType } from './model.ts';
import type { Bind, Share, SqlDialect } from './sql-dialect.ts';
import {
  collectionAt,
  columnOf,
  columnSql,
  type SqlColumn,
  type SqlMapping,
  type SqlParameter,
  type SqlText,
} from './sql-mapping.ts';
import { callSql, compareSql, inSql, type OperandWriter } from './sql-operators.ts';

interface Row {
  readonly alias: string;
  readonly mapping: SqlMapping | SqlColumn;
}

/** Maximum length of an operand that is repeated instead of shared. */
const repeatedLengthMax = 100;

/** Writes bound expressions as SQL. */
export class SqlWriter implements OperandWriter {
  readonly dialect: SqlDialect;
  readonly #values: SqlValues;
  readonly #rows = new Map<number, Row>();
  #shares = 0;

  constructor(dialect: SqlDialect, mapping: SqlMapping, row: string) {
    this.dialect = dialect;
    this.#values = new SqlValues(dialect);
    this.#rows.set(0, { alias: row, mapping });
  }

  readonly bind: Bind = (value, type) => this.#values.bind(value, type);

  readonly share: Share = (operands, write) => {
    if (operands.every(({ length }) => length <= repeatedLengthMax)) return write(...operands);
    // Shared operands can be nested, so each subquery has a name of its own.
    const row = `v${++this.#shares}`;
    const names = operands.map((_, i) => `operand${i}`);
    const columns = operands.map((operand, i) => `${operand} AS ${names[i]}`);
    return `(SELECT ${write(...names.map((name) => `${row}.${name}`))} FROM (SELECT ${columns.join(', ')}${this.dialect.fence}) AS ${row})`;
  };

  /** Returns the SQL with placeholders, numbered from `first`. */
  finish(sql: string, first: number): SqlText {
    return this.#values.finish(sql, first);
  }

  order({ expression, descending }: BoundOrder): string {
    const sql = this.ordered(expression, this.value(expression));
    return this.dialect.order(sql, descending);
  }

  /**
   * Writes a condition for WHERE, EXISTS and CASE WHEN, where null means false. It is simple, so that indexes can be
   * used.
   */
  condition(node: BoundExpression): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return this.#join(
          node.kind,
          node.operands.map((operand) => this.condition(operand)),
        );
      case 'compare':
        return compareSql(this, node, false);
      case 'in':
        return inSql(this, node, false);
      case 'constant':
        return node.value === true ? this.dialect.true : this.dialect.false;
      default:
        return this.value(node);
    }
  }

  /** Writes a value, or a condition with three-valued logic, in parentheses. */
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
        return compareSql(this, node, true);
      case 'in':
        return inSql(this, node, true);
      case 'arithmetic':
        return this.#arithmetic(node);
      case 'negate':
        return `(-${this.#double(node.operand)})`;
      case 'call':
        return `(${callSql(this, node)})`;
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
    if (typeof value === 'boolean') return value ? this.dialect.true : this.dialect.false;
    return this.bind(value, type);
  }

  #property(variable: number, path: readonly string[]): string {
    const { alias, mapping } = this.#rows.get(variable)!;
    let columns = mapping;
    for (const name of path) columns = columnOf(columns, name);
    if (typeof columns === 'object') throw new TypeError(`The SQL mapping of ${path.join('/')} is not a column.`);
    return columnSql(columns, alias);
  }

  #variable(variable: number): string {
    const { alias, mapping } = this.#rows.get(variable)!;
    if (typeof mapping === 'object') throw new TypeError('The SQL mapping of a primitive element must be a column.');
    return columnSql(mapping, alias);
  }

  ordered(node: BoundExpression, sql: string): string {
    return isText(node.type) ? this.dialect.ordered(sql) : sql;
  }

  #arithmetic({ operator, left, right, type }: BoundArithmetic): string {
    const whole = isWholeType(left.type) && isWholeType(right.type);
    const settings = { whole, infinite: hasInfinity(type), share: this.share };
    return `(${this.dialect.arithmetic(operator, this.#double(left), this.#double(right), settings)})`;
  }

  #double(node: BoundExpression): string {
    return this.dialect.double(this.value(node));
  }

  #lambda({ kind, collection, predicate }: BoundLambda): string {
    const from = this.#from(collection);
    if (predicate === undefined) return `EXISTS (SELECT 1 ${from})`;
    const test = this.condition(predicate);
    if (kind === 'any') return `EXISTS (SELECT 1 ${from} AND ${test})`;
    return `(NOT EXISTS (SELECT 1 ${from} AND ${test} IS NOT TRUE))`;
  }

  /** Writes FROM … WHERE … over the elements, with the predicate of a `/$filter(…)`. */
  #from({ variable, path, element, predicate }: BoundCollection): string {
    const parent = this.#rows.get(variable)!;
    const { from, where, element: mapping } = collectionAt(parent.mapping, path);
    const alias = `${this.#rows.get(0)!.alias}_${element}`;
    this.#rows.set(element, { alias, mapping });
    const tie = `FROM ${from(alias, parent.alias)} WHERE (${where(alias, parent.alias)})`;
    return predicate === undefined ? tie : `${tie} AND ${this.condition(predicate)}`;
  }
}

const textTypes: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.Guid', 'Edm.Date', 'Edm.DateTimeOffset', 'Edm.TimeOfDay'],
]);
const isText = (type: string): boolean => textTypes.has(type);

// Neither names of a mapping nor SQL contain U+0000.
const mark = /\0(\d+);/g;

/** The values of one piece of SQL. `finish` replaces their marks in the SQL by numbered placeholders. */
class SqlValues {
  readonly #dialect: SqlDialect;
  readonly #values: { readonly parameter: SqlParameter; readonly type: BoundExpression['type'] }[] = [];

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  readonly bind: Bind = (value, type) => {
    const parameter = Array.isArray(value)
      ? value.map((one) => this.#dialect.parameter(one))
      : this.#dialect.parameter(value as Exclude<Value, null>);
    return `\0${this.#values.push({ parameter, type: parameterType(value, type) }) - 1};`;
  };

  /** Returns the SQL with placeholders, numbered from `first`. */
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
}

/** Returns the type of a parameter. Computed whole numbers and lists with fractions are doubles. */
function parameterType(value: Parameters<Bind>[0], type: BoundExpression['type']): BoundExpression['type'] {
  if (!isWholeType(type)) return type;
  const fits = (one: Value) => typeof one !== 'number' || Number.isSafeInteger(one);
  return (Array.isArray(value) ? value.every(fits) : fits(value as Value)) ? type : 'Edm.Double';
}
