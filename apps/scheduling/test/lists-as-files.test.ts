import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRecordReader } from '../src/roster-import/csv-records.ts';
import { companyKey, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const listOf = (options: string, accept: string, as: 'admin' | 'reader' = 'admin') =>
  app.call(`/v2/staffmember?companyKey=${companyKey}${options}`, { as, headers: { Accept: accept } });
const rowsOf = (text: string): Record<string, string>[] => {
  const reader = createRecordReader({ delimiter: ',', lineEnd: '\n', emptyCell: '' });
  const [header, ...rows] = reader.read(text, 0).map(({ cells }) => cells);
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header?.[i] ?? '', cell])));
};

test.each(['', '&$filter=StaffKey ne null&$orderby=LastName desc', '&$top=3&$skip=2&$expand=Tags'])(
  'the list%s as NDJSON has the people of the array',
  async (options) => {
    const { status, headers, text } = await listOf(options, 'application/x-ndjson');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
    expect(text.endsWith('}\n')).toBe(true);
    const people = text.trimEnd().split('\n');
    const { body } = await listOf(options, 'application/json');
    expect(people.map((line) => JSON.parse(line))).toEqual(body);
  },
);

test('the list as CSV has the people of the array, all values of each, and JSON in cells with collections', async () => {
  const { status, headers, text } = await listOf('&$expand=Tags', 'text/csv');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('Vary')).toMatch(/Accept/);
  const { body } = await listOf('&$expand=Tags', 'application/json');
  const shown = (value: unknown) => {
    if (value === null) return '';
    const cell = typeof value === 'string' ? value : JSON.stringify(value);
    return typeof value === 'string' && /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  };
  const rows = rowsOf(text);
  expect(rows.length).toBe(body.length);
  for (const [i, row] of rows.entries()) {
    for (const [name, cell] of Object.entries(row)) expect([name, cell]).toEqual([name, shown(body[i][name])]);
  }
  expect(Object.keys(rows[0] ?? {})).not.toContain('Skillset');
});

test('a text that a spreadsheet could run follows an apostrophe', async () => {
  await app.post('/v2/staffmember', {
    StaffId: 'formula',
    LastName: `=HYPERLINK("http://x.example";"a,b")`,
    RegHours: -2,
  });
  const { text } = await listOf(`&$filter=StaffId eq 'formula'&$select=LastName,RegHours`, 'text/csv');
  expect(text).toBe(`LastName,RegHours\r\n"'=HYPERLINK(""http://x.example"";""a,b"")",-2\r\n`);
});

test('a list without people is a header, or nothing', async () => {
  expect((await listOf('&$top=0&$select=Email', 'text/csv')).text).toBe('Email\r\n');
  expect((await listOf('&$top=0', 'application/x-ndjson')).text).toBe('');
});

test('accounts without admin read no tags, skills or profiles in CSV or NDJSON', async () => {
  const options = '&$expand=Tags,Skillset,Profiles&includes=AvailableProfiles&$select=StaffKey';
  const [row] = rowsOf((await listOf(options, 'text/csv', 'reader')).text);
  const hidden = { Tags: [], TTCMTags: [], Skillset: [], Profiles: [], AvailableProfiles: [] };
  expect(row).toEqual({
    StaffKey: row?.StaffKey,
    ...Object.fromEntries(Object.keys(hidden).map((name) => [name, '[]'])),
  });
  const [line = ''] = (await listOf(options, 'application/x-ndjson', 'reader')).text.split('\n');
  expect(JSON.parse(line)).toMatchObject(hidden);
});

test('a page of an envelope can be read as CSV, and the count is left out', async () => {
  const envelope = await app.asAdmin(`/v2/staffmember?companyKey=${companyKey}&$select=StaffId&$count=true`, {
    headers: { Prefer: 'maxpagesize=2' },
  });
  const query = new URL(envelope.body['@odata.nextLink'], 'http://host/v2/').search;
  const accept = { headers: { Accept: 'text/csv' } };
  const { text } = await app.asAdmin(`/v2/staffmember${query}`, accept);
  const all = rowsOf((await listOf('&$select=StaffId', 'text/csv')).text);
  expect(rowsOf(text)).toEqual(all.slice(2, 4));
});

test.each(['text/csv', 'application/x-ndjson'])('an invalid query for %s is 400 as JSON', async (accept) => {
  const { status, headers } = await listOf('&$filter=Nobody eq 1', accept);
  expect([status, headers.get('Content-Type')]).toEqual([400, 'application/problem+json']);
});
