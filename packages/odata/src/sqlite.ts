import type { ArithmeticOperator } from './ast.ts';
import { compilePattern } from './pattern.ts';
import { positionMax, type Share, type SqlDialect, sharedCall } from './sql-dialect.ts';
import { whiteSpace } from './values.ts';

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
  fence: '',
  arithmetic(operator, a, b, { whole, infinite, share }) {
    const result = arithmetic(operator, a, b, whole, share);
    // SQLite turns NaN into null. 9e999 is infinity.
    return infinite && operator !== 'mod' ? result : `nullif(nullif(${result}, 9e999), -9e999)`;
  },
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

function arithmetic(operator: ArithmeticOperator, a: string, b: string, whole: boolean, share: Share): string {
  switch (operator) {
    case 'add':
      return `${a} + ${b}`;
    case 'sub':
      return `${a} - ${b}`;
    case 'mul':
      return `${a} * ${b}`;
    case 'div':
      return whole ? `trunc(${a} / nullif(${b}, 0))` : `${a} / nullif(${b}, 0)`;
    case 'divby':
      return `${a} / nullif(${b}, 0)`;
    case 'mod':
      return share([a, b], (x, y) => `${x} - ${y} * trunc(${x} / nullif(${y}, 0))`);
  }
}

/** A function for `db.function(name, { deterministic }, run)` of node:sqlite and similar drivers. */
export interface SqliteFunction {
  readonly name: string;
  readonly deterministic: true;
  readonly run: (...values: never[]) => string | number | null;
}

/**
 * Functions in the SQL of `toSql(…, 'sqlite', …)`, because SQLite's own support ASCII only. Register them on every
 * connection: `for (const f of sqliteFunctions) db.function(f.name, { deterministic: true }, f.run)`.
 */
export const sqliteFunctions: readonly SqliteFunction[] = [
  { name: 'odata_lower', deterministic: true, run: (text: string | null) => text?.toLowerCase() ?? null },
  { name: 'odata_upper', deterministic: true, run: (text: string | null) => text?.toUpperCase() ?? null },
  { name: 'odata_matches', deterministic: true, run: matches },
];

let last: { pattern: string; test: (text: string) => boolean } | undefined;

function matches(text: string | null, pattern: string | null): number | null {
  if (text === null || pattern === null) return null;
  if (last?.pattern !== pattern) last = { pattern, test: compilePattern(pattern) };
  return Number(last.test(text));
}
