import { didYouMean } from '@rostergate/server/problem';
import type { RosterFacts, RosterStore, TagName } from '../store/roster-store.ts';
import type { WriteScope } from '../store/scope.ts';
import { RosterError, type RowFault } from './csv-records.ts';
import type { CsvFile } from './csv-rows.ts';
import { findManagerFaults, type ManagerClaim } from './managers.ts';
import { type RosterHeader, readHeader } from './roster-header.ts';
import { createRowReader, type ParsedRow, type ReadRow } from './roster-row.ts';

export interface CheckOptions {
  readonly file: CsvFile;
  readonly roster: Pick<RosterStore, 'readFacts' | 'check'>;
  readonly scope: WriteScope;
  readonly createsTags: boolean;
  /** Called with the number of bytes read. */
  readonly onProgress: (bytes: number) => void;
}

export interface CheckedRoster {
  readonly header: RosterHeader;
  readonly readRow: ReadRow;
  /** Number of rows with people, valid or not. */
  readonly rows: number;
  /** Number of valid rows with new people. */
  readonly newPeople: number;
  readonly faults: readonly RowFault[];
  /** Lines at which an invalid row begins. */
  readonly badLines: ReadonlySet<number>;
  /** Tags of valid rows that the company lacks. */
  readonly newTags: readonly TagName[];
}

/** Rows whose people are looked up in one query. */
const rowsAtOnce = 400;

/**
 * Reads a whole roster and finds all faults: of the contract, of the store's rules, and between rows. Writes nothing
 * and keeps little of each row in memory.
 * @throws RosterError when the file is not a roster
 */
export async function checkRoster(options: CheckOptions): Promise<CheckedRoster> {
  const { file, roster, scope, createsTags, onProgress } = options;
  const facts = await roster.readFacts(scope.companyKey);
  const faults: RowFault[] = [];
  const claims: ManagerClaim[] = [];
  const lineOf = new Map<string, number>();
  const newTags = new Map<string, TagName>();
  let header: RosterHeader | undefined;
  let readRow: ReadRow | undefined;
  let rows = 0;
  let pending: ParsedRow[] = [];

  async function checkPending(): Promise<void> {
    const checked = await roster.check(
      scope,
      pending.map(({ body }) => body),
    );
    for (const [i, { line, body }] of pending.entries()) {
      const found = checked[i] ?? [];
      for (const { pointer = '', detail } of found) faults.push(faultOf(line, pointer.slice(1), `It ${detail}.`));
      if (found.length === 0) claims.push({ line, staffId: body.StaffId, managerId: body.ManagerId });
    }
    pending = [];
  }

  const faultOf = (line: number, name: string, detail: string): RowFault => {
    const column = header?.columns.find((one) => one.name === name);
    return { line, column: column && column.index + 1, name, detail };
  };

  for await (const { line, cells, bytes } of file.rows()) {
    if (header === undefined || readRow === undefined) {
      header = readHeader(cells, line);
      readRow = createRowReader(header, file.delimiter);
      continue;
    }
    rows++;
    const row = readRow(line, cells);
    const found = [...row.faults];
    const first = lineOf.get(row.body.StaffId);
    if (first !== undefined) found.push(faultOf(line, 'StaffId', `Line ${first} already contains this person.`));
    else if (row.body.StaffId !== undefined) lineOf.set(row.body.StaffId, line);
    for (const tag of row.tags) {
      const detail = facts.tags.get(tag.category)?.has(tag.name) ? undefined : describeMissing(tag, facts);
      if (detail === undefined) continue;
      if (createsTags) newTags.set(`${tag.category}\u0000${tag.name}`, tag);
      else found.push(faultOf(line, 'Tags', detail));
    }
    for (const profile of row.profiles) {
      if (facts.profiles.has(profile)) continue;
      const guess = didYouMean(profile, [...facts.profiles.keys()]);
      found.push(faultOf(line, 'Profiles', `The company has no profile ${JSON.stringify(profile)}.${guess}`));
    }
    faults.push(...found);
    if (found.length === 0) pending.push(row);
    if (pending.length >= rowsAtOnce) await checkPending();
    onProgress(bytes);
  }
  await checkPending();
  if (header === undefined || readRow === undefined) {
    throw new RosterError([{ line: 1, name: '', detail: 'The file contains only blank lines.' }]);
  }
  for (const { line, detail } of findManagerFaults(facts.managers, claims))
    faults.push(faultOf(line, 'ManagerId', detail));
  faults.sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  const badLines = new Set(faults.map(({ line }) => line));
  const good = claims.filter(({ line }) => !badLines.has(line));
  const newPeople = good.filter(({ staffId }) => !facts.managers.has(staffId)).length;
  return { header, readRow, rows, newPeople, faults, badLines, newTags: [...newTags.values()] };
}

function describeMissing({ category, name }: TagName, { tags }: RosterFacts): string {
  const remedy = ' Or create it with --create-tags.';
  const ofCategory = tags.get(category);
  if (ofCategory === undefined) {
    const guess = didYouMean(category, [...tags.keys()]);
    return `The company has no tag category ${JSON.stringify(category)}.${guess}${remedy}`;
  }
  const guess = didYouMean(name, [...ofCategory.keys()]);
  return `The category ${JSON.stringify(category)} has no tag ${JSON.stringify(name)}.${guess}${remedy}`;
}
