import { expect, it } from 'vitest';
import { parseStaffQuery, plainQuery } from '../staff-query.ts';
import { createProjections } from './json-writer.ts';
import { sqliteFlavour } from './sqlite-flavour.ts';

const names = ['StaffKey', 'StaffId', 'FirstName', 'LastName', 'Email', 'City', 'State', 'Zip', 'Fte'];

it('stores the projection of a query again after many other queries', () => {
  const project = createProjections(sqliteFlavour);
  const others = Array.from({ length: 2 ** names.length - 1 }, (_, mask) => {
    const select = names.filter((_, n) => ((mask + 1) >> n) & 1).join(',');
    return parseStaffQuery(`$select=${select}`, { clock: () => 0 });
  });
  for (const query of others) project(query, { isAdmin: true });
  expect(project(plainQuery, { isAdmin: true })).toBe(project(plainQuery, { isAdmin: true }));
});
