import type { RosterFacts, RosterOutcome, RosterRow, RosterStore } from '../store/roster-store.ts';
import type { WriteScope } from '../store/scope.ts';
import type { CheckedRoster } from './check-roster.ts';
import { RosterError, type RowFault } from './csv-records.ts';
import type { CsvFile } from './csv-rows.ts';
import { rankByManager } from './managers.ts';
import type { ParsedRow } from './roster-row.ts';

export interface ImportOptions {
  readonly file: CsvFile;
  readonly roster: Pick<RosterStore, 'readFacts' | 'addTags' | 'put'>;
  readonly scope: WriteScope;
  readonly checked: CheckedRoster;
  /** Called with the number of written rows. */
  readonly onProgress: (done: number) => void;
  readonly wait: (ms: number) => Promise<unknown>;
}

export interface ImportCounts {
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  /** Rows that a concurrent change has made invalid since the check. */
  readonly faults: readonly RowFault[];
}

/** People per transaction: other writers of the company wait for a fraction of a second. */
const rowsAtOnce = 250;
/** Pause between two transactions, longer than other writers pause between two tries for the lock. */
const pauseMs = 25;

interface PlacedRow {
  readonly line: number;
  readonly row: RosterRow;
}

/** A row whose manager could not be set at the first try. */
interface LateRow extends PlacedRow {
  readonly before: RosterOutcome['kind'];
}

/**
 * Writes the valid rows of a checked roster, 250 people per transaction, because one transaction would block all other
 * writers of the company. An existing person keeps the current manager until the new one can be set, and a new person
 * is added together with the manager. So an interrupted import loses nothing, and importing the same roster again
 * writes the rest.
 * @throws RosterError when the file has changed since it was checked
 */
export async function importRoster(options: ImportOptions): Promise<ImportCounts> {
  const { file, roster, scope, checked, onProgress, wait } = options;
  if (checked.newTags.length > 0) await roster.addTags(scope.companyKey, checked.newTags);
  const facts = await roster.readFacts(scope.companyKey);
  const counts = { added: 0, changed: 0, same: 0, none: 0 };
  const faults: RowFault[] = [];
  const managers = new Map(facts.managers);
  let late: LateRow[] = [];
  let done = 0;

  async function write(rows: readonly PlacedRow[], settle: (outcome: RosterOutcome, i: number) => void): Promise<void> {
    const outcomes = await roster.put(
      scope,
      rows.map(({ row }) => row),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const { line } = rows[i] as PlacedRow;
      faults.push(...outcome.faults.map(({ pointer = '', detail }) => faultOf(line, pointer.slice(1), detail)));
      settle(outcome, i);
    }
    onProgress(done);
    await wait(pauseMs);
  }

  const tryFirst = (rows: readonly PlacedRow[]): Promise<void> =>
    write(rows, (outcome, i) => {
      const { line, row } = rows[i] as PlacedRow;
      const { kind, managerFaults } = outcome;
      const { StaffId, ManagerId } = row.body;
      if (ManagerId !== undefined) managers.set(StaffId, ManagerId);
      if (managerFaults.length > 0 && outcome.faults.length === 0) {
        const rest = { body: { StaffId, ManagerId } as RosterRow['body'], tags: [], profileRows: [] };
        late.push({ line, row: kind === 'none' ? row : rest, before: kind });
        return;
      }
      counts[kind]++;
      done++;
    });

  const tryAgain = (rows: readonly LateRow[]): Promise<void> =>
    write(rows, ({ kind, managerFaults }, i) => {
      const { line, before } = rows[i] as LateRow;
      counts[kind === 'same' || kind === 'none' ? before : before === 'none' ? kind : 'changed']++;
      done++;
      for (const { detail } of managerFaults) {
        const effect = before === 'none' ? 'The person was not added.' : 'The manager is unchanged.';
        faults.push(faultOf(line, 'ManagerId', `${detail}, because of a concurrent change. ${effect}`));
      }
    });

  await inBatches(readRows(file, checked, facts), tryFirst);
  // From the top of the new hierarchy down: each manager's own managers are set first, so no cycle can occur.
  const rank = rankByManager(managers);
  late = late.toSorted((a, b) => rank(a.row.body.StaffId) - rank(b.row.body.StaffId));
  await inBatches(late, tryAgain);
  const { added, changed, same } = counts;
  return { added, changed, same, faults: faults.toSorted((a, b) => a.line - b.line) };

  function faultOf(line: number, name: string, detail: string): RowFault {
    const column = checked.header.columns.find((one) => one.name === name);
    return { line, column: column && column.index + 1, name, detail: `It ${detail}` };
  }
}

async function* readRows(file: CsvFile, checked: CheckedRoster, facts: RosterFacts): AsyncGenerator<PlacedRow> {
  let isHeader = true;
  for await (const { line, cells } of file.rows()) {
    if (!isHeader && !checked.badLines.has(line)) yield { line, row: resolve(checked.readRow(line, cells), facts) };
    isHeader = false;
  }
}

async function inBatches<T>(
  rows: AsyncIterable<T> | Iterable<T>,
  write: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  let batch: T[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    await write(batch);
    batch = [];
  }
  if (batch.length > 0) await write(batch);
}

function resolve({ line, body, tags, profiles, faults }: ParsedRow, facts: RosterFacts): RosterRow {
  const found = tags.flatMap(({ category, name }) => facts.tags.get(category)?.get(name) ?? []);
  const profileRows = profiles.flatMap((name) => facts.profiles.get(name) ?? []);
  if (faults.length === 0 && found.length === tags.length && profileRows.length === profiles.length) {
    return { body, tags: found, profileRows };
  }
  const detail = 'The file or the company has changed since the check. Import the file again.';
  throw new RosterError([{ line, name: '', detail }]);
}
