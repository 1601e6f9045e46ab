import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, list } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  test.each([
    { $filter: 'LastName eq' },
    { $filter: "LastName eq 'open" },
    { $filter: 'NoSuchProperty eq 1' },
    { $filter: "Fte eq 'full'" },
    { $filter: 'LastName' },
    { $filter: "lastname eq 'Smith'" },
    { $orderby: 'NoSuchProperty' },
    { $orderby: 'LastName up' },
    { $select: 'NoSuchProperty' },
    { $expand: 'NoSuchCollection' },
    { $expand: 'LastName' },
    { $top: '-1' },
    { $top: 'ten' },
    { $skip: '1.5' },
    { $count: 'yes' },
    { $filter: '' },
  ])('%j is 400', async (options) => {
    const { status, body } = await list(server, 'admin', options as Record<string, string>);
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    expect(body.detail).toMatch(/\w/);
  });

  test.each(['$apply=aggregate(Fte)', '$nothing=1', '$format=xml', '$deltatoken=1', '$skiptoken=1'])(
    'a system option that is not offered is refused, never passed over: %s',
    async (option) => {
      const { status } = await callAs(server, 'admin', `/v2/staffmember?companyKey=${companyKey}&${option}`);
      expect([400, 501]).toContain(status);
    },
  );

  test.each(['$top=1&$top=2', '$filter=Fte%20eq%201&$filter=Fte%20eq%201', '$top=1&companyKey=x'])(
    'an option given twice is 400: %s',
    async (options) => {
      const answer = await callAs(server, 'admin', `/v2/staffmember?companyKey=${companyKey}&${options}`);
      expect(answer.status).toBe(400);
    },
  );

  test('a filter beyond the published budget is 400 and names the budget', async () => {
    const $filter = Array.from({ length: 200 }, (_, i) => `Fte eq ${i}`).join(' or ');
    const { status, body } = await list(server, 'admin', { $filter });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('nodesMax');
    const deep = await list(server, 'admin', { $filter: `${'('.repeat(2_000)}true${')'.repeat(2_000)}` });
    expect(deep.status).toBe(400);
  });

  test('an empty result is [] whatever else was asked', async () => {
    const options = { $filter: "LastName eq 'nobody'", $orderby: 'Fte desc', $expand: 'Tags', $top: '5', $skip: '5' };
    const { status, body } = await list(server, 'reader', options);
    expect([status, body]).toEqual([200, []]);
  });
});
