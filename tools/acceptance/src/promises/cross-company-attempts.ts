import { companyFiles } from '../../../../apps/scheduling/src/company-files/company-file.ts';
import type { KnownPerson } from '../staff/find-person.ts';
import { createRequests } from '../staff/requests.ts';

/** A request of one company that names data of another. */
export interface CrossAttempt {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly fields: readonly string[];
  /** Whether the path names a person of the other company, so that no success is allowed. */
  readonly isOnTheirs: boolean;
}

export interface Companies {
  readonly ourKey: string;
  readonly theirKey: string;
  readonly ours: KnownPerson;
  readonly theirs: KnownPerson;
}

/** Returns every operation of the contract with paths, queries, fields and bodies that name their data. */
export function crossCompanyAttempts(companies: Companies): CrossAttempt[] {
  const queries = throughQueries(companies);
  return [
    ...[...throughPaths(companies), ...queries, ...throughBodies(companies)],
    ...[...throughODataRoot(companies, queries), ...throughCatalogues(companies), throughBatch(companies)],
  ];
}

/** Returns the same queries, and reads by key, below the OData root of the scheduling server. */
function throughODataRoot({ theirs }: Companies, queries: readonly CrossAttempt[]): CrossAttempt[] {
  const root = '/v2/StaffMembers';
  const key = theirs.person.StaffKey;
  const read = (path: string): CrossAttempt => ({
    ...{ operationId: 'getODataStaffMember', method: 'GET', path, fields: [], isOnTheirs: true },
  });
  return [
    ...queries.map((query) => ({
      ...query,
      operationId: 'listODataStaffMembers',
      path: query.path.replace('/v2/staffmember', root),
    })),
    ...[`/${encodeURIComponent(key)}`, `(${quote(key)})`, `(StaffKey=${quote(key)})`].map((path) => read(root + path)),
  ];
}

/** Returns one batch of every operation on their person, and of lists that name their company or key. */
function throughBatch({ theirKey, theirs }: Companies): CrossAttempt {
  const key = theirs.person.StaffKey;
  const reads = [
    ...[`StaffMembers(${quote(key)})`, `StaffMembers/${encodeURIComponent(key)}?$expand=Tags,Skillset,Profiles`],
    ...[`StaffMembers?$filter=StaffKey eq ${quote(key)}`, `StaffMembers?$filter=CompKey eq ${quote(theirKey)}`],
    ...[`staffmember?companyKey=${encodeURIComponent(theirKey)}`, 'admin/staff'],
  ].map((url) => ({ method: 'GET', path: url, json: undefined }));
  const requests = [...reads, ...createRequests(theirs.keys)].map(({ method, path, json }, n) => ({
    ...{ id: `${n}`, method, url: path },
    ...{ headers: { 'X-Company-Key': theirKey, 'If-Match': '*' } },
    ...(json === undefined ? {} : { body: json }),
  }));
  const request = { operationId: 'runODataBatch', method: 'POST', path: '/v2/$batch', json: { requests } };
  // The batch succeeds; what it has read is in its response, and what it has written is read afterwards.
  return { ...request, fields: [], isOnTheirs: false };
}

/** Returns exports of every catalogue, and imports that name their company, tag and person. */
function throughCatalogues({ theirKey, theirs }: Companies): CrossAttempt[] {
  const theirMark = encodeURIComponent(theirKey);
  const of = (name: string, method: string, json?: unknown): CrossAttempt => ({
    ...{ operationId: `${method} of catalogues`, method, path: `/v2/admin/${name}?companyKey=${theirMark}` },
    ...(json === undefined ? {} : { json }),
    ...{ fields: [`X-Company-Key: ${theirKey}`], isOnTheirs: false },
  });
  const { StaffKey, StaffId } = theirs.person as { readonly StaffKey: string; readonly StaffId: string };
  return [
    ...companyFiles.map(({ name }) => of(name, 'GET')),
    of('tags', 'PATCH', [{ CategoryName: 'claimed', TagName: 'claimed', TagKey: theirs.tag.TagKey }]),
    of('staff', 'PATCH', [{ StaffId: `${StaffId}-claimed`, CompKey: theirKey }]),
    of('staff', 'PATCH', [{ StaffId: `${StaffId}-claimed`, StaffKey, LastName: 'claimed' }]),
    of('badges', 'PUT', []),
  ];
}

