import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { insertRows } from '../store/insert-rows.ts';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import { refreshDocuments } from '../store/staff-documents.ts';
import type { Tables } from '../store/tables.ts';
import { type CompanyRows, companyTables, type NumberedTable, type PersonDetails, rowColumns } from './company-rows.ts';
import { createDemoCompany } from './demo-company.ts';
import { companyNames } from './invented.ts';
import { createRandom, demoCompanyKey } from './random.ts';

export interface SeedOptions extends PersonDetails {
  /** Key of the demo company, the first one. */
  readonly companyKey?: string | undefined;
  /** Keys of the first companies; the others get generated keys. */
  readonly companyKeys?: readonly string[] | undefined;
  readonly companies?: number | undefined;
  readonly staff?: number | undefined;
  readonly otherStaff?: number | undefined;
  /** Called after each step with the number of people added so far, and in total. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/**
 * Adds the demo companies. Each has a seed of its own, so that a company is the same regardless of the others. Existing
 * companies are unchanged. Each company is added completely or not at all. Returns how many people were added.
 */
export async function seedDemo(db: Kysely<Tables>, flavour: SqlFlavour, options: SeedOptions = {}): Promise<number> {
  const { companies = companyNames.length, staff = 1000, otherStaff = 25, onProgress } = options;
  const { companyKeys = options.companyKey === undefined ? [] : [options.companyKey] } = options;
  const all = staff + (companies - 1) * otherStaff;
  let added = 0;
  let done = 0;
  for (let i = 0; i < companies; i++) {
    const size = i === 0 ? staff : otherStaff;
    const company = {
      ...{ companyKey: companyKeys[i] ?? demoCompanyKey(i), name: companyName(i), staff: size },
      ...{ random: createRandom(`company ${i}`), tags: options.tags, skills: options.skills },
    };
    const isNew = await db.transaction().execute((trx) =>
      flavour.withOwnNumbers(trx, rowColumns, async () => {
        if (await isFilled(trx, company.companyKey)) return false;
        const lastRows = await loadLastRows(trx);
        let people = 0;
        for (const rows of createDemoCompany({ ...company, flag: flavour.flag, lastRows })) {
          await insertCompany(trx, rows);
          await refreshDocuments(
            trx,
            flavour,
            rows.staff.map(({ StaffRow }) => StaffRow),
          );
          people += rows.staff.length;
          onProgress?.(done + people, all);
        }
        return true;
      }),
    );
    if (isNew) added += size;
    done += size;
    onProgress?.(done, all);
    // No transaction is open: signals and other requests can run.
    await nextTurn();
  }
  return added;
}

function companyName(n: number): string {
  const round = Math.floor(n / companyNames.length);
  return `${companyNames[n % companyNames.length]}${round === 0 ? '' : ` ${round + 1}`}`;
}

/** Returns whether the company has data. One that only accounts refer to is still empty and gets filled. */
async function isFilled(trx: Kysely<Tables>, companyKey: string): Promise<boolean> {
  const found = await trx
    .selectFrom('tag_categories')
    .select('CategoryKey')
    .where('CompanyKey', '=', companyKey)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

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
