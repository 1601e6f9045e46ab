import type { PrimitiveType } from './model.ts';
import { type CharacterSet, type Pattern, parsePattern } from './pattern-tree.ts';
import { postgresArithmetic } from './postgres-arithmetic.ts';
import { positionMax, type SqlDialect, sharedCall } from './sql-dialect.ts';
import { whiteSpace } from './values.ts';

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
  fence: ' OFFSET 0',
  arithmetic: postgresArithmetic,
  call(name, [a = '', b = '', c], bind, share) {
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
        // From 2^52 on, every double is whole, and adding a half would change it.
        return share(
          [`(${a})::double precision`],
          (x) =>
            `CASE WHEN abs(${x}) >= 4503599627370496 THEN ${x} WHEN ${x} < 0 THEN trunc(${x} - 0.5) ELSE trunc(${x} + 0.5) END`,
        );
      case 'text':
        return `${a}::text`;
      default:
        return sharedCall(name, a, b);
    }
  },
  // greatest and least would ignore null.
  position: (sql, share) =>
    share([sql], (x) => `CASE WHEN ${x} < 0 THEN 0 WHEN ${x} > ${positionMax} THEN ${positionMax} ELSE ${x} END`),
  pattern: postgresPattern,
  edge: (end, text, length) => `${end === 'start' ? 'left' : 'right'}(${text}, (${length})::int)`,
};

/**
 * Writes a pattern as an advanced regular expression of PostgreSQL, with code points so that the locale has no effect.
 */
export function postgresPattern(source: string): string {
  return `***:${write(parsePattern(source))}`;
}

function write(node: Pattern): string {
  switch (node.kind) {
    case 'empty':
      return '(?:)';
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'set':
      return writeSet(node.set);
    case 'sequence':
      return node.items.map(write).join('');
    case 'choice':
      return `(?:${node.items.map(write).join('|')})`;
    case 'repeat': {
      const max = node.max === Number.POSITIVE_INFINITY ? '' : node.max;
      return `(?:${write(node.item)}){${node.min},${max}}`;
    }
  }
}

function writeSet({ negated, ranges }: CharacterSet): string {
  const [range] = ranges;
  if (!negated && ranges.length === 1 && range![0] === range![1]) return spell(range![0]);
  const members = ranges.map(([from, to]) => (from === to ? spell(from) : `${spell(from)}-${spell(to)}`));
  return `[${negated ? '^' : ''}${members.join('')}]`;
}

const spell = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;
