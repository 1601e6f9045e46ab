import type { RosterFacts, RosterRow, RosterStore } from '../store/roster-store.ts';
import type { WriteScope } from '../store/staff-store.ts';
import type { CheckedRoster } from './check-roster.ts';
import type { CsvFile } from './csv-rows.ts';
import type { ParsedRow } from './roster-row.ts';
import { RosterError } from './row-fault.ts';

export interface ImportOptions {
  readonly file: CsvFile;
  readonly roster: Pick<RosterStore, 'readFacts' | 'addTags' | 'put'>;
  readonly scope: WriteScope;
  readonly checked: CheckedRoster;
  /** Told of the rows that are done. */
  readonly onProgress: (done: number) => void;
  readonly wait: (ms: number) => Promise<unknown>;
}

export interface ImportCounts {
  readonly added: number;
  readonly changed: number;
  readonly same: number;
}

/** People a transaction: whoever else writes waits for a fraction of a second. */
const rowsAtOnce = 250;
/** Between two transactions, longer than others pause between two tries for the lock. */
const pauseMs = 25;

/**
 * Writes the good rows of a roster that was checked, some hundred people at a time. What has been written stays when
 * it is interrupted; importing the same roster again does the rest.
 * @throws RosterError when the file is not the one that was checked any more
 */
export async function importRoster(options: ImportOptions): Promise<ImportCounts> {
  const { file, roster, scope, checked, onProgress, wait } = options;
  if (checked.newTags.length > 0) await roster.addTags(scope.companyKey, checked.newTags);
  const facts = await roster.readFacts(scope.companyKey);
  const counts = { added: 0, changed: 0, same: 0 };
  const late: RosterRow[] = [];
  let batch: RosterRow[] = [];
  let done = 0;

  async function writeBatch(): Promise<void> {
    if (batch.length === 0) return;
    const outcomes = await roster.put(scope, batch);
    for (const [i, { kind, lacksManager }] of outcomes.entries()) {
      counts[kind]++;
      const { StaffId, ManagerId } = (batch[i] as RosterRow).body;
      if (lacksManager) late.push({ body: { StaffId, ManagerId } as RosterRow['body'], tags: [], profileRows: [] });
    }
    done += batch.length;
    batch = [];
    onProgress(done);
    await wait(pauseMs);
  }

  let isHeader = true;
  for await (const { line, cells } of file.rows()) {
    if (isHeader) isHeader = false;
    else if (!checked.badLines.has(line)) {
      const row = checked.readRow(line, cells);
      batch.push(resolve(row, facts));
      if (batch.length >= rowsAtOnce) await writeBatch();
    }
  }
  await writeBatch();
  for (let at = 0; at < late.length; at += rowsAtOnce) {
    await roster.put(scope, late.slice(at, at + rowsAtOnce));
    await wait(pauseMs);
  }
  return counts;
}

function resolve({ line, body, tags, profiles, faults }: ParsedRow, facts: RosterFacts): RosterRow {
  const found = tags.flatMap(({ category, name }) => facts.tags.get(category)?.get(name) ?? []);
  const profileRows = profiles.flatMap((name) => facts.profiles.get(name) ?? []);
  if (faults.length === 0 && found.length === tags.length && profileRows.length === profiles.length) {
    return { body, tags: found, profileRows };
  }
  const detail = 'The file or the company has changed since it was checked: import it again.';
  throw new RosterError([{ line, name: '', detail }]);
}
