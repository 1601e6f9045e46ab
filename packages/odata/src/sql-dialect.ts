import type { ArithmeticOperator } from './ast.ts';
import type { BoundFunction, Value } from './bound-ast.ts';
import type { PrimitiveType } from './model.ts';
import type { SqlParameter } from './sql-mapping.ts';

/** The databases that `toSql` writes for. */
export type SqlDialectName = 'sqlite' | 'postgres';

/** Takes a value and gives what stands for it in the SQL, to be used once or several times. */
export type Bind = (
  value: Exclude<Value, null> | readonly Exclude<Value, null>[],
  type: PrimitiveType | 'null',
) => string;

/**
 * Writes SQL that names its operands more than once. Long ones are computed once, in a subquery: were they repeated,
 * nesting would double the text at each level.
 */
export type Share = (operands: readonly string[], write: (...names: string[]) => string) => string;

/** Where the two databases differ. All SQL here keeps to what gives the same answer as `evaluate.ts`. */
export interface SqlDialect {
  readonly true: string;
  readonly false: string;
  /** Numbered placeholders can stand several times; `?` needs its value each time. */
  readonly numbered: boolean;
  placeholder(index: number, type: PrimitiveType | 'null'): string;
  parameter(value: Exclude<Value, null>): Exclude<SqlParameter, null | readonly unknown[]>;
  /** Equality in which null equals null. */
  same(a: string, b: string): string;
  different(a: string, b: string): string;
  /** Text as it must stand to be ordered by code point. */
  ordered(sql: string): string;
  memberOf(sql: string, values: readonly Exclude<Value, null>[], type: PrimitiveType | 'null', bind: Bind): string;
  order(sql: string, descending: boolean): string;
  double(sql: string): string;
  /** What keeps a subquery from being merged into the query around it, which would compute its columns several times. */
  readonly fence: string;
  /**
   * Operands are doubles. Null where the divisor is zero or the result is no number, and where it is infinite and the
   * type of the result has no infinity.
   */
  arithmetic(
    operator: ArithmeticOperator,
    a: string,
    b: string,
    type: { readonly whole: boolean; readonly infinite: boolean; readonly share: Share },
  ): string;
  call(name: BoundFunction, args: readonly string[], bind: Bind, share: Share): string;
  /** A number held between 0 and `positionMax`, null if it is null. */
  position(sql: string, share: Share): string;
  /** A constant pattern as the engine's own. */
  pattern(source: string): string;
  /** The n characters that start `text`, or end it. */
  edge(end: 'start' | 'end', text: string, length: string): string;
}

/** Past any text, and small enough that positions can be added in 32 bits. */
export const positionMax = 1_000_000_000;

/** Functions that read the same in both. Dates are canonical text, so their parts stand at fixed places. */
export function sharedCall(name: BoundFunction, a: string, b: string): string {
  switch (name) {
    case 'concat':
      return `${a} || ${b}`;
    case 'length':
      return `length(${a})`;
    case 'floor':
      return `floor(${a})`;
    case 'ceiling':
      return `ceil(${a})`;
    case 'year':
      return wholePart(a, 1, 4);
    case 'month':
      return wholePart(a, 6, 2);
    case 'day':
      return wholePart(a, 9, 2);
    case 'date':
      return `substr(${a}, 1, 10)`;
    case 'time':
      return `substr(${a}, 12)`;
    case 'totalseconds':
      return a;
    default:
      throw new TypeError(`No SQL for the function ${name}.`);
  }
}

const wholePart = (text: string, start: number, length: number): string =>
  `CAST(substr(${text}, ${start}, ${length}) AS integer)`;

/** A part of the clock, which stands at `start` of the text. */
export function clockPart(
  dialect: SqlDialect,
  name: 'hour' | 'minute' | 'second' | 'fractionalseconds',
  sql: string,
  start: number,
): string {
  switch (name) {
    case 'hour':
      return wholePart(sql, start, 2);
    case 'minute':
      return wholePart(sql, start + 3, 2);
    case 'second':
      return wholePart(sql, start + 6, 2);
    case 'fractionalseconds':
      return dialect.double(`('0' || substr(${sql}, ${start + 8}))`);
  }
}
