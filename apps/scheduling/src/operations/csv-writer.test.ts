import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecordReader } from '../roster-import/csv-records.ts';
import { parseStaffQuery } from '../staff-query.ts';
import { createCsvWriter, toCell } from './csv-writer.ts';

const writerOf = (query: string) => createCsvWriter(parseStaffQuery(query, { clock: () => 0 }));

it('has the selected columns and the expanded collections', () => {
  expect(writerOf('$select=LastName,StaffId&$expand=Skillset').header).toBe('StaffId,LastName,Skillset\r\n');
});

it('has every single value without $select, and no collection that is not filled', () => {
  const columns = writerOf('$expand=Tags').header.trim().split(',');
  expect(columns).toEqual(expect.arrayContaining(['CompKey', 'StaffKey', 'Fte', 'Tags', 'TTCMTags']));
  for (const name of ['Skillset', 'AvailableProfiles', 'TimeClockKioskPIN']) expect(columns).not.toContain(name);
});

it('writes a row for each person', () => {
  const people = [
    { StaffId: 'S-1', LastName: 'O"Neil', Fte: 0.8, IsActive: true, Email: null },
    { StaffId: '', LastName: 'Osei', Fte: -1, IsActive: false, Email: 'a@b.example' },
  ];
  const slice = people.map((person) => `,${JSON.stringify(person)}`).join('');
  const { rowsOf } = writerOf('$select=StaffId,LastName,Fte,IsActive,Email');
  expect(rowsOf(slice)).toBe('S-1,"O""Neil",,0.8,true\r\n"",Osei,a@b.example,-1,false\r\n');
});

it.each([
  ['=1+1', `"'=1+1"`],
  ['+353 1 234', `"'+353 1 234"`],
  ['-x', `"'-x"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tx', `"'\tx"`],
  ['\r=1', `"'\r=1"`],
  ['\n', `"'\n"`],
  ['  =1', `"'  =1"`],
  ['＝1', `"'＝1"`],
  ['a;=1', '"a;=1"'],
  ['a=1', 'a=1'],
  [-1.5, '-1.5'],
  ['', '""'],
  [null, ''],
  [[{ Name: '=1' }], '"[{""Name"":""=1""}]"'],
])('writes %j as %s', (value, cell) => {
  expect(toCell(value)).toBe(cell);
});

it('is read back as it was, but for the apostrophe of formulas', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }), (texts) => {
      const reader = createRecordReader({ delimiter: ',', lineEnd: '\n', emptyCell: '' });
      // Blank records are skipped: a last cell with text prevents that.
      const [{ cells: row = [] } = {}] = reader.read(`${[...texts, 'last'].map(toCell).join()}\r\n`, 0);
      for (const [i, text] of texts.entries()) {
        expect([text, `'${text}`]).toContain(row[i]);
        expect(row[i]).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/);
      }
    }),
  );
});
