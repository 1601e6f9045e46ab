import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createEntities, entityModel, entityOf, staffMemberType } from './entity-model.ts';
import { migrate } from './store/migrate.ts';
import { createNodeSqliteDialect } from './store/node-sqlite-dialect.ts';
import { sqliteColumnTypes } from './store/sqlite-flavour.ts';

test('the staff table has a column for each scalar of the contract, and otherwise only its rows and version', async () => {
  const database = new DatabaseSync(':memory:');
  await migrate(new Kysely({ dialect: createNodeSqliteDialect(database) }), sqliteColumnTypes);
  const columns = database.prepare(`select name, type, "notnull" as required from pragma_table_info('staff')`).all();
  const own = columns.filter((column) => !['StaffRow', 'ManagerRow', 'Revision'].includes(String(column.name)));
  const types = { text: 'TEXT', instant: 'TEXT', utc: 'TEXT', flag: 'INTEGER', whole: 'INTEGER', decimal: 'REAL' };
  const wanted = entityOf(staffMemberType).scalars.map(({ name, kind, nullable }) => ({
    ...{ name, type: kind === 'document' ? 'TEXT' : types[kind], required: Number(!nullable) },
  }));
  const byName = (a: { name?: unknown }, b: { name?: unknown }) => (String(a.name) < String(b.name) ? -1 : 1);
  expect(own.map((column) => ({ ...column })).sort(byName)).toEqual(wanted.sort(byName));
});

test('reads types, order and hidden properties from the contract', () => {
  const { properties } = entityModel.types[staffMemberType] ?? { properties: {} };
  expect(properties.StaffKey).toEqual({ type: 'Edm.String', nullable: false, hidden: false });
  expect(properties.StartDate).toMatchObject({ type: 'Edm.DateTimeOffset', nullable: true });
  expect(properties.LastModifiedDateUtc).toMatchObject({ type: 'Edm.DateTimeOffset', nullable: false });
  expect(properties.Fte).toMatchObject({ type: 'Edm.Decimal' });
  expect(properties.TimeClockKioskPIN).toMatchObject({ hidden: true });
  expect(entityOf(staffMemberType).names).not.toContain('TimeClockKioskPIN');
  expect(entityModel.types.TagEntry?.properties.Key).toMatchObject({ type: 'Edm.Int32' });
});

test('reserves tags, skills and profiles for administrators, as the contract marks them', () => {
  const elements = ['StaffTag', 'TagEntry', 'StaffSkillset', 'StaffProfile', 'PayModifierTag'];
  const others = [
    staffMemberType,
    'StaffLocation',
    'LocationStaff',
    'Location',
    'PayModifier',
    'RequestLimit',
    'BadgeId',
  ];
  expect([...elements, ...others].filter((name) => entityOf(name).adminOnly)).toEqual(elements);
  const scalars = entityOf('PayModifier').scalars.filter(({ adminOnly }) => adminOnly);
  expect(scalars.map(({ name }) => name)).toEqual(['LocationTagKey', 'TaskTagKey']);
});

test('expands tags, skills and profiles, and filters over no other collection', () => {
  const { properties } = entityModel.types[staffMemberType] ?? { properties: {} };
  const collections = Object.entries(properties).filter(([, property]) => property.collection);
  const named = (key: 'expandable' | 'filterable') => collections.filter(([, p]) => p[key]).map(([name]) => name);
  expect(named('expandable')).toEqual(['Tags', 'Skillset', 'Profiles']);
  expect(named('filterable')).toEqual(['Tags', 'Skillset', 'Profiles']);
});

test('names a schema that the contract lacks', () => {
  expect(() => createEntities(['Thing'], {})).toThrow('Thing');
});
