import { describe, expect, test } from 'vitest';
import { staffServers } from '../../server-names.ts';
import { callAs, companyKey, list, pathOf } from '../callers.ts';

describe.each(staffServers)('%s', (server) => {
  const ask = (query: string) => callAs(server, 'admin', `/v2/staffmember?companyKey=${companyKey}&${query}`);

  test.each([
    '$filter=LastName eq',
    "$filter=LastName eq 'open",
    '$filter=NoSuchProperty eq 1',
    "$filter=Fte eq 'full'",
    '$filter=LastName',
    "$filter=lastname eq 'Smith'",
    '$filter=Tags/any(t:t/Nothing eq 1)',
    '$filter=Tags eq null',
    '$filter=nosuchfunction(LastName)',
    '$filter=',
    '$orderby=NoSuchProperty',
    '$orderby=LastName up',
    '$select=NoSuchProperty',
    '$expand=NoSuchCollection',
    '$expand=LastName',
    '$expand=Tags($filter=Nothing eq 1)',
    '$top=-1',
    '$top=ten',
    '$skip=1.5',
    '$count=yes',
  ])('listStaffMembers 400: rejects %s and names the place and the reason', async (query) => {
    const { status, body } = await ask(query.replaceAll(' ', '%20'));
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    expect(body.detail).toMatch(/\w/);
    expect(body.errors).toEqual([expect.objectContaining({ parameter: query.slice(0, query.indexOf('=')) })]);
  });

  test.each(['$nothing=1', '$apply=aggregate(Fte)', '$format=xml', '$compute=Fte as F', 'p@=1', 'top=1'])(
    'listStaffMembers 400: an undeclared option is rejected, never ignored: %s',
    async (option) => {
      const { status, body } = await ask(option);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors).toEqual([expect.objectContaining({ parameter: option.slice(0, option.indexOf('=')) })]);
    },
  );

  test.each([
    '$search=cardiology',
    '$filter=geo.length(null) eq 1',
    "$filter=LastName has Sales.Color'Red'",
    '$filter=Fte eq $root/People(1)/Fte',
    '$expand=Tags($count=true)',
    '$expand=Tags($levels=2)',
    '$expand=Tags/$ref',
    '$filter=totaloffsetminutes(StartDate) eq 0',
  ])('listStaffMembers 501: names the unsupported part of OData: %s', async (query) => {
    const { status, body } = await ask(query.replaceAll(' ', '%20'));
    expect([status, body.code, body.kind]).toEqual([501, 'odata_unsupported', 'NotImplementedError']);
    expect(body.errors).toEqual([expect.objectContaining({ parameter: query.slice(0, query.indexOf('=')) })]);
  });

  test.each(['"open', '()'])('listStaffMembers $search: a malformed one is 400, a valid one 501: %s', async (text) => {
    expect((await ask(`$search=${encodeURIComponent(text)}`)).status).toBe(400);
    expect((await ask('$search=a%20AND%20%22b%20c%22')).status).toBe(501);
  });

  test('getStaffMember 501: names the unsupported part of OData', async () => {
    const [person] = (await list(server, 'admin', { $top: '1' })).body;
    for (const query of ['$expand=Tags($count=true)', '$filter=geo.length(null)%20eq%201']) {
      const { status, body } = await callAs(server, 'admin', pathOf(person, `?${query}`));
      expect([status, body.code], query).toEqual([501, 'odata_unsupported']);
    }
  });

  test.each([
    '$top=1&$top=2',
    '$top=1&$top=1',
    '$top=1&%24top=2',
    '$filter=Fte%20eq%201&$filter=Fte%20eq%201',
    '$orderby=Fte&$orderby=City',
    '$top=1&companyKey=x',
  ])('listStaffMembers 400: rejects an option given twice: %s', async (options) => {
    expect((await ask(options)).status).toBe(400);
  });

  test.each([
    ['nodesMax', `$filter=${Array.from({ length: 200 }, (_, i) => `Fte eq ${i}`).join(' or ')}`],
    ['depthMax', `$filter=${'('.repeat(200)}true${')'.repeat(200)}`],
    ['listItemsMax', `$filter=Fte in (${Array.from({ length: 1_001 }, (_, i) => i).join(',')})`],
    ['itemsMax', `$select=${Array(101).fill('Fte').join(',')}`],
    ['itemsMax', `$orderby=${Array(101).fill('Fte').join(',')}`],
    ['expandDepthMax', '$expand=Tags($expand=Tags($expand=Tags))'],
    ['topMax', '$top=1000000001'],
    ['lambdaDepthMax', `$filter=${lambdas(5)}`],
  ])('listStaffMembers 400: names the published budget that a query exceeds: %s', async (budget, query) => {
    const { status, body } = await ask(query.replaceAll(' ', '%20'));
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    expect(JSON.stringify(body)).toContain(budget);
  });

  test('listStaffMembers 400: rejects 16 KB of hostile text at once', async () => {
    const texts = [
      '('.repeat(16_000),
      'not '.repeat(4_000),
      '-'.repeat(16_000),
      "'".repeat(15_999),
      'a/'.repeat(8_000),
    ];
    for (const text of texts) {
      const startedMs = performance.now();
      const { status } = await ask(`$filter=${encodeURIComponent(text)}`);
      expect([400, 414], text.slice(0, 10)).toContain(status);
      // Parsing takes a millisecond; the limit allows for a busy machine, and not for exponential time.
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    }
  });
});

/** Returns nested `any` over tags and the tags within their category. */
function lambdas(depth: number): string {
  let text = 'true';
  for (let i = depth; i > 0; i--) text = `Tags/any(v${i}:${text})`;
  return text;
}
