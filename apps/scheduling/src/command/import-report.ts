import { CommandFailure, exitCodes, formatFaults, type Terminal, toFaultJson } from '@rostergate/runtime/command';
import type { ConfigFault } from '@rostergate/runtime/config';
import type { RowFault } from '../roster-import/csv-rows.ts';
import type { TagName } from '../store/roster-store.ts';

export interface ImportReport {
  readonly name: string;
  readonly company: string;
  /** What the audit has for all of it. */
  readonly requestId: string;
  readonly rows: number;
  readonly bad: number;
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly newTags: readonly TagName[];
  readonly faults: readonly RowFault[];
  /** Columns that were left aside. */
  readonly ignored: readonly string[];
  readonly isWritten: boolean;
  readonly isDryRun: boolean;
  /** Rows are bad, and were not to be left out. */
  readonly isRefused: boolean;
  /** A concurrent change has kept rows from being written, or managers from being set. */
  readonly isPartial: boolean;
}

/**
 * Tells what an import has done, or would do, with every bad row.
 * @throws CommandFailure, with all said, when not all that was to be written is written
 */
export function tellOfImport({ out, err }: Terminal, report: ImportReport, wantsJson: boolean): void {
  const { rows, bad, faults, isRefused, isPartial } = report;
  const found = toFaults(report.name, faults);
  if (wantsJson) out.write(`${JSON.stringify(toJson(report, found), null, 2)}\n`);
  else {
    if (found.length > 0) {
      const lines = new Set(faults.map(({ line }) => line)).size;
      const are = isPartial ? 'could not be written whole' : bad === 1 ? 'is bad' : 'are bad';
      err.write(`${count(lines, 'row')} of ${number(rows)} ${are}:\n`);
      err.write(formatFaults(found, { output: err, readText: () => undefined }));
    }
    for (const name of report.ignored) {
      err.write(`${err.style('yellow', 'Note')}: The column ${name} was left aside: it follows from ManagerId.\n`);
    }
    (isRefused ? err : out).write(`${describe(report)}\n`);
    if (isPartial) err.write('The company was changed meanwhile. Import the file again to write the rest.\n');
  }
  if (isPartial) throw new CommandFailure('Rows were not written whole.', exitCodes.faulty, { isTold: true });
  if (isRefused) throw new CommandFailure('Rows are bad.', exitCodes.faulty, { isTold: true });
}

function describe({ name, company, rows, bad, added, changed, same, newTags, ...report }: ImportReport): string {
  const tags = newTags.length === 0 ? '' : `, ${count(newTags.length, 'new tag')}`;
  const left = bad === 0 ? '' : `, ${count(bad, 'bad row')} left out`;
  if (report.isRefused) return 'Nothing was written: mend the rows, or leave them out with --skip-bad.';
  if (report.isDryRun) {
    return `Nothing was written. ${count(rows, 'row')} of ${name}: ${count(added, 'new person')}, ${count(changed, 'person')} who ${changed === 1 ? 'is' : 'are'} there${tags}${left}.`;
  }
  return `${count(rows, 'row')} of ${name} into ${company}: ${number(added)} added, ${number(changed)} changed, ${number(same)} the same as before${tags}${left}. In the audit: request ${report.requestId}.`;
}

const number = (n: number) => n.toLocaleString('en-US');
const plurals: Readonly<Record<string, string>> = { person: 'people', 'new person': 'new people' };
const count = (n: number, what: string) => `${number(n)} ${n === 1 ? what : (plurals[what] ?? `${what}s`)}`;

/** Faults of rows as those of any other file. */
export function toFaults(name: string, faults: readonly RowFault[]): ConfigFault[] {
  return faults.map(({ line, column, name: field, detail }) => ({
    where: `${name}:${line}${column === undefined ? '' : `, column ${column}`}`,
    field,
    detail,
    place: { file: name, line, column: column ?? 1 },
  }));
}

function toJson(report: ImportReport, found: readonly ConfigFault[]) {
  const { company, requestId, rows, bad, added, changed, same, newTags, isWritten, isDryRun } = report;
  return {
    ...{ company_key: company, request_id: isWritten ? requestId : null, is_written: isWritten, is_dry_run: isDryRun },
    ...{ rows, bad, added, changed, same, new_tags: newTags, ignored_columns: report.ignored },
    faults: found.map(toFaultJson),
  };
}
