import type { Kysely } from 'kysely';
import { createAuditRow } from '../store/audit.ts';
import { insertRows } from '../store/insert-rows.ts';
import { createStamps } from '../store/person-version.ts';
import { dropRemovals, forgetUntil } from '../store/removed-staff.ts';
import type { WriteScope } from '../store/scope.ts';
import { refreshDocuments } from '../store/staff-documents.ts';
import type { Row, Tables } from '../store/tables.ts';
import { touchStaff, type WriteDeps } from '../store/unit-of-work.ts';
import { type CompanyFile, companyFiles } from './company-file.ts';
import { createDirectory } from './directory.ts';
import { requireVersion } from './export-catalogue.ts';
import {
  createFaultList,
  createInvalidNames,
  type FileCounts,
  type ImportContext,
  noteChange,
  type PlacedFault,
} from './import-context.ts';
import { type FoundFile, type ImportedFile, importFile } from './import-file.ts';
import { importManagers } from './import-managers.ts';
import { removeRows } from './remove-rows.ts';

export interface ImportCompanyOptions {
  /** With `ifMatch`, the file must have one of these versions. */
  readonly scope: WriteScope;
  readonly files: readonly FoundFile[];
  /** Whether rows that a file does not have are removed from its table. */
  readonly isReplacing: boolean;
  readonly isDryRun: boolean;
  /** Faults that are listed; the others are counted. */
  readonly faultsMax: number;
  /** Called with the number of imported files. */
  readonly onProgress: (done: number) => void;
  /** Whether statements have the time limit of a request; by default they have none. */
  readonly isTimed?: boolean | undefined;
}

export interface CompanyImport {
  readonly files: readonly FileCounts[];
  /** The first faults, by file, line and column. */
  readonly faults: readonly PlacedFault[];
  /** The number of all faults. */
  readonly faultCount: number;
  readonly isWritten: boolean;
}

/** Ends the transaction without its writes. */
class Undone extends Error {
  readonly outcome: CompanyImport;
  constructor(outcome: CompanyImport) {
    super('The import was undone.');
    this.outcome = outcome;
  }
}

/**
 * Imports the files of a company in one transaction: every row, or with a fault none. A dry run does the same and
 * undoes it. Other writers of the company wait until it ends.
 * @throws Problem 412 `precondition_failed` when a file has another version than `scope.ifMatch`
 */
export async function importCompany(deps: WriteDeps, options: ImportCompanyOptions): Promise<CompanyImport> {
  try {
    return await deps.transact(options.scope.companyKey, (trx) => importWithin(trx, deps, options));
  } catch (error) {
    if (error instanceof Undone) return error.outcome;
    throw error;
  }
}

export type ImportDeps = Pick<WriteDeps, 'flavour' | 'clock' | 'newKey' | 'pause'>;

/**
 * Does the same within a transaction of the caller.
 * @throws Undone for faults and dry runs, so that the transaction ends without its writes
 */
export async function importWithin(
  trx: Kysely<Tables>,
  { flavour, clock, newKey, pause }: ImportDeps,
  options: ImportCompanyOptions,
): Promise<CompanyImport> {
  const { scope, files: given, isDryRun, faultsMax, isTimed = false } = options;
  if (!isTimed) await flavour.withoutTimeLimit(trx);
  for (const { file } of given) await requireVersion(trx, scope, file, pause);
  const stamps = await createStamps(trx, flavour, scope.companyKey, clock);
  const context: ImportContext = {
    unit: { trx, scope, ...stamps, flag: flavour.flag, touched: new Set() },
    ...{ flavour, newKey, pause, directory: createDirectory(trx, scope.companyKey) },
    ...{ faults: createFaultList(faultsMax), invalid: createInvalidNames() },
    ...{ added: new Set(), removed: new Set(), changes: new Map(), changedRows: new Map() },
  };
  const files = await importFiles(context, options);
  const { faults } = context;
  const found = { files, faults: sortFaults(faults.listed, files), faultCount: faults.count };
  if (isDryRun || faults.count > 0) throw new Undone({ ...found, isWritten: false });
  await touchLinked(context);
  await dropRemovals(trx, scope.companyKey);
  // A company that moves here brings no removals: clients that followed it elsewhere start again.
  if (stamps.isFirst && context.added.size > 0) await forgetUntil(trx, scope.companyKey, stamps.stamp);
  await refreshDocuments(trx, flavour, context.unit.touched, pause);
  await writeAudit(context);
  return { ...found, isWritten: true };
}

