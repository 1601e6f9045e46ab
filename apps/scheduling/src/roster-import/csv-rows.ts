import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';

export interface CsvRow {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** How much of the file has been read. */
  readonly bytes: number;
}

export interface CsvFile {
  readonly delimiter: string;
  /** Every row but blank ones, the header first. */
  rows(): AsyncGenerator<CsvRow>;
}

const delimiters = [',', ';', '\t'];
/** Nobody's row is longer; a quote that is never closed would take the rest of the file for one. */
const rowBytesMax = 1_000_000;

/**
 * Opens a file of comma-separated values (RFC 4180), in UTF-8 with or without a byte order mark; semicolons or tabs do
 * as well, whichever the first line has most of. What it yields is read as it is asked for.
 * @throws RosterError when it is of another encoding, or its quotes do not match
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const delimiter = findDelimiter(await readStart(path));
  return { delimiter, rows: () => readRows(path, delimiter) };
}

async function* readRows(path: string, delimiter: string): AsyncGenerator<CsvRow> {
  const progress = { bytes: 0 };
  // Rows that were read before a fault are dropped with it: where it is, the parser alone knows.
  let faultLine = 1;
  const parser = parse({
    ...{ delimiter, record_delimiter: '\n', info: true, relax_column_count: true, max_record_size: rowBytesMax },
    on_record(record: string[], { lines }: { readonly lines: number }) {
      faultLine = lines + 1;
      return record;
    },
  });
  const text = Readable.from(readText(path, progress));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (record.some((cell) => cell.trim() !== '')) yield { line, cells: record, bytes: progress.bytes };
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new RosterError([{ line: faultLine, name: '', detail: describeSyntax(error) }])
      : error;
  } finally {
    text.destroy();
  }
}

/** Text with one kind of line ends, so that lines within quotes are counted as editors count them. */
async function* readText(path: string, progress: { bytes: number }): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  let held = '';
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      const detail = `It is not in UTF-8, here or somewhat further down: save it as “CSV UTF-8”.`;
      throw new RosterError([{ line: lines, name: '', detail }]);
    }
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    progress.bytes += chunk.length;
    const text = held + decode(chunk);
    // A line end may be cut in two.
    held = text.endsWith('\r') ? '\r' : '';
    const whole = (held === '' ? text : text.slice(0, -1)).replaceAll(/\r\n?/g, '\n');
    lines += whole.split('\n').length - 1;
    yield whole;
  }
  yield (held + decode()).replaceAll(/\r\n?/g, '\n');
}

function describeSyntax({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'A quote is opened here or further down, and never closed.';
  if (code === 'CSV_MAX_RECORD_SIZE') return 'The row is longer than 1 MB; a quote may not be closed.';
  if (code === 'CSV_INVALID_CLOSING_QUOTE') {
    return 'A closing quote is followed by more text: within quotes, each quote is written twice.';
  }
  return 'A quote stands within a cell that is not quoted: put the cell in quotes, and write the quote twice.';
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start.length === 0) throw new RosterError([{ line: 1, name: '', detail: 'It is empty.' }]);
    // Other encodings have such bytes in the first line already; further down they are faults of their rows.
    if (start.subarray(0, start.indexOf(0x0a) + 1 || start.length).includes(0)) {
      const detail = 'It is no text in UTF-8: save it as “CSV UTF-8”, not as Unicode text or a workbook.';
      throw new RosterError([{ line: 1, name: '', detail }]);
    }
    return start.toString('utf8');
  } finally {
    await file.close();
  }
}

/** The one that stands most often in the first line, outside of quotes. */
function findDelimiter(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** What is wrong with a row of a roster, and where. */
export interface RowFault {
  /** The line at which the row begins, from 1. */
  readonly line: number;
  /** Of the cell, from 1; undefined for a row as a whole. */
  readonly column?: number | undefined;
  /** Name of the column; empty for a row as a whole. */
  readonly name: string;
  readonly detail: string;
}

/** The file cannot be read as a roster at all. */
export class RosterError extends Error {
  readonly faults: readonly RowFault[];

  constructor(faults: readonly RowFault[]) {
    super(faults.map(({ detail }) => detail).join(' '));
    this.name = 'RosterError';
    this.faults = faults;
  }
}
