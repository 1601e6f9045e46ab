import type { BoundQuery } from './bound-ast.ts';
import { postgres } from './postgres.ts';
import type { SqlDialectName } from './sql-dialect.ts';
import type { SqlMapping, SqlText } from './sql-mapping.ts';
import { SqlWriter } from './sql-writer.ts';
import { sqlite } from './sqlite.ts';

/** Where the query runs. */
export interface SqlSettings {
  readonly mapping: SqlMapping;
  /** Alias of the queried row in the caller's FROM. Default `t`. */
  readonly row?: string | undefined;
  /** PostgreSQL: number of the first placeholder. Default 1; where the caller has n parameters before, n + 1. */
  readonly firstParameter?: number | undefined;
}

/** The two pieces of SQL that a query comes to. */
export interface Sql {
  /** Condition for WHERE; undefined where there is no `$filter`. */
  readonly where: SqlText | undefined;
  /** Terms for ORDER BY; undefined where there is no `$orderby`. Its placeholders go on after those of `where`. */
  readonly orderby: SqlText | undefined;
}

/**
 * Writes `$filter` and `$orderby` as SQL. Every value of the query is a bound parameter; names come from `mapping` alone.
 * For SQLite the functions of `sqliteFunctions` must be registered.
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
 * Writes what `$orderby` looks at as values for a SELECT, one for each term in its order: for callers who go on after a
 * certain row, or sort by themselves (`orderValues`). Placeholders go on from one to the next.
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