function sortFaults(faults: readonly PlacedFault[], files: readonly FileCounts[]): PlacedFault[] {
  const order = new Map(files.map(({ file }, i) => [file, i]));
  const placeOf = ({ file }: PlacedFault) => order.get(file) ?? 0;
  return faults.toSorted((a, b) => placeOf(a) - placeOf(b) || a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
}

async function importFiles(context: ImportContext, options: ImportCompanyOptions): Promise<FileCounts[]> {
  const { files, isReplacing, onProgress } = options;
  const found = new Map(files.map((one) => [one.file, one]));
  const imported = new Map<CompanyFile, ImportedFile>();
  for (const file of companyFiles) {
    const given = found.get(file);
    if (given === undefined) continue;
    const one = await importFile(context, given);
    if (file.name === 'staff') await importManagers(context, one);
    imported.set(file, one);
    onProgress(imported.size);
  }
  const counts = new Map([...imported].map(([file, one]) => [file, one.counts]));
  // Invalid rows are missing among the seen ones, so their stored rows must not be removed, and nothing is written anyway.
  if (isReplacing && context.faults.count === 0) {
    for (const [file, one] of [...imported].reverse()) {
      counts.set(file, { ...one.counts, removed: await removeRows(context, file, one) });
    }
  }
  return [...counts.values()];
}

/** Makes new versions of the people whose tags, skills, profiles, locations or limits show a changed row. */
async function touchLinked(context: ImportContext): Promise<void> {
  const { unit, changedRows, pause } = context;
  const tasks = [...(changedRows.get('TaskRow') ?? [])];
  const limits = await selectIn(context, 'request_limit_shifts', 'TaskRow', tasks, 'LimitRow');
  const links = [
    ['staff_tags', 'CategoryKey', changedRows.get('CategoryKey') ?? [], 'Tags'],
    ['staff_skillset', 'TaskRow', tasks, 'Skillset'],
    ['staff_profiles', 'ProfileRow', changedRows.get('ProfileRow') ?? [], 'Profiles'],
    ['staff_locations', 'LocationRow', changedRows.get('LocationRow') ?? [], 'Location'],
    ['request_limit_staff', 'LimitRow', [...(changedRows.get('LimitRow') ?? []), ...limits], 'RequestLimit'],
  ] as const;
  for (const [table, column, rows, name] of links) {
    const people = await selectIn(context, table, column, [...rows], 'StaffRow');
    await touchStaff(unit, people, pause);
    for (const person of people) if (!context.added.has(person)) noteChange(context, person, [name]);
  }
}

async function selectIn(
  { unit: { trx }, pause }: ImportContext,
  table:
    | 'request_limit_shifts'
    | 'staff_tags'
    | 'staff_skillset'
    | 'staff_profiles'
    | 'staff_locations'
    | 'request_limit_staff',
  column: string,
  values: readonly number[],
  wanted: 'LimitRow' | 'StaffRow',
): Promise<number[]> {
  const found = new Set<number>();
  for (let at = 0; at < values.length; at += valuesAtOnce) {
    const rows = await trx
      .selectFrom(table as 'request_limit_staff')
      .select(wanted)
      .distinct()
      .where(column as 'LimitRow', 'in', values.slice(at, at + valuesAtOnce))
      .execute();
    for (const row of rows) found.add(row[wanted]);
    await pause();
  }
  return [...found];
}

/** Values per statement: far below any limit on parameters. */
const valuesAtOnce = 500;

async function writeAudit({ unit, changes, removed, pause }: ImportContext): Promise<void> {
  const { trx, scope, now } = unit;
  const rows = [...changes.keys()];
  for (let at = 0; at < rows.length; at += valuesAtOnce) {
    const people = await trx
      .selectFrom('staff')
      .select(['StaffRow', 'StaffKey'])
      .where('StaffRow', 'in', rows.slice(at, at + valuesAtOnce))
      .execute();
    const audit = people.map(({ StaffRow, StaffKey }) =>
      createAuditRow(scope, { now, staffKey: StaffKey, changed: [...(changes.get(StaffRow) ?? [])] }),
    );
    await insertRows(trx, 'audit', audit as Row<'audit'>[], pause);
    await pause();
  }
  const gone = [...removed].map((staffKey) => createAuditRow(scope, { now, staffKey, changed: ['Removed'] }));
  await insertRows(trx, 'audit', gone as Row<'audit'>[], pause);
}
