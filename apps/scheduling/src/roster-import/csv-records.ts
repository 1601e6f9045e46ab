export interface CsvRow<Cell = string> {
  /** The line where the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
  /** Number of bytes read so far. */
  readonly bytes: number;
}

/** How the records of a file are written. */
export interface RecordForm<Cell> {
  readonly delimiter: string;
  /** `\n` includes `\r\n`. */
  readonly lineEnd: '\n' | '\r';
  /** The value of a cell without text and quotes. */
  readonly emptyCell: Cell;
}

export interface RecordReader<Cell> {
  /** Returns the complete records of the text so far that no call has returned, without blank ones. */
  read(text: string, bytes: number): CsvRow<Cell>[];
  /** Returns the last record of a file without a line end after it. */
  end(bytes: number): CsvRow<Cell>[];
}

/** Longer than any real row: without a limit, an unclosed quote would make one row of the rest of the file. */
const recordLengthMax = 1_000_000;

/**
 * Returns a reader of the records of a CSV file (RFC 4180), in pieces of any size.
 * @throws RosterError at a record with unbalanced quotes
 */
export function createRecordReader<Cell extends string | null>({
  delimiter,
  lineEnd,
  emptyCell,
}: RecordForm<Cell>): RecordReader<Cell> {
  let text = '';
  let line = 1;

  const fail = (detail: string): never => {
    throw new RosterError([{ line, name: '', detail }]);
  };
  const cellOf = (cell: string): Cell => (cell === '' ? emptyCell : (cell as Cell));

  function readPlain(from: number, lineBreak: number): Cell[] | undefined {
    const end = lineBreak < 0 ? text.length : lineBreak;
    const hasReturn = lineBreak > from && lineEnd === '\n' && text[lineBreak - 1] === '\r';
    const record = text.slice(from, hasReturn ? end - 1 : end);
    return record.includes('"') ? undefined : record.split(delimiter).map(cellOf);
  }

  /** Reads a record with quotes; returns undefined when the text ends within it. */
  function readQuoted(from: number, isLast: boolean): { cells: Cell[]; end: number } | undefined {
    const cells: Cell[] = [];
    for (let at = from; ; at++) {
      if (text[at] === '"') {
        const close = findClosingQuote(text, at + 1);
        if (close < 0 && isLast) fail('A quote is opened here or in a line below, and never closed.');
        // What follows the quote, up to two characters, may be in the next piece.
        if (close < 0 || (close + 2 >= text.length && !isLast)) return undefined;
        cells.push(text.slice(at + 1, close).replaceAll('""', '"') as Cell);
        at = close + 1;
      } else {
        const end = findCellEnd(at);
        if (end < 0 && !isLast) return undefined;
        const cell = text.slice(at, end < 0 ? text.length : end);
        if (cell.includes('"')) {
          fail('A cell without quotes contains a quote. Put the cell in quotes, and write the quote twice.');
        }
        cells.push(cellOf(cell));
        at += cell.length;
      }
      if (text[at] === delimiter) continue;
      if (at >= text.length || text[at] === lineEnd) return { cells, end: at + 1 };
      if (lineEnd === '\n' && text[at] === '\r' && text[at + 1] === '\n') return { cells, end: at + 2 };
      fail('Text follows a closing quote. Within quotes, write each quote twice.');
    }
  }

  /** Returns the position after an unquoted cell, or -1. */
  function findCellEnd(from: number): number {
    const lineBreak = text.indexOf(lineEnd, from);
    const next = text.indexOf(delimiter, from);
    if (next >= 0 && (lineBreak < 0 || next < lineBreak)) return next;
    return lineEnd === '\n' && lineBreak > from && text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak;
  }

  function readRecords(isLast: boolean, bytes: number): CsvRow<Cell>[] {
    const rows: CsvRow<Cell>[] = [];
    let at = 0;
    while (at < text.length) {
      const lineBreak = text.indexOf(lineEnd, at);
      const plain = lineBreak >= 0 || isLast ? readPlain(at, lineBreak) : undefined;
      const quoted = plain === undefined && (lineBreak >= 0 || isLast) ? readQuoted(at, isLast) : undefined;
      const end = plain === undefined ? quoted?.end : lineBreak < 0 ? text.length : lineBreak + 1;
      if ((end ?? text.length) - at > recordLengthMax)
        fail('The row is longer than 1 MB. Check for an unclosed quote.');
      const cells = plain ?? quoted?.cells;
      if (cells === undefined || end === undefined) break;
      if (cells.some((cell) => cell !== null && cell.trim() !== '')) rows.push({ line, cells, bytes });
      line += plain === undefined ? countLineEnds(text.slice(at, end)) : 1;
      at = end;
    }
    text = text.slice(at);
    return rows;
  }

  return {
    read(more, bytes) {
      text += more;
      return readRecords(false, bytes);
    },
    end: (bytes) => readRecords(true, bytes),
  };
}

const countLineEnds = (text: string): number => text.split(/\r\n?|\n/).length - 1;

/** Returns the position of the quote that closes a cell, or -1. */
function findClosingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 || text[at + 1] !== '"') return at;
  }
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