/** Returns paths with their keys, or with one of their keys among ours, and options that may select a company. */
function throughPaths({ ourKey, theirKey, ours, theirs }: Companies): CrossAttempt[] {
  const mixed = Object.keys(theirs.keys)
    .filter((name) => name !== 'staff_key')
    .map((name) => ({ ...ours.keys, [name]: theirs.keys[name] as string }));
  const [ourMark, theirMark] = [encodeURIComponent(ourKey), encodeURIComponent(theirKey)];
  const queries = [
    '',
    `?companyKey=${theirMark}`,
    `?companyKey=${ourMark}&companyKey=${theirMark}`,
    `?CompanyKey=${theirMark}`,
    `?CompKey=${theirMark}`,
    '?$expand=Tags,Skillset,Profiles',
  ];
  const fields = [
    [],
    [`X-Company-Key: ${theirKey}`],
    [`companyKey: ${theirKey}`, `X-Tenant-Id: ${theirKey}`],
    ['X-HTTP-Method-Override: GET'],
    ['If-Match: *'],
    ['If-None-Match: *'],
  ];
  const onTheirs = createRequests(theirs.keys).flatMap((request) => [
    ...queries.map((query) => ({ request, query, more: [] as readonly string[] })),
    ...fields.map((more) => ({ request, query: '', more })),
  ]);
  const amongOurs = mixed.flatMap((keys) =>
    createRequests(keys).map((request) => ({ request, query: '', more: [] as readonly string[] })),
  );
  const attemptOf = ({ request, query, more }: (typeof onTheirs)[number]): CrossAttempt => ({
    operationId: request.operationId,
    method: request.method,
    path: request.path + query,
    ...('json' in request ? { json: request.json } : {}),
    fields: more,
    isOnTheirs: request.path.includes(`/${encodeURIComponent(theirs.keys.staff_key)}`),
  });
  return [...onTheirs, ...amongOurs].map(attemptOf);
}

function throughQueries({ ourKey, theirKey, ours, theirs }: Companies): CrossAttempt[] {
  const key = quote(theirs.person.StaffKey);
  const company = quote(theirKey);
  const conditions = [
    `CompKey eq ${company}`,
    `CompKey ne ${quote(ourKey)}`,
    `not (CompKey eq ${quote(ourKey)})`,
    `CompKey in (${quote(ourKey)},${company})`,
    `CompKey gt '' or true`,
    `startswith(CompKey,${quote(theirKey.slice(0, 8))})`,
    `StaffKey eq ${key}`,
    `StaffKey in (${key})`,
    `contains(StaffKey,${quote(theirs.person.StaffKey.slice(0, 20))})`,
    `StaffKey eq ${key} or StaffKey eq ${quote(ours.person.StaffKey)}`,
    `LastName eq ${quote(String(theirs.person.LastName))}`,
    `contains(LastName,'of-theirs')`,
    `ManagerKey eq ${key}`,
    `Tags/any(t:t/Tags/any(n:n/Key eq ${theirs.tag.TagKey}))`,
    `Skillset/any(s:s/TaskKey eq ${quote(String(theirs.keys.task_key))})`,
    `Profiles/any(p:p/ProfileKey eq ${quote(String(theirs.keys.profile_key))})`,
    `Profiles/all(p:p/ProfileKey ne ${quote(String(theirs.keys.profile_key))})`,
    `$it/CompKey eq ${company}`,
    `$root/staffmember(${key})/LastName ne ''`,
    `'a' eq 'a' or CompKey eq ${company}`,
    `StaffId eq 'x'') or (''a'' eq ''a'`,
    `StaffId eq 'x' union select * from staff--'`,
    'true',
  ];
  const expands = [
    `Tags($filter=Tags/any(n:n/Key eq ${theirs.tag.TagKey}))`,
    `Skillset($filter=TaskKey eq ${quote(String(theirs.keys.task_key))})`,
    `Profiles($filter=ProfileKey eq ${quote(String(theirs.keys.profile_key))};$count=true)`,
    'Tags($expand=*),Skillset,Profiles',
    `$root/staffmember(${key})`,
    '*',
    'Company',
    'Manager',
  ];
  const options: Readonly<Record<string, string>>[] = [
    {},
    ...conditions.map(($filter) => ({ $filter })),
    ...conditions.slice(0, 8).map(($filter) => ({ $filter, $count: 'true', $expand: 'Tags,Skillset,Profiles' })),
    ...expands.map(($expand) => ({ $expand })),
    { $orderby: 'CompKey desc' },
    { $orderby: `iif(CompKey eq ${company},0,1)` },
    { $select: 'CompKey,StaffKey,LastName' },
    { $search: 'of-theirs' },
    { $apply: `filter(CompKey eq ${company})` },
    { $compute: `CompKey as K`, $select: 'K' },
    { $skiptoken: Buffer.from(JSON.stringify([theirs.person.StaffKey])).toString('base64url') },
    { sinceModifiedTimestamp: '2000-01-01T00:00:00Z', includes: 'Tags,Skillset,Profiles,AvailableProfiles' },
    { $top: '100000', $skip: '0' },
    { $id: `staffmember(${key})` },
  ];
  const names: readonly (readonly [string, string])[][] = [
    [],
    [['companyKey', theirKey]],
    [['companyKey', ourKey]],
    [
      ['companyKey', ourKey],
      ['companyKey', theirKey],
    ],
    [
      ['companyKey', theirKey],
      ['companyKey', ourKey],
    ],
    [
      ['companyKey', ourKey],
      ['CompanyKey', theirKey],
    ],
    [['companyKey[]', theirKey]],
    [['companyKey', `${ourKey},${theirKey}`]],
    [['companyKey', `${ourKey}\0${theirKey}`]],
    [['companyKey', `${theirKey} `]],
    [['companyKey', theirKey.toUpperCase()]],
    [['companyKey', `x' or '1'='1`]],
    [['companyKey', '%']],
    [['companyKey', '*']],
    [['companyKey', '']],
  ];
  return names.flatMap((named, n) =>
    // Requests for the own company run all conditions; the other spellings run a few.
    (n < 3 ? options : options.slice(0, 8)).map((option): CrossAttempt => {
      // Limits the size of the responses, because they are searched.
      const part = '$expand' in option ? { $top: '40' } : { $select: 'CompKey,StaffKey,LastName' };
      const query = new URLSearchParams([
        ...named.map(([name, value]) => [name, value]),
        ...Object.entries({ ...part, ...option }),
      ]);
      return {
        operationId: 'listStaffMembers',
        method: 'GET',
        path: `/v2/staffmember?${query}`,
        fields: [],
        isOnTheirs: false,
      };
    }),
  );
}

