import { sql } from 'kysely';
import { type ColumnTypes, isUnchanged, type SqlFlavour } from './sql-flavour.ts';

/** Registered by `sqlite-read-engine.ts` as not deterministic, so that SQLite calls it for each row. */
export const inTimeFunction = 'rostergate_in_time';

export const sqliteColumnTypes: ColumnTypes = {
  text: sql`text`,
  rowKey: sql`integer`,
  reference: sql`integer`,
  integer: sql`integer`,
  instant: sql`text`,
  decimal: sql`real`,
  flag: sql`integer`,
  document: sql`text`,
  tableEnd: sql`strict`,
  emptyUnlessChanged: ({ table, key, column, columns }) => [
    sql.raw(
      `CREATE TRIGGER "${table}_unchanged" AFTER UPDATE ON "${table}" WHEN ${isUnchanged(columns)} AND NEW."${column}" <> '' ` +
        `BEGIN UPDATE "${table}" SET "${column}" = '' WHERE "${key}" = NEW."${key}"; END`,
    ),
  ],
};

/** Registered on each connection to SQLite. */
export const numberTextFunction = 'rostergate_number_text';

export const sqliteFlavour: SqlFlavour = {
  dialect: 'sqlite',
  columnTypes: sqliteColumnTypes,
  flag: Number,
  parameter: () => '?',
  json(sql, kind) {
    switch (kind) {
      case 'flag':
        return `iif(${sql}, 'true', 'false')`;
      case 'decimal':
        return `${numberTextFunction}(${sql})`;
      case 'utc':
        return `json_quote(${sql} || 'Z')`;
      case 'document':
        return sql;
      default:
        return `json_quote(${sql})`;
    }
  },
  concat: (parts) => `concat(${parts.join(', ')})`,
  list: (item) => `concat('[', group_concat(${item}, ','), ']')`,
  noLimit: '-1',
  // SQLite has one writer at a time and assigns the highest number plus one.
  withOwnNumbers: (_trx, _columns, work) => work(),
  // CROSS JOIN makes SQLite keep the order of the tables, and so the order of the array.
  pickStaff: (list, table = 'staff') =>
    `json_each(${list}) AS pick CROSS JOIN "${table}" AS s ON s."StaffRow" = pick.value`,
  // Bytes are sent unchanged; a text would be decoded and encoded again.
  joinPicked: (item) => `CAST(group_concat(${item}, '') AS BLOB)`,
  inTime: `${inTimeFunction}() = 1`,
};

/**
 * Returns the JSON text of a double in PostgreSQL's format: the fewest digits that round-trip, with an exponent below
 * 1e-4 and from 1e15 on. JSON has no infinity: null.
 */
export function numberText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return 'null';
  const [digits = '', exponentText] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 15) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
