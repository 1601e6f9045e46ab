import { expect, it } from 'vitest';
import { createRecordReader, type RecordForm } from './csv-records.ts';

const exact: RecordForm<string | null> = { delimiter: ',', lineEnd: '\n', emptyCell: null };

/** Reads a text in pieces of a size. */
function read(text: string, size: number, form: Partial<RecordForm<string | null>> = {}) {
  const records = createRecordReader({ ...exact, ...form });
  const rows = [];
  for (let at = 0; at < text.length; at += size) rows.push(...records.read(text.slice(at, at + size), at));
  rows.push(...records.end(text.length));
  return rows.map(({ line, cells }) => [line, ...cells]);
}

it.each<[what: string, text: string, want: unknown[][], form?: Partial<RecordForm<string | null>>]>([
  [
    'plain records',
    'a,b\nc,d\n',
    [
      [1, 'a', 'b'],
      [2, 'c', 'd'],
    ],
  ],
  [
    'a last record without a line end',
    'a\r\nb',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'a quoted last record without a line end',
    'a\n"b"',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  ['empty cells, with quotes and without', ',"",a\n', [[1, null, '', 'a']]],
  [
    'empty cells at the end',
    'a,\n"a",\n"a",',
    [
      [1, 'a', null],
      [2, 'a', null],
      [3, 'a', null],
    ],
  ],
  [
    'delimiters, quotes and line ends in quotes',
    '"a,b","c""d","""","e\r\nf"\r\ng\r\n',
    [
      [1, 'a,b', 'c"d', '"', 'e\r\nf'],
      [3, 'g'],
    ],
  ],
  [
    'blank records, which count as lines',
    '\n , \na\n\n"b"\n',
    [
      [3, 'a'],
      [5, 'b'],
    ],
  ],
  [
    'a carriage return within a cell',
    'a\rb,c\r\n"d\re",f\n',
    [
      [1, 'a\rb', 'c'],
      [2, 'd\re', 'f'],
    ],
  ],
  [
    'carriage returns as line ends',
    'a,b\r"c\rd",e\rf',
    [
      [1, 'a', 'b'],
      [2, 'c\rd', 'e'],
      [4, 'f'],
    ],
    { lineEnd: '\r' },
  ],
  ['another delimiter', 'a;"b;c"\n', [[1, 'a', 'b;c']], { delimiter: ';' }],
])('reads %s in pieces of any size', (_what, text, want, form) => {
  for (let size = 1; size <= text.length; size++) expect([size, ...read(text, size, form)]).toEqual([size, ...want]);
});

it.each([
  ['a,b"c\n', 1],
  ['a\n"b"c,d\n', 2],
  ['a\n"b\nc"\n"d\n', 4],
])('rejects unbalanced quotes with the line of the record: %j', (text, line) => {
  for (let size = 1; size <= text.length; size++) {
    expect(() => read(text, size)).toThrow(expect.objectContaining({ faults: [expect.objectContaining({ line })] }));
  }
});
