import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import { JsonWriter } from './json-writer.ts';
import { staffMember, storedCollections } from './shapes.ts';
import { quoteText, type SqlFlavour } from './sql-flavour.ts';
import type { Tables, TransactCompany } from './tables.ts';

/** People per statement: about 10 ms. */
const peopleAtOnce = 200;

/**
 * Updates the stored JSON of people from the tables. Every write calls this in its transaction, so both always agree.
 * `pause` is called between statements.
 */
export async function refreshDocuments(
  trx: Kysely<Tables>,
  flavour: SqlFlavour,
  staffRows: Iterable<number>,
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  const rows = [...staffRows];
  const { text } = refreshOf(flavour);
  for (let at = 0; at < rows.length; at += peopleAtOnce) {
    if (at > 0) await pause();
    const list = JSON.stringify(rows.slice(at, at + peopleAtOnce));
    await trx.executeQuery(CompiledQuery.raw(text, [list]));
  }
}

/**
 * Rebuilds every document that another version of this program has stored. It locks one company at a time, so that no
 * write comes between reading the tables and storing the document.
 */
export async function refreshOutdatedDocuments(
  db: Kysely<Tables>,
  flavour: SqlFlavour,
  transact: TransactCompany,
): Promise<void> {
  const form = formOf(flavour);
  const outdated = (on: Kysely<Tables>) =>
    on
      .selectFrom('staff_documents')
      .select(['StaffRow', 'CompKey'])
      .where((eb) => eb.or([eb('Form', '<', form), eb('Form', '>', form)]));
  const { count } = await outdated(db)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // Servers of other versions may keep writing: those documents are rebuilt at the next start or write.
  for (let left = Number(count); left > 0; ) {
    const first = await outdated(db).limit(1).executeTakeFirst();
    if (first === undefined) return;
    await transact(first.CompKey, async (trx) => {
      const found = await outdated(trx).where('CompKey', '=', first.CompKey).limit(peopleAtOnce).execute();
      await refreshDocuments(
        trx,
        flavour,
        found.map(({ StaffRow }) => StaffRow),
      );
      left -= found.length;
    });
    await nextTurn();
  }
}

interface Refresh {
  readonly form: string;
  readonly text: string;
}

const refreshes = new WeakMap<SqlFlavour, Refresh>();

function refreshOf(flavour: SqlFlavour): Refresh {
  let refresh = refreshes.get(flavour);
  if (refresh === undefined) {
    refresh = createRefresh(flavour);
    refreshes.set(flavour, refresh);
  }
  return refresh;
}

/** Returns a digest of how this version builds documents. */
export const formOf = (flavour: SqlFlavour): string => refreshOf(flavour).form;

/** Uses the same SQL as a read of one person, so that both return the same. */
function createRefresh(flavour: SqlFlavour): Refresh {
  const writer = new JsonWriter(flavour, true);
  const parts: [column: string, json: string][] = [
    ['StaffRow', 's."StaffRow"'],
    ['CompKey', 's."CompKey"'],
    ['Person', writer.scalars(staffMember, 's')],
  ];
  for (const name of storedCollections) {
    const collection = staffMember.collections?.[name];
    if (collection !== undefined) parts.push([name, `(${writer.list(collection, 's')})`]);
  }
  const form = hash('sha256', JSON.stringify(parts), 'base64url');
  parts.push(['Form', quoteText(form)], ['Revision', 's."Revision"']);
  const columns = parts.map(([column]) => `"${column}"`);
  const sets = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const text =
    `INSERT INTO "staff_documents" (${columns.join(', ')}) SELECT ${parts.map(([, json]) => json).join(', ')} ` +
    `FROM ${flavour.pickStaff(flavour.parameter(1))} WHERE TRUE ` +
    `ON CONFLICT ("StaffRow") DO UPDATE SET ${sets.join(', ')}`;
  return { form, text };
}
