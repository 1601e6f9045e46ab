import type { ConfigFault } from '@rostergate/config';
import { CommandFailure, exitCodes, formatFaults, type Terminal, toFaultJson } from '@rostergate/config/command';
import type { RowFault } from '../roster-import/csv-records.ts';
import type { TagName } from '../store/roster-store.ts';

export interface ImportReport {
  readonly name: string;
  readonly company: string;
  /** The request id of the import in the audit. */
  readonly requestId: string;
  readonly rows: number;
  readonly bad: number;
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly newTags: readonly TagName[];
  readonly faults: readonly RowFault[];
  readonly ignored: readonly string[];
  readonly isWritten: boolean;
  readonly isDryRun: boolean;
  /** Rows are invalid, and `--skip-bad` was not given. */
  readonly isRejected: boolean;
  /** A concurrent change prevented that all rows or managers were written. */
  readonly isPartial: boolean;
}

/**
 * Prints the result of an import or a dry run, with every invalid row.
 * @throws CommandFailure, without a message of its own, when not everything was written
 */
export function reportImport({ out, err }: Terminal, report: ImportReport, wantsJson: boolean): void {
  const { rows, bad, faults, isRejected, isPartial } = report;
  const found = toFaults(report.name, faults);
  if (wantsJson) out.write(`${JSON.stringify(toJson(report, found), null, 2)}\n`);
  else {
    if (found.length > 0) {
      const lines = new Set(faults.map(({ line }) => line)).size;
      const are = isPartial ? 'could not be written completely' : bad === 1 ? 'is invalid' : 'are invalid';
      err.write(`${count(lines, 'row')} of ${number(rows)} ${are}:\n`);
      err.write(formatFaults(found, { output: err, readText: () => undefined }));
    }
    for (const name of report.ignored) {
      err.write(
        `${err.style('yellow', 'Note')}: The column ${name} was ignored, because it is derived from ManagerId.\n`,
      );
    }
    (isRejected ? err : out).write(`${describe(report)}\n`);
    if (isPartial) err.write('The company was changed during the import. Import the file again to write the rest.\n');
  }
  if (isPartial) throw new CommandFailure('Rows were not written completely.', exitCodes.invalid, { isReported: true });
  if (isRejected) throw new CommandFailure('Rows are invalid.', exitCodes.invalid, { isReported: true });
}

function describe({ name, company, rows, bad, added, changed, same, newTags, ...report }: ImportReport): string {
  const tags = newTags.length === 0 ? '' : `, ${count(newTags.length, 'new tag')}`;
  const left = bad === 0 ? '' : `, ${count(bad, 'invalid row')} skipped`;
  if (report.isRejected) return 'Nothing was written. Correct the rows, or skip them with --skip-bad.';
  if (report.isDryRun) {
    return `Nothing was written. ${count(rows, 'row')} of ${name}: ${count(added, 'new person')}, ${count(changed, 'existing person')}${tags}${left}.`;
  }
  return `Read ${count(rows, 'row')} of ${name} for ${company}: ${number(added)} added, ${number(changed)} changed, ${number(same)} unchanged${tags}${left}. Request id in the audit: ${report.requestId}`;
}

const number = (n: number) => n.toLocaleString('en-US');
const plurals: Readonly<Record<string, string>> = {
  'new person': 'new people',
  'existing person': 'existing people',
};
const count = (n: number, what: string) => `${number(n)} ${n === 1 ? what : (plurals[what] ?? `${what}s`)}`;

/** Returns row faults in the form of other files' faults. */
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
