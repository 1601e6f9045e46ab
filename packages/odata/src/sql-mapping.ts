/** A column of the row, or a function from the row's alias to SQL. Its value must be the canonical form of its type. */
export type SqlColumn = string | ((row: string) => string);

/** SQL mapping of the properties of a type. */
export interface SqlMapping {
  /** Column of each property. A single-valued complex property has a mapping of its own on the same row. */
  readonly columns: Readonly<Record<string, SqlColumn | SqlMapping>>;
  readonly collections?: Readonly<Record<string, SqlCollection>> | undefined;
}

/** SQL mapping of a collection, as a subquery over its elements. */
export interface SqlCollection {
  /** Returns the FROM clause with the alias `row`: `` (row) => `staff_tag AS ${row}` ``. */
  readonly from: (row: string, parent: string) => string;
  /** Returns the condition that joins `row` to the row of its parent. */
  readonly where: (row: string, parent: string) => string;
  /** Mapping of a structured element, or the column of a primitive one. */
  readonly element: SqlMapping | SqlColumn;
}

/** A value of a placeholder. Lists are used in PostgreSQL only. */
export type SqlParameter = null | string | number | bigint | boolean | readonly (string | number | bigint | boolean)[];

/** SQL with placeholders (`?` for SQLite, `$n` for PostgreSQL) and their values, in order. */
export interface SqlText {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function columnSql(column: SqlColumn, row: string): string {
  return typeof column === 'string' ? `${row}.${quoteName(column)}` : column(row);
}

/** Returns the mapping of a single-valued property. */
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
