import { readFile, stat } from 'node:fs/promises';
import { didYouMean } from '@rostergate/server/problem';
import { type CsvRow, RosterError } from '../roster-import/csv-records.ts';
import { type CsvFile, openExactCsv, readExactCsv } from '../roster-import/csv-rows.ts';
import { type CompanyFile, columnNames, type FileColumn, requiredNames } from './company-file.ts';
import { type FileFault, readCell } from './file-value.ts';

export interface FileRow {
  /** The line of a CSV file where the row begins, or the number of the entry of a JSON file; from 1. */
  readonly line: number;
  /** Values by column name. A column that the file does not have is missing. */
  readonly values: Readonly<Record<string, unknown>>;
  /** A fault of the row as a whole. */
  readonly fault?: string;
}

export interface OpenCompanyFile {
  /** Returns the position of a column, from 1; undefined in a JSON file. */
  columnOf(name: string): number | undefined;
  /** Yields the rows in parts. */
  parts(): AsyncIterable<Iterable<FileRow>>;
}

/** A larger JSON file does not fit in one text; CSV files of any size are read in pieces. */
const jsonBytesMax = 400_000_000;

/**
 * Opens a file of a company, CSV or JSON by the end of its name.
 * @throws RosterError with the faults of a file that cannot be read as rows
 */
export async function openCompanyFile(path: string, file: CompanyFile): Promise<OpenCompanyFile> {
  return path.endsWith('.json') ? openJson(path, file) : openCsv(await openExactCsv(path), file);
}

/**
 * Opens rows in memory: CSV text, or the entries of a JSON array.
 * @throws RosterError with the faults of a text that cannot be read as rows
 */
export async function openCompanyRows(rows: string | readonly unknown[], file: CompanyFile): Promise<OpenCompanyFile> {
  return typeof rows === 'string' ? openCsv(readExactCsv(rows), file) : openEntries(rows, file);
}

async function openCsv(csv: CsvFile<string | null>, file: CompanyFile): Promise<OpenCompanyFile> {
  const parts = csv.parts();
  const [header, ...first] = await readFirst(parts);
  if (header === undefined) throw new RosterError([{ line: 1, name: '', detail: 'The file has no line of names.' }]);
  const columns = readNames(header.cells, header.line, file);
  const missing = requiredNames(file).filter((name) => !columns.some((column) => column.name === name));
  if (missing.length > 0) {
    const detail = `The first line lacks ${missing.join(' and ')}, which ${missing.length === 1 ? 'identifies' : 'identify'} a row.`;
    throw new RosterError([{ line: header.line, name: missing[0] as string, detail }]);
  }
  const positions = new Map(columns.map(({ name }, i) => [name, i + 1]));
  function readRow({ line, cells }: CsvRow<string | null>): FileRow {
    if (cells.length !== columns.length) {
      const fault = `The row has ${cells.length} cells, and the first line has ${columns.length}.`;
      return { line, values: {}, fault };
    }
    const values: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) {
      const { name, kind } = columns[i] as FileColumn;
      values[name] = readCell(cells[i] as string | null, kind, csv.delimiter);
    }
    return { line, values };
  }
  async function* readParts(): AsyncGenerator<readonly FileRow[]> {
    yield first.map(readRow);
    for await (const part of parts) yield part.map(readRow);
  }
  return { columnOf: (name) => positions.get(name), parts: readParts };
}

/** Returns the first part that has rows. */
async function readFirst<T>(parts: AsyncGenerator<readonly T[]>): Promise<readonly T[]> {
  for (;;) {
    const { value, done } = await parts.next();
    if (done === true) return [];
    if (value.length > 0) return value;
  }
}

/** Returns the columns that a header names, in any letter case. */
function readNames(cells: readonly (string | null)[], line: number, file: CompanyFile): FileColumn[] {
  const known = columnNames(file);
  const byLowerCase = new Map(known.map((name) => [name.toLowerCase(), name]));
  const kinds = new Map(file.columns.map((column) => [column.name, column]));
  const faults: FileFault[] = [];
  const seen = new Set<string>();
  const columns = cells.map((cell, i): FileColumn => {
    const given = (cell ?? '').trim();
    const name = byLowerCase.get(given.toLowerCase());
    if (name === undefined || seen.has(name)) {
      const guess = didYouMean(given, known) || ` Use names of these: ${known.join(', ')}.`;
      const detail =
        name === undefined ? `There is no such column.${guess}` : 'Two columns have this name. Remove one.';
      faults.push({ line, column: i + 1, name: given, detail });
    } else seen.add(name);
    return kinds.get(name ?? '') ?? { name: name ?? '', kind: 'text', isNullable: false };
  });
  if (faults.length > 0) throw new RosterError(faults);
  return columns;
}

async function openJson(path: string, file: CompanyFile): Promise<OpenCompanyFile> {
  const fail = (detail: string): never => {
    throw new RosterError([{ line: 1, name: '', detail }]);
  };
  if ((await stat(path)).size > jsonBytesMax) fail('The file is larger than 400 MB. Use CSV, or divide the company.');
  const parsed = parseJson(await readFile(path, 'utf8'), fail);
  return Array.isArray(parsed) ? openEntries(parsed, file) : fail('The file must be an array of objects.');
}

/** Each compares with all columns, and a list of faults ends soon. */
const guessesMax = 100;

function openEntries(entries: readonly unknown[], file: CompanyFile): OpenCompanyFile {
  const known = new Set(columnNames(file));
  let guesses = 0;
  function* readRows(): Generator<FileRow> {
    for (const [i, entry] of entries.entries()) {
      const line = i + 1;
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
        yield { line, values: {}, fault: 'The entry must be an object.' };
        continue;
      }
      const unknown = Object.keys(entry).find((name) => !known.has(name));
      const isGuessed = unknown !== undefined && guesses++ < guessesMax;
      const guess = (isGuessed && didYouMean(unknown, [...known])) || ' Remove it.';
      const fault = unknown === undefined ? undefined : `There is no member ${JSON.stringify(unknown)}.${guess}`;
      yield { line, values: entry as Record<string, unknown>, ...(fault !== undefined && { fault }) };
    }
  }
  async function* readParts(): AsyncGenerator<Iterable<FileRow>> {
    yield readRows();
  }
  return { columnOf: () => undefined, parts: readParts };
}

function parseJson(text: string, fail: (detail: string) => never): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return fail(`The file is not JSON: ${(error as Error).message}.`);
  }
}
