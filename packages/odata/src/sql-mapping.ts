/** A column of the row, or SQL given the row's alias. It must yield the canonical form of its type. */
export type SqlColumn = string | ((row: string) => string);

/** How the properties of one type read in SQL. */
export interface SqlMapping {
  /** Property → column. For a single-valued complex property, a mapping of its own on the same row. */
  readonly columns: Readonly<Record<string, SqlColumn | SqlMapping>>;
  readonly collections?: Readonly<Record<string, SqlCollection>> | undefined;
}

/** How a collection reads in SQL: a subquery over its elements. */
export interface SqlCollection {
  /** What stands after FROM, naming the element's row `row`: `` (row) => `staff_tag AS ${row}` ``. */
  readonly from: (row: string, parent: string) => string;
  /** The condition that ties `row` to its parent's row. */
  readonly where: (row: string, parent: string) => string;
  /** Mapping of a structured element, or the column of a primitive one. */
  readonly element: SqlMapping | SqlColumn;
}

/** A value bound to a placeholder; a list stands for a list in PostgreSQL. */
export type SqlParameter = null | string | number | bigint | boolean | readonly (string | number | bigint | boolean)[];

/** SQL with placeholders (`?` for SQLite, `$n` for PostgreSQL) and their values in order. */
export interface SqlText {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function columnSql(column: SqlColumn, row: string): string {
  return typeof column === 'string' ? `${row}.${quoteName(column)}` : column(row);
}

/** What a mapping says of a single-valued property. */
export function columnOf(mapping: SqlMapping | SqlColumn, name: string): SqlMapping | SqlColumn {
  const found = typeof mapping === 'object' && Object.hasOwn(mapping.columns, name) ? mapping.columns[name] : undefined;
  if (found === undefined) throw new TypeError(`The SQL mapping has no column for ${name}.`);
  return found;
}

export function collectionAt(mapping: SqlMapping | SqlColumn, path: readonly string[]): SqlCollection {
  let holder = mapping;
  for (const name of path.slice(0, -1)) holder = columnOf(holder, name);
  const name = path.at(-1)!;
  const { collections } = holder as SqlMapping;
  const found = collections !== undefined && Object.hasOwn(collections, name) ? collections[name] : undefined;
  if (found === undefined) throw new TypeError(`The SQL mapping has no collection for ${name}.`);
  return found;
}
