import type { Kysely } from 'kysely';
import { insertRows } from '../store/insert-rows.ts';
import type { Tables } from '../store/tables.ts';
import { companyNames } from './catalogue.ts';
import { type CompanyRows, companyTables, createDemoCompany, type NumberedTable } from './demo-company.ts';
import { createRandom } from './random.ts';

export interface SeedOptions {
  /** Key of the demo company, the first one. */
  readonly companyKey?: string | undefined;
  readonly companies?: number | undefined;
  /** People in the demo company. */
  readonly staff?: number | undefined;
  /** People in each of the others. */
  readonly otherStaff?: number | undefined;
}

const rowColumns: Record<NumberedTable, string> = {
  tag_categories: 'CategoryKey',
  tags: 'TagKey',
  tasks: 'TaskRow',
  profiles: 'ProfileRow',
  locations: 'LocationRow',
  staff: 'StaffRow',
  pay_modifiers: 'PayModifierRow',
  request_limits: 'LimitRow',
};

/**
 * Puts the demo companies into the database, each from a seed of its own, so that a company is the same whatever else
 * is there. Companies that exist are left as they are. Returns how many people were added.
 */
export async function seedDemo(db: Kysely<Tables>, options: SeedOptions = {}): Promise<number> {
  const { companies = companyNames.length, staff = 1000, otherStaff = 25 } = options;
  return db.transaction().execute(async (trx) => {
    // A company that only its accounts have brought into being is still empty, and is filled.
    const filled = await trx.selectFrom('tag_categories').select('CompanyKey').distinct().execute();
    const present = new Set(filled.map((company) => company.CompanyKey));
    const lastRows = await loadLastRows(trx);
    let added = 0;
    for (let i = 0; i < companies; i++) {
      const companyKey = i === 0 ? (options.companyKey ?? demoCompanyKey(0)) : demoCompanyKey(i);
      if (present.has(companyKey)) continue;
      const round = Math.floor(i / companyNames.length);
      const name = `${companyNames[i % companyNames.length]}${round === 0 ? '' : ` ${round + 1}`}`;
      const random = createRandom(`company ${i}`);
      const rows = createDemoCompany({ companyKey, name, staff: i === 0 ? staff : otherStaff, random, lastRows });
      await insertCompany(trx, rows);
      added += rows.staff.length;
    }
    return added;
  });
}

/** The key that the n-th demo company has unless it is given another. */
export const demoCompanyKey = (n: number): string => createRandom(`company key ${n}`).guid();

async function insertCompany(trx: Kysely<Tables>, { companies, ...rows }: CompanyRows): Promise<void> {
  for (const company of companies) {
    await trx
      .insertInto('companies')
      .values(company)
      .onConflict((on) => on.column('CompanyKey').doUpdateSet({ Name: company.Name }))
      .execute();
  }
  for (const table of companyTables) if (table !== 'companies') await insertRows(trx, table, rows[table]);
}

async function loadLastRows(trx: Kysely<Tables>): Promise<Record<NumberedTable, number>> {
  const entries: [string, number][] = [];
  for (const [table, column] of Object.entries(rowColumns) as [NumberedTable, string][]) {
    const last = await trx
      .selectFrom(table)
      .select((eb) => eb.fn.max(eb.ref(column as never)).as('last'))
      .executeTakeFirst();
    entries.push([table, Number(last?.last ?? 0)]);
  }
  return Object.fromEntries(entries) as Record<NumberedTable, number>;
}
