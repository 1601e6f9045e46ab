import type { BoundExpression, Value } from './bound-ast.ts';
import { isWholeType } from './model.ts';
import type { Bind, SqlDialect } from './sql-dialect.ts';
import type { SqlParameter, SqlText } from './sql-mapping.ts';

// Neither names of a mapping nor SQL contain U+0000.
const mark = /\0(\d+);/g;

/** The values of one piece of SQL. `finish` replaces their marks in the SQL by numbered placeholders. */
export class SqlValues {
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