/** Returns writes to our people that reference their data, and new people that claim their company. */
function throughBodies({ theirKey, ours, theirs }: Companies): CrossAttempt[] {
  const { StaffKey, StaffId } = theirs.person as { readonly StaffKey: string; readonly StaffId: string };
  const { TagKey, category, name } = theirs.tag;
  const path = `/v2/staffmember/${encodeURIComponent(ours.person.StaffKey)}`;
  const location = `${path}/location/${encodeURIComponent(String(ours.keys.location_key))}/tag`;
  const modifier = `${path}/payModifier/${encodeURIComponent(String(ours.keys.pay_modifier_key))}`;
  const claims = [
    { CompKey: theirKey },
    { CompanyKey: theirKey },
    { companyKey: theirKey },
    { StaffKey },
    { Company: { Key: theirKey } },
  ];
  const bodies: readonly (readonly [string, string, string, unknown])[] = [
    ...claims.flatMap((claim): (readonly [string, string, string, unknown])[] => [
      ['createStaffMember', 'POST', '/v2/staffmember', { StaffId: 'claimed', ...claim }],
      ['updateStaffMember', 'PUT', path, { City: 'claimed', ...claim }],
    ]),
    ['createStaffMember', 'POST', '/v2/staffmember', { StaffId, UpdateIfExisting: true, City: 'taken' }],
    ['createStaffMember', 'POST', '/v2/staffmember', { StaffId: StaffKey, UpdateIfExisting: true, City: 'taken' }],
    [
      'createStaffMember',
      'POST',
      `/v2/staffmember?companyKey=${encodeURIComponent(theirKey)}`,
      { StaffId, UpdateIfExisting: true, City: 'taken' },
    ],
    ...[StaffId, StaffKey].flatMap((value): (readonly [string, string, string, unknown])[] => [
      ['updateStaffMember', 'PUT', path, { ManagerId: value }],
      ['updateStaffMember', 'PUT', path, { Manager: value }],
      ['setStaffManager', 'POST', `${path}/manager`, { ManagerKey: value }],
    ]),
    ['setStaffManager', 'POST', `${path}/manager`, { ManagerKey: StaffKey, ManagerId: StaffId }],
    ['updateStaffMember', 'PUT', path, { UserProfileKey: theirs.keys.profile_key }],
    ['updateStaffMember', 'PUT', path, { PrimaryProfileKey: theirs.keys.profile_key }],
    ['addStaffTag', 'POST', `${path}/tag`, { TagKey }],
    ['addStaffTag', 'POST', `${path}/tag`, { TagKey, category, name }],
    ['addStaffLocationTag', 'PUT', location, { TagKey }],
    ['createPayModifier', 'POST', `${path}/payModifier`, { PayModifierTags: [{ CategoryKey: TagKey, TagKey }] }],
    ['updatePayModifier', 'PUT', modifier, { PayModifierTags: [{ CategoryKey: TagKey, TagKey }] }],
  ];
  return bodies.map(([operationId, method, at, json]) => ({
    operationId,
    method,
    path: at,
    json,
    fields: [],
    isOnTheirs: false,
  }));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
