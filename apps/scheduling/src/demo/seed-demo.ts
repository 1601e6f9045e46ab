import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ImportDeps } from '../company-files/import-company.ts';
import { insertRows } from '../store/insert-rows.ts';
import { refreshDocuments } from '../store/staff-documents.ts';
import type { Tables } from '../store/tables.ts';
import { importDemoCatalogue } from './demo-catalogue.ts';
import { createDemoPeople } from './demo-people.ts';
import { companyNames } from './invented.ts';
import { type NumberedTable, type PersonDetails, peopleTables, rowColumns } from './people-rows.ts';
import { createRandom, demoCompanyKey, type Random } from './random.ts';

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
export async function seedDemo(db: Kysely<Tables>, deps: ImportDeps, options: SeedOptions = {}): Promise<number> {
  const { flavour } = deps;
  const { companies = companyNames.length, staff = 1000, otherStaff = 25, onProgress } = options;
  const { companyKeys = options.companyKey === undefined ? [] : [options.companyKey] } = options;
  const all = staff + (companies - 1) * otherStaff;
  let added = 0;
  let done = 0;
  for (let i = 0; i < companies; i++) {
    const size = i === 0 ? staff : otherStaff;
    const companyKey = companyKeys[i] ?? demoCompanyKey(i);
    const name = companyName(i);
    const isNew = await db.transaction().execute((trx) =>
      flavour.withOwnNumbers(trx, rowColumns, async () => {
        if (await isFilled(trx, companyKey)) return false;
        await insertCompany(trx, companyKey, name);
        const company = {
          ...{ companyKey, name, staff: size, tags: options.tags, skills: options.skills, flag: flavour.flag },
          catalogue: await importDemoCatalogue(trx, deps, { companyKey, nth: i }),
          ...{ random: createPeopleRandom(i), lastRows: await loadLastRows(trx) },
        };
        let people = 0;
        for (const rows of createDemoPeople(company)) {
          for (const table of peopleTables) await insertRows(trx, table, rows[table]);
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
  const places = [
    ['tag_categories', 'CompanyKey'],
    // People who were removed, too: a program that follows the company would take a new one for a removed one.
    ...(['staff', 'removed_staff'] as const).map((table) => [table, 'CompKey'] as const),
  ] as const;
  for (const [table, column] of places) {
    const query = trx.selectFrom(table as 'staff').select(column as 'CompKey');
    const found = await query
      .where(column as 'CompKey', '=', companyKey)
      .limit(1)
      .executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
}

async function insertCompany(trx: Kysely<Tables>, CompanyKey: string, Name: string): Promise<void> {
  await trx
    .insertInto('companies')
    .values({ CompanyKey, Name })
    .onConflict((on) => on.column('CompanyKey').doUpdateSet({ Name }))
    .execute();
}

/** Earlier versions drew so many numbers for the catalogue of the first company: its people stay the same. */
const drawnBefore = 1_167;

function createPeopleRandom(nth: number): Random {
  const random = createRandom(`company ${nth}`);
  for (let i = 0; i < drawnBefore; i++) random.next();
  return random;
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
