import type { BoundExpression, Value } from './bound-ast.ts';
import { isWholeType } from './model.ts';
import type { Bind, SqlDialect } from './sql-dialect.ts';
import type { SqlParameter, SqlText } from './sql-mapping.ts';

// No name in a mapping can hold U+0000, and no value ever stands in the SQL itself.
const mark = /\0(\d+);/g;

/** The values of one piece of SQL. They stand in it as marks until `finish` gives them placeholders in their order. */
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
}

/** What is computed of whole numbers is a double, which may be beyond 64 bits; a list may hold fractions besides. */
function parameterType(value: Parameters<Bind>[0], type: BoundExpression['type']): BoundExpression['type'] {
  if (!isWholeType(type)) return type;
  const fits = (one: Value) => typeof one !== 'number' || Number.isSafeInteger(one);
  return (Array.isArray(value) ? value.every(fits) : fits(value as Value)) ? type : 'Edm.Double';
}
