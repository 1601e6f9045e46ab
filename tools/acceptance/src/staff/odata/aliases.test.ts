import { describe, expect, test } from 'vitest';
import { staffServers } from '../../server-names.ts';
import { callAs, companyKey } from '../callers.ts';
import { unchangedPeople } from '../known-keys.ts';

describe.each(staffServers)('%s', (server) => {
  const path = `/v2/staffmember?companyKey=${companyKey}`;
  const ask = (query: string) => callAs(server, 'admin', `${path}&${encodeURI(query)}`);

  test.each([
    [`$filter=${unchangedPeople} and Fte ge @f&@f=0.5`, `$filter=${unchangedPeople} and Fte ge 0.5`],
    [`$filter=${unchangedPeople}&$orderby=@o desc&@o=City`, `$filter=${unchangedPeople}&$orderby=City desc`],
    [
      `$filter=${unchangedPeople}&$expand=Tags($filter=CategoryName ne @c)&@c='Team'`,
      `$filter=${unchangedPeople}&$expand=Tags($filter=CategoryName ne 'Team')`,
    ],
  ])('rule parameter aliases: they are replaced by their values: %s', async (aliased, plain) => {
    const [found, expected] = [await ask(aliased), await ask(plain)];
    expect([found.status, found.body.length > 0]).toEqual([200, true]);
    expect(found.body).toEqual(expected.body);
  });

  test.each([
    ['$filter=LastName eq @n', '$filter'],
    ["$top=1&@n='Chen'", '@n'],
    ['$filter=@n&@n=@n', '@n'],
    ["$filter=LastName eq @n&@n='a'&@n='b'", '@n'],
    ['$filter=LastName eq @n&@n=5', '$filter'],
  ])('rule parameter aliases: an invalid one is 400: %s', async (query, parameter) => {
    const { status, body } = await ask(query);
    expect([status, body.code, body.errors.map((fault: { parameter: string }) => fault.parameter)]).toEqual([
      400,
      'odata_invalid',
      [parameter],
    ]);
  });
});
