import { document } from '@rostergate/staff-spec';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { entityOf, navigations, staffMemberType } from '../src/entity-model.ts';
import { companyKey, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const ajv = new Ajv({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(document, 'contract');
const isPeople = ajv.compile({
  type: 'array',
  items: { $ref: `contract#/components/schemas/${staffMemberType}` },
});

const list = `/v2/staffmember?companyKey=${companyKey}`;

/** Everything that $select accepts for a schema: properties, paths through collections, and options of collections. */
function selectItem(schema: string): fc.Arbitrary<string> {
  const { names, scalars, collections } = entityOf(schema);
  const documents = new Set(scalars.filter(({ kind }) => kind === 'document').map(({ name }) => name));
  const items: fc.Arbitrary<string>[] = [fc.constantFrom(...names.filter((name) => !documents.has(name)))];
  for (const { name, element } of collections) {
    const inner = selectItem(element);
    items.push(inner.map((item) => `${name}/${item}`).filter((item) => !item.includes('(')));
    items.push(fc.array(inner, { minLength: 1, maxLength: 3 }).map((some) => `${name}($select=${some.join(',')})`));
  }
  return fc.oneof(...items);
}

const elements = new Map(entityOf(staffMemberType).collections.map(({ name, element }) => [name, element]));
const expandItem = (name: string): fc.Arbitrary<string> => {
  const select = fc.array(selectItem(elements.get(name) as string), { minLength: 1, maxLength: 3 });
  const options = fc.record({
    $select: fc.option(select.map((items) => items.join(','))),
    $top: fc.option(fc.constantFrom('0', '1')),
    $skip: fc.option(fc.constant('1')),
  });
  return options.map((given) => {
    const texts = Object.entries(given).flatMap(([option, value]) => (value === null ? [] : [`${option}=${value}`]));
    return texts.length === 0 ? name : `${name}(${texts.join(';')})`;
  });
};
const query = fc.record({
  select: fc.array(fc.oneof(selectItem(staffMemberType), fc.constant('*')), { maxLength: 4 }),
  expand: fc.subarray(navigations).chain((names) => fc.tuple(...names.map(expandItem))),
  includes: fc.subarray([...navigations, 'AvailableProfiles']),
});

it.each(['$expand=Tags($select=Tags/Name)', '$select=Tags/Tags/Name&$expand=Tags', '$select=StaffKey&$expand=Tags'])(
  'listStaffMembers 200: selected properties match the contract: %s',
  async (options) => {
    const { status, body } = await app.asAdmin(`${list}&$filter=Tags/any()&$top=7&${options}`);
    expect([status, isPeople(body), isPeople.errors]).toEqual([200, true, null]);
    expect(body.length).toBeGreaterThan(0);
    for (const person of body) expect(Array.isArray(person.TTCMTags)).toBe(true);
  },
);

it('getStaffMember 200: selected badges match the contract', async () => {
  for (const item of ['BadgeIds/BadgeId', 'BadgeIds($select=BadgeGroup)', '*']) {
    const people = (await app.asAdmin(`${list}&$select=StaffKey`)).body;
    for (const { StaffKey } of people.slice(0, 20)) {
      const path = `/v2/staffmember/${encodeURIComponent(StaffKey)}?includes=BadgeIds&$select=${item}`;
      const { status, body } = await app.asAdmin(path);
      expect([status, isPeople([body]), isPeople.errors]).toEqual([200, true, null]);
    }
  }
});

it('listStaffMembers 200: people match the contract for any $select, $expand and includes', async () => {
  const property = fc.asyncProperty(query, fc.boolean(), async ({ select, expand, includes }, isAdmin) => {
    const options = [
      ...(select.length === 0 ? [] : [`&$select=${select.join(',')}`]),
      ...(expand.length === 0 ? [] : [`&$expand=${expand.join(',')}`]),
      ...(includes.length === 0 ? [] : [`&includes=${includes.join(',')}`]),
    ].join('');
    const { status, body } = await app.call(`${list}&$top=7${options}`, { as: isAdmin ? 'admin' : 'reader' });
    expect([options, status]).toEqual([options, 200]);
    expect([isPeople(body), isPeople.errors]).toEqual([true, null]);
    const filled = new Set([...expand.map((item) => item.replace(/\(.*/, '')), ...includes]);
    if (filled.has('Tags')) filled.add('TTCMTags');
    const isWhole = select.length === 0 || select.includes('*');
    const named = new Set([...select.map((item) => item.replace(/[/(].*/, '')), ...filled]);
    const members = isWhole ? entityOf(staffMemberType).names : [...named].sort();
    for (const person of body) {
      expect(isWhole ? Object.keys(person) : Object.keys(person).sort()).toEqual(members);
      for (const name of filled) expect([name, Array.isArray(person[name])]).toEqual([name, true]);
    }
  });
  await fc.assert(property, { numRuns: 150 });
});
