import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { CompanyFile } from './company-file.ts';

type Row = Readonly<Record<string, unknown>>;

/** The table that owns the rows of a table without a column for the company, with the column that both share. */
const owners: Readonly<
  Record<string, readonly [table: 'tag_categories' | 'locations' | 'request_limits', column: string]>
> = {
  tags: ['tag_categories', 'CategoryKey'],
  location_tags: ['locations', 'LocationRow'],
  request_limit_shifts: ['request_limits', 'LimitRow'],
};

/** Returns all rows of a file that the company owns, in the order of their numbers or keys. */
export async function readCompanyRows(
  trx: Kysely<Tables>,
  companyKey: string,
  { table, key, numbers }: CompanyFile,
): Promise<Row[]> {
  const owner = owners[table];
  let query = trx.selectFrom(table as 'tasks').selectAll();
  query =
    owner === undefined
      ? query.where('CompanyKey', '=', companyKey)
      : query.where(owner[1] as never, 'in', (eb) =>
          eb
            .selectFrom(owner[0])
            .select(owner[1] as never)
            .where('CompanyKey', '=', companyKey),
        );
  for (const column of numbers === undefined ? key : [numbers]) query = query.orderBy(column as never);
  return (await query.execute()) as Row[];
}

/** Returns the rows of a file that belong to these people, in the order of people and keys. */
export async function readPeopleRows(
  trx: Kysely<Tables>,
  staffRows: readonly number[],
  { table, key, owner, numbers }: CompanyFile,
): Promise<Row[]> {
  if (staffRows.length === 0) return [];
  let query = trx.selectFrom(table as 'staff_badges').selectAll();
  query =
    owner === 'StaffRow'
      ? query.where('StaffRow', 'in', staffRows)
      : query.where('PayModifierRow' as 'StaffRow', 'in', (eb) =>
          eb.selectFrom('pay_modifiers').select('PayModifierRow as StaffRow').where('StaffRow', 'in', staffRows),
        );
  for (const column of numbers === undefined ? key : [numbers]) query = query.orderBy(column as never);
  return (await query.execute()) as Row[];
}

/** People per statement: far below any limit on parameters. */
const peopleAtOnce = 500;

/** Yields the row numbers of all people of a company, in order and in parts. */
export async function* readStaffRows(trx: Kysely<Tables>, companyKey: string): AsyncGenerator<number[]> {
  for (let last = -1; ; ) {
    const found = await trx
      .selectFrom('staff')
      .select('StaffRow')
      .where('CompKey', '=', companyKey)
      .where('StaffRow', '>', last)
      .orderBy('StaffRow')
      .limit(peopleAtOnce)
      .execute();
    if (found.length > 0) yield found.map(({ StaffRow }) => StaffRow);
    if (found.length < peopleAtOnce) return;
    last = found.at(-1)?.StaffRow as number;
  }
}
