import type { BoundQuery } from './bound-ast.ts';
import { postgres } from './postgres.ts';
import type { SqlDialectName } from './sql-dialect.ts';
import type { SqlMapping, SqlText } from './sql-mapping.ts';
import { SqlWriter } from './sql-writer.ts';
import { sqlite } from './sqlite.ts';

/** Settings of `toSql`. */
export interface SqlSettings {
  readonly mapping: SqlMapping;
  /** Alias of the row in the caller's FROM. Default `t`. */
  readonly row?: string | undefined;
  /** Number of the first placeholder in PostgreSQL. Default 1. After n parameters of the caller, n + 1. */
  readonly firstParameter?: number | undefined;
}

/** The SQL of a query. */
export interface Sql {
  /** Condition for WHERE. Undefined without `$filter`. */
  readonly where: SqlText | undefined;
  /** Terms for ORDER BY. Undefined without `$orderby`. Its placeholders continue the numbers of `where`. */
  readonly orderby: SqlText | undefined;
}

/**
 * Writes `$filter` and `$orderby` as SQL. Every value of the query is a bound parameter, and every name comes from
 * `mapping`. SQLite needs the functions of `sqliteFunctions`.
 */
export function toSql(
  query: Pick<BoundQuery, 'filter' | 'orderby'>,
  dialect: SqlDialectName,
  settings: SqlSettings,
): Sql {
  const flavour = dialect === 'sqlite' ? sqlite : postgres;
  const row = settings.row ?? 't';
  const first = settings.firstParameter ?? 1;
  let where: SqlText | undefined;
  if (query.filter !== undefined) {
    const writer = new SqlWriter(flavour, settings.mapping, row);
    where = writer.finish(writer.condition(query.filter), first);
  }
  if (query.orderby.length === 0) return { where, orderby: undefined };
  const writer = new SqlWriter(flavour, settings.mapping, row);
  const terms = query.orderby.map((order) => writer.order(order)).join(', ');
  return { where, orderby: writer.finish(terms, first + (where?.parameters.length ?? 0)) };
}

/**
 * Writes the terms of `$orderby` as values for a SELECT. Use them to continue after a row (`afterKeys`) or to sort rows
 * (`orderValues`). Placeholders are numbered through all terms.
 */
export function toSqlKeys(
  query: Pick<BoundQuery, 'orderby'>,
  dialect: SqlDialectName,
  settings: SqlSettings,
): readonly SqlText[] {
  let first = settings.firstParameter ?? 1;
  return query.orderby.map(({ expression }) => {
    const writer = new SqlWriter(dialect === 'sqlite' ? sqlite : postgres, settings.mapping, settings.row ?? 't');
    const key = writer.finish(writer.value(expression), first);
    first += key.parameters.length;
    return key;
  });
}
