import { positionMax, type SqlDialect, sharedCall } from './sql-dialect.ts';
import { whiteSpace } from './text.ts';

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
