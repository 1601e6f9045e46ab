import type { ArithmeticOperator } from './ast.ts';
import type { BoundFunction, Value } from './bound-ast.ts';
import type { PrimitiveType } from './model.ts';
import type { SqlParameter } from './sql-mapping.ts';

/** The SQL dialects that `toSql` supports. */
export type SqlDialectName = 'sqlite' | 'postgres';

/** Adds a value and returns its mark in the SQL, which can be used several times. */
export type Bind = (
  value: Exclude<Value, null> | readonly Exclude<Value, null>[],
  type: PrimitiveType | 'null',
) => string;

/**
 * Writes SQL that uses its operands more than once. A subquery computes long operands once, because repeating them would
 * double the text at each level of nesting.
 */
export type Share = (operands: readonly string[], write: (...names: string[]) => string) => string;

/** The differences between the databases. All SQL gives the same results as `evaluate.ts`. */
export interface SqlDialect {
  readonly true: string;
  readonly false: string;
  /** Numbered placeholders can be repeated. `?` needs its value each time. */
  readonly numbered: boolean;
  placeholder(index: number, type: PrimitiveType | 'null'): string;
  parameter(value: Exclude<Value, null>): Exclude<SqlParameter, null | readonly unknown[]>;
  /** Writes an equality in which null equals null. */
  same(a: string, b: string): string;
  different(a: string, b: string): string;
  /** Writes text so that it is ordered by code point. */
  ordered(sql: string): string;
  memberOf(sql: string, values: readonly Exclude<Value, null>[], type: PrimitiveType | 'null', bind: Bind): string;
  order(sql: string, descending: boolean): string;
  double(sql: string): string;
  /** Suffix that prevents the planner from merging a subquery, which would compute its columns several times. */
  readonly fence: string;
  /**
   * Writes arithmetic on doubles. The result is null if the divisor is zero, if it is NaN, or if it is infinite and its
   * type has no infinity.
   */
  arithmetic(
    operator: ArithmeticOperator,
    a: string,
    b: string,
    type: { readonly whole: boolean; readonly infinite: boolean; readonly share: Share },
  ): string;
  call(name: BoundFunction, args: readonly string[], bind: Bind, share: Share): string;
  /** Writes a number clamped to 0 and `positionMax`. Null stays null. */
  position(sql: string, share: Share): string;
  /** Returns a constant pattern in the syntax of the engine. */
  pattern(source: string): string;
  /** Writes the first or last `length` characters of `text`. */
  edge(end: 'start' | 'end', text: string, length: string): string;
}

/** Longer than any text, and small enough to add positions in 32 bits. */
export const positionMax = 1_000_000_000;

/** Writes the functions that are the same in both dialects. Parts of canonical dates are at fixed positions. */
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

/** Writes a part of a time that starts at `start` of the text. */
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
