import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, type Info, type Options, parse } from 'csv-parse';

export interface CsvRow<Cell = string> {
  /** The line where the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
  /** Number of bytes read so far. */
  readonly bytes: number;
}

export interface CsvFile<Cell = string> {
  readonly delimiter: string;
  /** Yields every row that is not blank, the header first. */
  rows(): AsyncGenerator<CsvRow<Cell>>;
}

const delimiters = [',', ';', '\t'];
/** Longer than any real row: without a limit, an unclosed quote would make one row of the rest of the file. */
const rowBytesMax = 1_000_000;

/**
 * Opens a CSV file (RFC 4180) in UTF-8 with or without a byte order mark, separated by commas, semicolons or tabs. Rows
 * are read on demand.
 * @throws RosterError for another encoding, or unbalanced quotes
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const delimiter = findDelimiter(await readStart(path));
  return { delimiter, rows: () => readRows<string>(path, delimiter, decodeLines, {}) };
}

/**
 * Opens a CSV file whose cells are read exactly: line ends within quotes are unchanged, and a cell without text is null
 * unless it has quotes.
 * @throws RosterError for another encoding, or unbalanced quotes
 */
export async function openExactCsv(path: string): Promise<CsvFile<string | null>> {
  const start = await readStart(path);
  const delimiter = findDelimiter(start);
  const record_delimiter = /^[^\r\n]*\r(?!\n)/.test(start) ? ['\r'] : ['\r\n', '\n'];
  const cast = (cell: string, { quoting }: { readonly quoting: boolean }) => (cell === '' && !quoting ? null : cell);
  return { delimiter, rows: () => readRows<string | null>(path, delimiter, decodeExactly, { record_delimiter, cast }) };
}

async function* readRows<Cell extends string | null>(
  path: string,
  delimiter: string,
  decode: (path: string, progress: { bytes: number }) => AsyncGenerator<string>,
  options: Options,
): AsyncGenerator<CsvRow<Cell>> {
  const progress = { bytes: 0 };
  // Only the parser knows where a fault is: rows that it parsed before are dropped with the fault.
  let faultLine = 1;
  const parser = parse({
    ...{ delimiter, record_delimiter: '\n', info: true, relax_column_count: true, max_record_size: rowBytesMax },
    on_record(record: string[], { lines }: { readonly lines: number }) {
      faultLine = lines + 1;
      return record;
    },
    ...options,
  });
  const text = Readable.from(decode(path, progress));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: Cell[]; info: Info }>) {
      if (record.some((cell) => cell !== null && cell.trim() !== ''))
        yield { line, cells: record, bytes: progress.bytes };
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

/** Yields text with LF line ends, so that lines within quotes are counted as editors count them. */
async function* decodeLines(path: string, progress: { bytes: number }): AsyncGenerator<string> {
  let lastCr = '';
  for await (const decoded of decodeExactly(path, progress)) {
    const text = lastCr + decoded;
    // A chunk may end between CR and LF.
    lastCr = text.endsWith('\r') ? '\r' : '';
    yield (lastCr === '' ? text : text.slice(0, -1)).replaceAll(/\r\n?/g, '\n');
  }
  if (lastCr !== '') yield '\n';
}

async function* decodeExactly(path: string, progress: { bytes: number }): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      const detail = `The file is not UTF-8, here or in a line below. Save it as “CSV UTF-8”.`;
      throw new RosterError([{ line: lines, name: '', detail }]);
    }
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    progress.bytes += chunk.length;
    const text = decode(chunk);
    lines += text.split(/\r\n?|\n/).length - 1;
    yield text;
  }
  yield decode();
}

function describeSyntax({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'A quote is opened here or in a line below, and never closed.';
  if (code === 'CSV_MAX_RECORD_SIZE') return 'The row is longer than 1 MB. Check for an unclosed quote.';
  if (code === 'CSV_INVALID_CLOSING_QUOTE') {
    return 'Text follows a closing quote. Within quotes, write each quote twice.';
  }
  return 'A cell without quotes contains a quote. Put the cell in quotes, and write the quote twice.';
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start.length === 0) throw new RosterError([{ line: 1, name: '', detail: 'The file is empty.' }]);
    // Other encodings have zero bytes in the first line; zero bytes below are faults of their rows.
    if (start.subarray(0, start.indexOf(0x0a) + 1 || start.length).includes(0)) {
      const detail = 'The file is not UTF-8 text. Save it as “CSV UTF-8”, not as Unicode text or a workbook.';
      throw new RosterError([{ line: 1, name: '', detail }]);
    }
    return start.toString('utf8');
  } finally {
    await file.close();
  }
}

/** Returns the most frequent delimiter of the first line, outside of quotes. */
function findDelimiter(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

export interface RowFault {
  /** The line at which the row begins, from 1. */
  readonly line: number;
  /** Column of the cell, from 1; undefined for the whole row. */
  readonly column?: number | undefined;
  readonly name: string;
  readonly detail: string;
}

/** The file is not a roster. */
export class RosterError extends Error {
  readonly faults: readonly RowFault[];

  constructor(faults: readonly RowFault[]) {
    super(faults.map(({ detail }) => detail).join(' '));
    this.name = 'RosterError';
    this.faults = faults;
  }
}
