import { DatabaseSync } from 'node:sqlite';
import { inject } from 'vitest';

export interface OtherCompany {
  readonly companyKey: string;
  /** Of one of its people. */
  readonly staffKey: string;
}

/** Somebody of another company than one's own: no account of the demo may see them, so they are read from the file. */
export async function readOtherCompany(ownKey: string): Promise<OtherCompany> {
  const file = inject('servers').env.ROSTERGATE_SCHEDULING_DATABASE_FILE ?? '';
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database.prepare('SELECT CompKey, StaffKey FROM staff WHERE CompKey <> ? LIMIT 1').get(ownKey);
    if (row === undefined) throw new Error('The demo data holds one company only.');
    return { companyKey: String(row.CompKey), staffKey: String(row.StaffKey) };
  } finally {
    database.close();
  }
}
