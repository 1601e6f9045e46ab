import { sqliteColumnTypes } from './column-types.ts';
import { numberTextFunction } from './number-text.ts';
import type { SqlFlavour } from './sql-flavour.ts';

/** Registered by `sqlite-read-engine.ts`. It is not deterministic, so SQLite calls it for each row. */
export const inTimeFunction = 'rostergate_in_time';

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
  // One writes at a time, and the next number is one above the highest.
  withOwnNumbers: (_trx, _columns, work) => work(),
  // CROSS JOIN: SQLite keeps the order of the tables, and so the array's order of the rows.
  pickStaff: (list, table = 'staff') =>
    `json_each(${list}) AS pick CROSS JOIN "${table}" AS s ON s."StaffRow" = pick.value`,
  // Bytes are handed over as they are; a text would be decoded, and encoded again to be sent.
  joinPicked: (item) => `CAST(group_concat(${item}, '') AS BLOB)`,
  inTime: `${inTimeFunction}() = 1`,
};
