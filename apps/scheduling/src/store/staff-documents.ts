import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import { JsonWriter } from './json-writer.ts';
import { staffMember, storedCollections } from './shapes.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/** People a statement: about 10 ms. */
const peopleAtOnce = 200;

/**
 * Brings the ready-made JSON of people up to what the tables say. Every write does so in its own transaction, so that
 * nobody ever reads one without the other.
 */
export async function refreshDocuments(
  trx: Kysely<Tables>,
  flavour: SqlFlavour,
  staffRows: Iterable<number>,
): Promise<void> {
  const rows = [...staffRows];
  const text = refreshSqlOf(flavour);
  for (let at = 0; at < rows.length; at += peopleAtOnce) {
    const list = JSON.stringify(rows.slice(at, at + peopleAtOnce));
    await trx.executeQuery(CompiledQuery.raw(text, [list]));
  }
}

/** Makes all of them anew when they were made in another way than this program's, or never. */
export async function refreshOutdatedDocuments(db: Kysely<Tables>, flavour: SqlFlavour): Promise<void> {
  const Digest = hash('sha256', refreshSqlOf(flavour));
  const { Digest: made } = await db.selectFrom('staff_documents_form').select('Digest').executeTakeFirstOrThrow();
  if (made === Digest) return;
  await db.transaction().execute(async (trx) => {
    // First of all, so that of two programs that start together one waits for the other.
    await trx.updateTable('staff_documents_form').set({ Digest }).execute();
    let last = 0;
    for (;;) {
      const people = await trx
        .selectFrom('staff')
        .select('StaffRow')
        .where('StaffRow', '>', last)
        .orderBy('StaffRow')
        .limit(peopleAtOnce)
        .execute();
      await refreshDocuments(
        trx,
        flavour,
        people.map(({ StaffRow }) => Number(StaffRow)),
      );
      if (people.length < peopleAtOnce) return;
      last = Number(people.at(-1)?.StaffRow);
      await nextTurn();
    }
  });
}

const made = new WeakMap<SqlFlavour, string>();

function refreshSqlOf(flavour: SqlFlavour): string {
  let text = made.get(flavour);
  if (text === undefined) {
    text = writeRefreshSql(flavour);
    made.set(flavour, text);
  }
  return text;
}

/** The same SQL as a read of one person would have, so that both say the same. */
function writeRefreshSql(flavour: SqlFlavour): string {
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
  const columns = parts.map(([column]) => `"${column}"`);
  const sets = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  return (
    `INSERT INTO "staff_documents" (${columns.join(', ')}) SELECT ${parts.map(([, json]) => json).join(', ')} ` +
    `FROM ${flavour.pickStaff(flavour.parameter(1))} WHERE TRUE ` +
    `ON CONFLICT ("StaffRow") DO UPDATE SET ${sets.join(', ')}`
  );
}
