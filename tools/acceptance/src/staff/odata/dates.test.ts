import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { staffServers } from '../../server-names.ts';
import { callAs, createPerson, list } from '../callers.ts';

describe.each(staffServers)('%s', (server) => {
  const prefix = `dates-${randomUUID()}-`;
  beforeAll(async () => {
    const starts = { A: '2024-02-29T00:00:00', B: '2024-03-01T06:30:15.25', C: '2024-03-01', D: null };
    for (const [name, StartDate] of Object.entries(starts)) {
      await createPerson(server, { StaffId: prefix + name, StartDate });
    }
  });

  async function find(condition: string): Promise<string> {
    const $filter = `startswith(StaffId,'${prefix}') and (${condition})`;
    const { status, body } = await list(server, 'reader', { $filter, $orderby: 'StaffId' });
    expect(status, condition).toBe(200);
    return body.map(({ StaffId }: { StaffId: string }) => StaffId.slice(prefix.length)).join('');
  }

  test.each([
    ['StartDate eq 2024-02-29', 'A'],
    ['StartDate eq 2024-02-29T00:00:00', 'A'],
    ['StartDate eq 2024-02-29T00:00:00Z', 'A'],
    ['StartDate eq 2024-02-29T00:00:00.000Z', 'A'],
    ['StartDate eq 2024-02-29T01:00:00+01:00', 'A'],
    ['StartDate eq 2024-02-28T19:00:00-05:00', 'A'],
    ['StartDate eq 2024-02-29T00:00Z', 'A'],
    ['StartDate gt 2024-02-29', 'BC'],
    ['StartDate ge 2024-03-01 and StartDate lt 2024-03-01T06:30:15.250000001Z', 'BC'],
    ['StartDate eq 2024-03-01T06:30:15.25Z', 'B'],
    ['StartDate in (2024-02-29,2024-03-01)', 'AC'],
    ['StartDate lt 2024-03-01', 'A'],
    ['StartDate eq null', 'D'],
    ['year(StartDate) eq 2024 and month(StartDate) eq 2 and day(StartDate) eq 29', 'A'],
    ['hour(StartDate) eq 6 and minute(StartDate) eq 30 and second(StartDate) eq 15', 'B'],
    ['date(StartDate) eq 2024-03-01', 'BC'],
    ['StartDate lt now()', 'ABC'],
    ['LastModifiedDateUtc gt 2024-03-01T00:00:00Z and LastModifiedDateUtc le now()', 'ABCD'],
  ])('rule dates: a literal of any form is a time in UTC: %s', async (condition, expected) => {
    expect(await find(condition)).toBe(expected);
  });

  test('rule dates: are written without offset, those named …Utc with Z, and a plain date as midnight', async () => {
    const { body } = await list(server, 'reader', { $filter: `startswith(StaffId,'${prefix}')`, $orderby: 'StaffId' });
    const starts = body.map(({ StartDate }: { StartDate: string | null }) => StartDate);
    expect(starts).toEqual(['2024-02-29T00:00:00', '2024-03-01T06:30:15.25', '2024-03-01T00:00:00', null]);
    for (const { LastModifiedDateUtc } of body)
      expect(LastModifiedDateUtc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  test.each([
    '2024-02-30',
    '2024-13-01',
    '2024-02-29T24:00:00',
    '2024-02-29T00:00:00+25:00',
    "'2024-02-29'",
    '20240229',
  ])('listStaffMembers $filter: %s is not a time, and 400', async (literal) => {
    const { status, body } = await list(server, 'reader', { $filter: `StartDate eq ${literal}` });
    expect([status, body.code]).toEqual([400, 'odata_invalid']);
  });

  test.each(['2026-02-30', '2026-13-01T00:00:00', '2026-01-01T24:00:00', 'tomorrow', '', '2026-01-01T00:00:00Z'])(
    'createStaffMember 400: rejects %s as a date',
    async (StartDate) => {
      const StaffId = `never-${randomUUID()}`;
      const json = { StaffId, StartDate };
      const { status, body } = await callAs(server, 'admin', '/v2/staffmember', { method: 'POST', json });
      expect([status, body.kind]).toEqual([400, 'ValidationError']);
      expect(JSON.stringify(body.errors)).toContain('/StartDate');
    },
  );
});
