import { RosterError } from '../roster-import/csv-records.ts';
import type { ManagerClaim } from '../roster-import/managers.ts';
import { insertRows } from '../store/insert-rows.ts';
import { touchStaff } from '../store/unit-of-work.ts';
import type { CompanyFile } from './company-file.ts';
import { readExistingRows, whereKey } from './existing-rows.ts';
import {
  type FileCounts,
  type ImportContext,
  keyOfRow,
  type LinkColumn,
  noteChange,
  type SeenKeys,
} from './import-context.ts';
import { createRowCompleter } from './new-row.ts';
import type { OpenCompanyFile } from './read-company-file.ts';
import { createRowReader, type ParsedRow } from './read-row.ts';
import { groupByNumber } from './row-numbers.ts';

/** Rows that are compared and written together. */
const rowsAtOnce = 500;

/** The rows of a file, which may be a file of a folder or the body of a request. */
export interface FoundFile {
  readonly file: CompanyFile;
  /** The name in messages. */
  readonly name: string;
  readonly isJson: boolean;
  /**
   * Opens the rows from the start.
   * @throws RosterError with the faults of a file that cannot be read as rows
   */
  readonly open: () => Promise<OpenCompanyFile>;
}

export interface ImportedFile {
  readonly counts: FileCounts;
  readonly seen: SeenKeys;
  /** Managers that the rows of people set, which may come later in the file. */
  readonly claims: readonly ManagerClaim[];
  readonly columnOf: (name: string) => number | undefined;
  readonly isJson: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** Adds and changes the rows of one file. `seen` has the keys of its rows. */
export async function importFile(
  context: ImportContext,
  { file, name, isJson, open }: FoundFile,
): Promise<ImportedFile> {
  const { unit, directory, faults, pause } = context;
  const counts = { file: name, rows: 0, bad: 0, added: 0, changed: 0, same: 0, removed: 0 };
  const seen: SeenKeys = new Map();
  const named = createNameFinder(file);
  const claims: ManagerClaim[] = [];
  const keyName =
    file.columns.find((column) => file.key.includes(column.stored ?? column.name))?.name ??
    file.references.at(-1)?.names.at(-1) ??
    '';
  let columnOf = (_: string): number | undefined => undefined;
  const fault = (line: number, column: string, detail: string) =>
    faults.add({ file: name, isJson, line, column: columnOf(column), name: column, detail });

  const targets = new Map<string, Awaited<ReturnType<typeof directory.load>>>();
  for (const { to } of file.references) targets.set(to, await directory.load(to));
  const people = await directory.load('person');
  const existing = await readExistingRows(context, file, people);
  const completeRow = createRowCompleter(context, file);
  const readRow = createRowReader({ file, context, targets, fault });

  function reject(values: Row): void {
    counts.bad++;
    if (file.target === undefined) return;
    const names = file.references.flatMap((reference) => reference.names);
    const key = [
      ...names,
      ...file.columns.filter((one) => file.key.includes(one.stored ?? one.name)).map((one) => one.name),
    ];
    context.invalid.add(
      file.target,
      [...new Set(key)].map((column) => String(values[column])),
    );
  }

  async function write(batch: readonly ParsedRow[]): Promise<void> {
    const stored = await existing.find(batch.map(({ given }) => given));
    const fresh: Row[] = [];
    for (const { line, given } of batch) {
      await pause();
      const found = stored(given);
      if (typeof found === 'string') {
        fault(line, keyName, found);
        counts.bad++;
        continue;
      }
      const row: Row = found === undefined ? given : { ...given, ...keyColumns(file, found) };
      const isKeyed = file.key.every((column) => row[column] !== undefined);
      const key = isKeyed ? keyOfRow(file, row) : undefined;
      const same = key === undefined ? undefined : seen.get(key);
      const first = same ?? named.firstOf(given);
      if (first !== undefined) {
        const place = isJson ? `Entry ${first}` : `Line ${first}`;
        const remedy = same === undefined ? `Remove one of them, or give both a ${keyName}.` : 'Remove one of them.';
        fault(line, keyName, `${place} already has this ${file.noun}. ${remedy}`);
        counts.bad++;
        continue;
      }
      const change = found === undefined ? undefined : existing.changeOf(found, row);
      const detail = change === undefined ? existing.conflictOf(row) : change.fault;
      if (detail !== undefined) {
        fault(line, detail.name, detail.detail);
        counts.bad++;
        continue;
      }
      if (found === undefined || change === undefined) {
        const complete = completeRow(row);
        if ('missing' in complete) {
          fault(line, complete.missing, `A new ${file.noun} needs this value.`);
          counts.bad++;
          continue;
        }
        fresh.push(complete.row);
        seen.set(key ?? keyOfRow(file, complete.row), line);
        counts.added++;
      } else {
        seen.set(key as string, line);
        // Managers are set once all people are stored.
        const isMoved = file.name === 'staff' && given.ManagerId !== undefined && given.ManagerId !== found.ManagerId;
        if (change.names.length > 0) await update(found, row, change.names);
        if (change.names.length > 0 || isMoved) counts.changed++;
        else counts.same++;
      }
      named.add(given, line);
      if (file.name === 'staff' && given.ManagerId !== undefined) {
        claims.push({ line, staffId: String(row.StaffId), managerId: given.ManagerId as string | null });
      }
    }
    await insert(fresh);
  }

  async function update(found: Row, row: Row, names: readonly string[]): Promise<void> {
    const values = Object.fromEntries(names.map((column) => [column, row[column]]));
    await whereKey(unit.trx.updateTable(file.table).set(values as never), file, found).execute();
    await noteRow(found, file.name === 'staff' ? names : [file.shownIn]);
    if (file.name === 'staff' && (names.includes('FirstName') || names.includes('LastName'))) {
      const Manager = `${row.FirstName ?? found.FirstName} ${row.LastName ?? found.LastName}`;
      const reports = await unit.trx
        .updateTable('staff')
        .set({ Manager })
        .where('ManagerRow', '=', Number(found.StaffRow))
        .returning('StaffRow')
        .execute();
      const rows = reports.map(({ StaffRow }) => StaffRow);
      await touchStaff(unit, rows, pause);
      for (const report of rows) noteChange(context, report, ['Manager']);
    }
  }

  /** Notes the owner of a written row. */
  async function noteRow(row: Row, names: readonly string[]): Promise<void> {
    if (file.owner === 'company') {
      const column = linkColumnOf(file);
      if (column !== undefined && row[column] !== undefined) noteLink(context, column, Number(row[column]));
      return;
    }
    const staffRow = existing.personOf(row);
    if (staffRow === undefined) return;
    if (!context.added.has(staffRow)) await touchStaff(unit, staffRow);
    noteChange(context, staffRow, names);
  }

  async function insert(rows: readonly Row[]): Promise<void> {
    for (const group of await groupByNumber(context, file, rows))
      await insertRows(unit.trx, file.table, group as never, pause);
    if (file.name === 'staff') return;
    const touched: number[] = [];
    for (const row of rows) {
      if (file.owner === 'company') {
        await noteRow(row, []);
        continue;
      }
      const staffRow = existing.personOf(row);
      if (staffRow === undefined) continue;
      if (!context.added.has(staffRow)) touched.push(staffRow);
      noteChange(context, staffRow, [file.shownIn]);
    }
    await touchStaff(unit, [...new Set(touched)]);
  }

  try {
    const opened = await open();
    columnOf = opened.columnOf;
    let batch: ParsedRow[] = [];
    for await (const part of opened.parts()) {
      for (const row of part) {
        counts.rows++;
        await pause();
        const parsed = readRow(row);
        if (parsed === undefined) reject(row.values);
        else batch.push(parsed);
        if (batch.length < rowsAtOnce) continue;
        await write(batch);
        batch = [];
      }
    }
    await write(batch);
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    counts.bad++;
    for (const one of error.faults) faults.add({ ...one, file: name, isJson });
  }
  if (file.target !== undefined) directory.forget(file.target);
  if (file.name === 'staff') await noteNewPeople(context, people, seen);
  return { counts, seen, claims, columnOf, isJson };
}

/** Finds an earlier row with the same name if one of the two lacks its key, because the name must then identify it. */
function createNameFinder({ owner, generated }: CompanyFile) {
  const found = new Map<unknown, { readonly line: number; readonly isKeyed: boolean }>();
  const isNamed = owner === 'company' && generated !== undefined;
  const isKeyed = (row: Row) => row[generated ?? ''] !== undefined;
  return {
    firstOf(row: Row): number | undefined {
      const first = isNamed ? found.get(row.Name) : undefined;
      return first?.isKeyed === true && isKeyed(row) ? undefined : first?.line;
    },
    add(row: Row, line: number): void {
      if (isNamed && row.Name !== undefined) found.set(row.Name, { line, isKeyed: isKeyed(row) });
    },
  };
}

function keyColumns({ key }: CompanyFile, row: Row): Row {
  return Object.fromEntries(key.map((column) => [column, row[column]]));
}

/** Returns the column by which people refer to the rows of a file of the company. */
export function linkColumnOf({ name, numbers }: CompanyFile): LinkColumn | undefined {
  if (name === 'location-tags') return 'LocationRow';
  if (name === 'shift-credits') return 'LimitRow';
  return name === 'tags' ? undefined : (numbers as LinkColumn | undefined);
}

export function noteLink({ changedRows }: ImportContext, column: LinkColumn, row: number): void {
  const rows = changedRows.get(column) ?? new Set();
  changedRows.set(column, rows.add(row));
}

/** New people get the first version: rows of other files do not raise it. */
async function noteNewPeople(
  context: ImportContext,
  before: { find(names: readonly string[]): readonly number[] | undefined },
  seen: SeenKeys,
): Promise<void> {
  const people = await context.directory.load('person');
  for (const staffId of seen.keys()) {
    const [row] = people.find([staffId]) ?? [];
    if (row === undefined || before.find([staffId]) !== undefined) continue;
    context.added.add(row);
    context.unit.touched.add(row);
    noteChange(context, row, ['StaffMember']);
  }
}
