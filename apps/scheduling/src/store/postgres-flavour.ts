import { sql } from 'kysely';
import { postgresColumnTypes } from './postgres-column-types.ts';
import { lockNumbering } from './postgres-locks.ts';
import type { SqlFlavour } from './sql-flavour.ts';

/** PostgreSQL takes no more arguments than this. */
const argumentsMax = 100;

export const postgresFlavour: SqlFlavour = {
  dialect: 'postgres',
  columnTypes: postgresColumnTypes,
  flag: (value) => value,
  parameter: (n) => `$${n}`,
  json(column, kind) {
    switch (kind) {
      case 'flag':
        return `CASE WHEN ${column} THEN 'true' ELSE 'false' END`;
      case 'decimal':
        // JSON has no infinity, and NaN orders above it; of the two zeros there is one.
        return `CASE WHEN abs(${column}) < 'Infinity' THEN (${column} + 0)::text ELSE 'null' END`;
      case 'whole':
        return `coalesce((${column})::text, 'null')`;
      // Dates are kept in one form, in which there is nothing to escape.
      case 'instant':
        return `coalesce('"' || ${column} || '"', 'null')`;
      case 'utc':
        return `coalesce('"' || ${column} || 'Z"', 'null')`;
      case 'document':
        return column;
      default:
        return `coalesce(to_json(${column})::text, 'null')`;
    }
  },
  concat(parts) {
    const groups: string[] = [];
    for (let at = 0; at < parts.length; at += argumentsMax) {
      groups.push(`concat(${parts.slice(at, at + argumentsMax).join(', ')})`);
    }
    return groups.length === 1 ? (groups[0] as string) : `concat(${groups.join(', ')})`;
  },
  list: (item) => `concat('[', string_agg(${item}, ','), ']')`,
  noLimit: 'ALL',
  // OFFSET 0: each person by row number, whatever the planner knows of the tables so far.
  pickStaff: (list, table = 'staff') =>
    `json_array_elements_text((${list})::json) WITH ORDINALITY AS pick ("row", "nth") ` +
    `CROSS JOIN LATERAL (SELECT * FROM "${table}" WHERE "StaffRow" = pick."row"::bigint OFFSET 0) AS s`,
  joinPicked: (item) => `string_agg(${item}, '' ORDER BY pick."nth")`,
  async withOwnNumbers(trx, columns, work) {
    await lockNumbering(trx);
    // Many rows take their time, which nobody's request is waiting for.
    await sql`select set_config('statement_timeout', '0', true)`.execute(trx);
    const result = await work();
    for (const [table, column] of Object.entries(columns)) {
      const sequence = sql`pg_get_serial_sequence(${table}, ${column})`;
      await sql`select setval(${sequence}, max(${sql.ref(column)})) from ${sql.table(table)}`.execute(trx);
    }
    return result;
  },
};
