import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type CsvRow, createRecordReader, type RecordForm, RosterError } from './csv-records.ts';

export interface CsvFile<Cell = string> {
  readonly delimiter: string;
  /** Yields every row that is not blank, the header first. */
  rows(): AsyncGenerator<CsvRow<Cell>>;
  /** Yields the same rows in parts: a promise for each row costs more than reading it. */
  parts(): AsyncGenerator<readonly CsvRow<Cell>[]>;
}

const delimiters = [',', ';', '\t'];

/**
 * Opens a CSV file (RFC 4180) in UTF-8 with or without a byte order mark, separated by commas, semicolons or tabs. Rows
 * are read on demand.
 * @throws RosterError for another encoding, or unbalanced quotes
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const delimiter = findDelimiter(await readStart(path));
  return createFile((progress) => decodeLines(path, progress), { delimiter, lineEnd: '\n', emptyCell: '' });
}

/**
 * Opens a CSV file whose cells are read exactly: line ends within quotes are unchanged, and a cell without text is null
 * unless it has quotes.
 * @throws RosterError for another encoding, or unbalanced quotes
 */
export async function openExactCsv(path: string): Promise<CsvFile<string | null>> {
  return createFile((progress) => decodeExactly(path, progress), exactForm(await readStart(path)));
}

/** Returns the rows of a CSV text, whose cells are read exactly. */
export function readExactCsv(text: string): CsvFile<string | null> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += startLength) yield text.slice(at, at + startLength);
  }
  return createFile(pieces, exactForm(text.slice(0, startLength)));
}

function exactForm(start: string): RecordForm<string | null> {
  const lineEnd = /^[^\r\n]*\r(?!\n)/.test(start) ? '\r' : '\n';
  return { delimiter: findDelimiter(start), lineEnd, emptyCell: null };
}

type ReadText = (progress: { bytes: number }) => AsyncGenerator<string>;

function createFile<Cell extends string | null>(readText: ReadText, form: RecordForm<Cell>): CsvFile<Cell> {
  async function* parts(): AsyncGenerator<readonly CsvRow<Cell>[]> {
    const progress = { bytes: 0 };
    const records = createRecordReader(form);
    for await (const text of readText(progress)) yield records.read(text, progress.bytes);
    yield records.end(progress.bytes);
  }
  return {
    delimiter: form.delimiter,
    parts,
    async *rows() {
      for await (const part of parts()) yield* part;
    },
  };
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

/** Enough for the first line. */
const startLength = 65_536;

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startLength), 0, startLength, 0);
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
