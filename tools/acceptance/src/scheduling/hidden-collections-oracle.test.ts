import { type BoundQuery, bind, parseQueryOptions, toComparator, toPredicate } from '@rostergate/odata';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entityModel, staffMemberType } from '../../../../apps/scheduling/src/entity-model.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey } from '../staff/callers.ts';

type Person = Readonly<Record<string, unknown>> & { readonly StaffKey: string };

// No other test writes to this server.
let server: SchedulingProcess;
let people: readonly Person[];
beforeAll(async () => {
  server = await startScheduling();
  people = (await server.callAs('reader', `/v2/staffmember?companyKey=${companyKey}`)).body;
});
afterAll(() => server.stop());

/** Conditions on hidden data, and some on visible data. */
const hidden = [
  'Tags/any()',
  'not Tags/any()',
  "Tags/any(t:t/CategoryName eq 'Team')",
  "Tags/all(t:t/CategoryName ne 'Team')",
  "Tags/any(t:t/Tags/any(n:n/Name eq 'Blue'))",
  "Tags/any(t:t/Tags/all(n:startswith(n/Name,'B')))",
  'Tags/any(t:t/Tags/any(n:n/EffectiveFromDate lt now() and $it/Fte eq 1))',
  'Tags/$count gt 2',
  "Tags/$filter(CategoryName eq 'Team')/$count eq 1",
  'Skillset/any()',
  'Skillset/any(s:s/IsSkilledMon)',
  'Skillset/all(s:s/IsSkilledSun eq false)',
  "Skillset/any(s:s/StaffId eq 'S-1001')",
  'Skillset/$count eq 0',
  'Profiles/any()',
  "Profiles/any(p:p/Name ne '' and p/IsSchedulable)",
  'Profiles/all(p:p/IsViewable)',
  'Profiles/$count div 2 ge 1',
  'Tags/$count eq Skillset/$count',
];
const open = [
  'Fte ge 0.8',
  'City eq null',
  "startswith(LastName,'S')",
  'IsActive',
  'length(FirstName) gt 5',
  'true',
  'Fte lt 1',
];

const condition: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...hidden),
    fc.constantFrom(...open),
    fc
      .tuple(tie('any'), fc.constantFrom('and', 'or', 'eq', 'ne'), tie('any'))
      .map(([a, by, b]) => `(${a}) ${by} (${b})`),
    tie('any').map((inner) => `not (${inner})`),
  ),
})).any;

const order = fc
  .uniqueArray(
    fc.constantFrom(
      ...['Tags/$count', 'Skillset/$count', 'Profiles/$count', 'Tags/any()', 'Skillset/any(s:s/IsSkilledMon)'],
      ...['Fte', 'LastName', 'City'],
    ),
    { minLength: 1, maxLength: 3 },
  )
  .chain((keys) => fc.tuple(...keys.map((key) => fc.constantFrom(key, `${key} desc`))))
  .map((keys) => keys.join(','));

const expand = fc.constantFrom(
  'Tags',
  'Skillset,Profiles',
  'Tags($filter=CategoryKey gt 0;$select=CategoryName)',
  'Skillset($orderby=TaskName desc;$top=1;$skip=1)',
  'Profiles($select=Name),Tags',
);

const query = fc.record(
  {
    $filter: condition,
    $orderby: order,
    $expand: expand,
    $count: fc.constant('true'),
    $top: fc.integer({ min: 0, max: 12 }).map(String),
    $skip: fc.integer({ min: 0, max: 40 }).map(String),
    $select: fc.constantFrom('StaffKey', 'StaffId,Fte', 'StaffKey,Tags', 'Skillset,Profiles,LastName', '*'),
    includes: fc.constantFrom('Tags', 'Skillset,AvailableProfiles', 'Profiles', 'AvailableProfiles'),
  },
  { requiredKeys: ['$top'] },
);

/** Returns the list for data in which those collections are empty. */
function oracle(given: Readonly<Record<string, string>>): unknown {
  const { includes = '', ...options } = given;
  const text = String(new URLSearchParams(options));
  const bound: BoundQuery = bind(parseQueryOptions(text, { dollarOptional: false }), entityModel, staffMemberType);
  const emptied = { Tags: [], TTCMTags: [], Skillset: [], Profiles: [], AvailableProfiles: [] };
  const matching = people.filter((person) => toPredicate(bound)({ ...person, ...emptied }));
  const compare = toComparator(bound);
  const ordered = [...matching].sort((a, b) => compare({ ...a, ...emptied }, { ...b, ...emptied }));
  const skip = Number(given.$skip ?? 0);
  const asked = [...bound.expand.map(({ property }) => property), ...includes.split(',')];
  const filled = new Set(asked.includes('Tags') ? [...asked, 'TTCMTags'] : asked);
  const named = bound.select?.map(({ property }) => property);
  const value = ordered.slice(skip, skip + Number(given.$top)).map((person) => {
    const whole = Object.entries(person).map(([name, member]) => [name, filled.has(name) ? [] : member]);
    const visible = whole.filter(
      ([name]) => named === undefined || named.includes(String(name)) || filled.has(String(name)),
    );
    return Object.fromEntries(visible);
  });
  return given.$count === 'true' ? { count: matching.length, value } : value;
}

test('rule hidden collections: any response is as if there were no tags, skills and profiles', async () => {
  let revealing = 0;
  const ask = async (role: 'admin' | 'reader', given: Readonly<Record<string, string>>) => {
    const path = `/v2/staffmember?${new URLSearchParams({ companyKey, ...given })}`;
    const { status, body } = await server.callAs(role, path);
    expect(status, `${role}: ${path}`).toBe(200);
    return given.$count === 'true' ? { count: body['@odata.count'], value: body.value } : body;
  };
  const holds = async (asked: Readonly<Record<string, string | undefined>>) => {
    const given = asked as Readonly<Record<string, string>>;
    const expected = oracle(given);
    expect(await ask('reader', given)).toEqual(expected);
    if (JSON.stringify(await ask('admin', given)) !== JSON.stringify(expected)) revealing++;
  };
  await fc.assert(fc.asyncProperty(query, holds), { numRuns: 150 });
  // Otherwise the queries could not have disclosed anything.
  expect(revealing).toBeGreaterThan(50);
});

test('rule hidden collections: the same for the parts of a list and their links', async () => {
  const headers = { Accept: 'application/json;odata.metadata=minimal', Prefer: 'maxpagesize=60' };
  for (const $orderby of ['Tags/$count desc,LastName', 'Skillset/any() desc', 'Profiles/$count,Fte desc']) {
    const given = { $orderby, $filter: "not Tags/any() or Tags/any(t:t/CategoryName eq 'Team')", $select: 'StaffKey' };
    const found: Person[] = [];
    let path = `staffmember?${new URLSearchParams({ companyKey, ...given })}`;
    while (path !== undefined) {
      const { status, body } = await server.callAs('reader', `/v2/${path}`, { headers });
      expect(status).toBe(200);
      found.push(...body.value);
      path = body['@odata.nextLink'];
    }
    expect(found).toEqual(oracle({ ...given, $top: '5000' }));
  }
});
