import type { ArithmeticOperator } from './ast.ts';
import type { BoundFunction, Value } from './bound-ast.ts';
import type { PrimitiveType } from './model.ts';
import { postgresPattern } from './pattern-sql.ts';
import type { SqlParameter } from './sql-mapping.ts';
import { whiteSpace } from './text.ts';

export type SqlDialectName = 'sqlite' | 'postgres';

/** Takes a value and gives what stands for it in the SQL, to be used once or several times. */
export type Bind = (
  value: Exclude<Value, null> | readonly Exclude<Value, null>[],
  type: PrimitiveType | 'null',
) => string;

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
  call(name: BoundFunction, args: readonly string[], bind: Bind): string;
  /** A number held between 0 and `positionMax`, null if it is null. */
  position(sql: string): string;
  /** A constant pattern as the engine's own. */
  pattern(source: string): string;
  /** The n characters that start `text`, or end it. */
  edge(end: 'start' | 'end', text: string, length: string): string;
}

/** Past any text, and small enough that positions can be added in 32 bits. */
export const positionMax = 1_000_000_000;

export const sqlite: SqlDialect = {
  true: '1',
  false: '0',
  numbered: false,
  placeholder: () => '?',
  parameter: (value) => (typeof value === 'boolean' ? Number(value) : value),
  same: (a, b) => `${a} IS ${b}`,
  different: (a, b) => `${a} IS NOT ${b}`,
  ordered: (sql) => sql,
  memberOf: (sql, values, type, bind) => `${sql} IN (${values.map((value) => bind(value, type)).join(', ')})`,
  order: (sql, descending) => (descending ? `${sql} DESC` : sql),
  double: (sql) => `CAST(${sql} AS REAL)`,
  call(name, [a = '', b = '', c], bind) {
    switch (name) {
      case 'contains':
        return `instr(${a}, ${b}) > 0`;
      case 'indexof':
        return `instr(${a}, ${b}) - 1`;
      case 'substring':
        return c === undefined ? `substr(${a}, ${b} + 1)` : `substr(${a}, ${b} + 1, ${c})`;
      case 'tolower':
        return `odata_lower(${a})`;
      case 'toupper':
        return `odata_upper(${a})`;
      case 'trim':
        return `trim(${a}, ${bind(whiteSpace, 'Edm.String')})`;
      case 'matchespattern':
        return `odata_matches(${a}, ${b})`;
      case 'round':
        return `round(${a})`;
      case 'text':
        return `CAST(${a} AS TEXT)`;
      default:
        return sharedCall(name, a, b);
    }
  },
  position: (sql) => `min(max(${sql}, 0), ${positionMax})`,
  pattern: (source) => source,
  edge: (end, text, length) => (end === 'start' ? `substr(${text}, 1, ${length})` : `substr(${text}, -(${length}))`),
};

const postgresTypes: Record<PrimitiveType | 'null', string> = {
  'Edm.String': 'text',
  'Edm.Boolean': 'boolean',
  'Edm.Int16': 'bigint',
  'Edm.Int32': 'bigint',
  'Edm.Int64': 'bigint',
  'Edm.Decimal': 'double precision',
  'Edm.Double': 'double precision',
  'Edm.Date': 'text',
  'Edm.DateTimeOffset': 'text',
  'Edm.TimeOfDay': 'text',
  'Edm.Duration': 'double precision',
  'Edm.Guid': 'text',
  null: 'text',
};

export const postgres: SqlDialect = {
  true: 'true',
  false: 'false',
  numbered: true,
  placeholder: (index, type) => `$${index}::${postgresTypes[type]}`,
  parameter: (value) => (typeof value === 'bigint' ? value.toString() : value),
  same: (a, b) => `${a} IS NOT DISTINCT FROM ${b}`,
  different: (a, b) => `${a} IS DISTINCT FROM ${b}`,
  ordered: (sql) => `${sql} COLLATE "C"`,
  memberOf: (sql, values, type, bind) => `${sql} = ANY(${bind(values, type)}[])`,
  order: (sql, descending) => `${sql} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`,
  double: (sql) => `(${sql})::double precision`,
  call(name, [a = '', b = '', c], bind) {
    switch (name) {
      case 'contains':
        return `strpos(${a}, ${b}) > 0`;
      case 'indexof':
        return `strpos(${a}, ${b}) - 1`;
      case 'substring':
        return c === undefined ? `substr(${a}, (${b})::int + 1)` : `substr(${a}, (${b})::int + 1, (${c})::int)`;
      case 'tolower':
        return `lower(${a} COLLATE "und-x-icu") COLLATE "C"`;
      case 'toupper':
        return `upper(${a} COLLATE "und-x-icu") COLLATE "C"`;
      case 'trim':
        return `btrim(${a}, ${bind(whiteSpace, 'Edm.String')})`;
      case 'matchespattern':
        return `${a} ~ ${b}`;
      case 'round':
        return `trunc(${a}::double precision + CASE WHEN ${a} < 0 THEN -0.5 ELSE 0.5 END)`;
      case 'text':
        return `${a}::text`;
      default:
        return sharedCall(name, a, b);
    }
  },
  // Not greatest and least, which pass over null.
  position: (sql) => `CASE WHEN ${sql} < 0 THEN 0 WHEN ${sql} > ${positionMax} THEN ${positionMax} ELSE ${sql} END`,
  pattern: postgresPattern,
  edge: (end, text, length) => `${end === 'start' ? 'left' : 'right'}(${text}, (${length})::int)`,
};

/** Functions that read the same in both. Dates are canonical text, so their parts stand at fixed places. */
function sharedCall(name: BoundFunction, a: string, b: string): string {
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

export const wholePart = (text: string, start: number, length: number): string =>
  `CAST(substr(${text}, ${start}, ${length}) AS integer)`;

/** In doubles, with null for a division by zero: PostgreSQL would fail, SQLite gives null by itself. */
export function arithmeticSql(operator: ArithmeticOperator, a: string, b: string, whole: boolean): string {
  const divisor = `nullif(${b}, 0)`;
  switch (operator) {
    case 'add':
      return `${a} + ${b}`;
    case 'sub':
      return `${a} - ${b}`;
    case 'mul':
      return `${a} * ${b}`;
    case 'div':
      return whole ? `trunc(${a} / ${divisor})` : `${a} / ${divisor}`;
    case 'divby':
      return `${a} / ${divisor}`;
    case 'mod':
      return `${a} - ${b} * trunc(${a} / ${divisor})`;
  }
}
