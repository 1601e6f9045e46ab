import createClient from 'openapi-fetch';
import {
  type ApiProblem,
  type BadgeId,
  countOf,
  createStaffClient,
  etagOf,
  type paths,
  type StaffExpansion,
  type StaffField,
  type StaffFields,
  type StaffMemberDetailDto,
  type StaffProfile,
  type StaffSkillset,
  type StaffTag,
  staffFilter,
} from './index.ts';

/** Whether two types are identical, not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

const baseUrl = 'https://staff.test';
const login = { email: 'e', password: 'p' };
const path = { staff_key: 'k' };

/** Only compiled: each line marked as an error must be one. */
export async function resultsAreNarrowed(): Promise<void> {
  const client = createStaffClient({ baseUrl, key: 'k' });

  const [plain] = await client.listStaffMembers();
  if (plain === undefined) return;
  same<typeof plain.Tags, null>(true);
  same<typeof plain.BadgeIds, null>(true);
  same<typeof plain.LastName, string>(true);
  same<typeof plain.Npi, string | null>(true);
  plain satisfies StaffMemberDetailDto;
  // @ts-expect-error what was not expanded is null
  plain.Tags.map((tag: StaffTag) => tag.CategoryName);
  // @ts-expect-error what may be missing has to be looked at
  plain.Npi.length;

  const [expanded] = await client.listStaffMembers({
    expand: ['Tags', 'Skillset'],
    query: { includes: ['AvailableProfiles'] },
  });
  if (expanded === undefined) return;
  same<typeof expanded.Tags, StaffTag[]>(true);
  same<typeof expanded.TTCMTags, StaffTag[]>(true);
  same<typeof expanded.Skillset, StaffSkillset[]>(true);
  same<typeof expanded.AvailableProfiles, StaffProfile[]>(true);
  same<typeof expanded.Profiles, null>(true);
  // @ts-expect-error only profiles were left out
  expanded.Profiles.length;

  const [selected] = await client.listStaffMembers({ select: ['StaffKey', 'Tags'], expand: ['Skillset'] });
  same<keyof NonNullable<typeof selected>, 'StaffKey' | 'Tags' | 'Skillset'>(true);
  // @ts-expect-error a field that was not selected
  selected?.LastName;
  selected?.Tags satisfies null | undefined;

  const person = await client.getStaffMember({ path, expand: ['Profiles'], query: { includes: ['BadgeIds'] } });
  person.BadgeIds[0]?.BadgeGroup satisfies string | null | undefined;
  same<typeof person.Profiles, StaffProfile[]>(true);
  same<typeof person.Tags, null>(true);

  const maybe = await client.getStaffMember({ path, ifNoneMatch: etagOf(person) });
  // @ts-expect-error nothing, where it has not changed
  maybe.LastName;
  maybe?.LastName satisfies string | undefined;

  const [limit] = await client.listRequestLimits({ path, query: { includes: ['StaffLimits'] } });
  limit?.StaffLimits.length satisfies number | undefined;
  limit?.ShiftCredits satisfies null | undefined;
  // @ts-expect-error the parts have names of their own
  await client.listRequestLimits({ path, query: { includes: ['ShiftCredits'] } });

  const counted = await client.listStaffMembers({ expand: ['Tags'], count: true });
  countOf(counted) satisfies number;
  same<(typeof counted)[number]['Tags'], StaffTag[]>(true);
  const rawCounted = await client.listStaffMembers({ expand: ['Tags'], query: { $count: true } });
  same<(typeof rawCounted)[number]['Tags'], StaffTag[]>(true);

  const included = await client.getStaffMember({ path, includes: ['BadgeIds'] });
  same<typeof included.BadgeIds, BadgeId[]>(true);
  same<typeof included.Tags, null>(true);
  const replaced = await client.getStaffMember({ path, includes: ['BadgeIds'], query: { includes: ['Tags'] } });
  same<typeof replaced.Tags, null>(true);

  for await (const one of client.people({ select: ['StaffKey'], expand: ['Tags'] }))
    same<keyof typeof one, 'StaffKey' | 'Tags'>(true);

  for await (const { people, token } of client.changes({ select: ['LastName'], expand: ['Tags'], since: 'a' })) {
    token satisfies string;
    same<keyof (typeof people)[number], 'LastName' | 'Tags' | 'StaffKey' | 'LastModifiedDateUtc'>(true);
  }
  // @ts-expect-error changes have no filter
  client.changes({ filter: (s: StaffFields) => s.IsActive });
  const { outcome, person: upserted } = await client.upsert({ body: { StaffId: 'S-1' } });
  same<typeof outcome, 'created' | 'updated'>(true);
  same<typeof upserted.Tags, null>(true);
  // @ts-expect-error upsert always updates the existing person
  await client.upsert({ body: { StaffId: 'S-1', UpdateIfExisting: false } });

  const badges = await client.listBadgeIds({ path });
  same<typeof badges, BadgeId[]>(true);
  const changed = await client.listBadgeIds({ path, ifNoneMatch: etagOf(badges) });
  same<typeof changed, BadgeId[] | undefined>(true);
  // @ts-expect-error pages are read anew each time
  client.pages({ ifNoneMatch: '"7"' });
}

export async function optionsOfCollectionsAreTyped(b: boolean, fields: (keyof StaffTag)[]): Promise<void> {
  const client = createStaffClient({ baseUrl, key: 'k' });
  const person = await client.getStaffMember({
    path,
    expand: { Tags: { select: ['CategoryName'], filter: (tag) => tag.CategoryKey.gt(3), top: 1 }, Skillset: true },
  });
  same<typeof person.Tags, Pick<StaffTag, 'CategoryName'>[]>(true);
  same<typeof person.TTCMTags, StaffTag[]>(true);
  same<typeof person.Skillset, StaffSkillset[]>(true);
  same<typeof person.Profiles, null>(true);
  const plain = await client.getStaffMember({ path, expand: { Tags: { orderby: ['CategoryName desc'] } } });
  same<typeof plain.Tags, StaffTag[]>(true);
  const unsure = await client.getStaffMember({ path, expand: { Tags: { select: fields } } });
  same<typeof unsure.Tags, Partial<StaffTag>[]>(true);
  const maybe = await client.getStaffMember({ path, expand: { Tags: b ? true : undefined } });
  same<typeof maybe.Tags, StaffTag[] | null>(true);
  const either = await client.getStaffMember({ path, expand: b ? { Tags: true } : ['Skillset'] });
  same<typeof either.Skillset, StaffSkillset[] | null>(true);
  const selected = await client.getStaffMember({ path, select: ['StaffKey'], expand: { Tags: true } });
  same<keyof typeof selected, 'StaffKey' | 'Tags'>(true);
  // @ts-expect-error a collection that there is not
  await client.listStaffMembers({ expand: { Tags: true, BadgeIds: true } });
  // @ts-expect-error an option that there is not
  await client.listStaffMembers({ expand: { Tags: { top: 1, fitler: 'x' } } });
  // @ts-expect-error a field that a tag does not have
  await client.listStaffMembers({ expand: { Tags: { select: ['Name'] } } });
  // @ts-expect-error an order by a collection
  await client.listStaffMembers({ expand: { Tags: { orderby: ['Tags'] } } });
  // @ts-expect-error a field that a tag does not have
  await client.listStaffMembers({ expand: { Tags: { filter: (tag) => tag.Name.eq('x') } } });
}

/** The list is an array for users of plain openapi-fetch, which knows only the types of the contract. */
export async function plainOpenapiFetchCompiles(): Promise<void> {
  const { data } = await createClient<paths>({ baseUrl }).GET('/staffmember', {
    params: { query: { companyKey: 'c' } },
  });
  data?.[0]?.LastName satisfies string | undefined;
}

export async function whatOnlyTheProgramKnowsMayBeBoth(
  names: StaffExpansion[],
  name: 'Tags' | 'Skillset',
  fields: StaffField[],
) {
  const client = createStaffClient({ baseUrl, key: 'k' });
  const [some] = await client.listStaffMembers({ expand: names });
  some?.Tags satisfies StaffTag[] | null | undefined;
  // @ts-expect-error it may not be among the names
  some?.Tags.length;
  const one = await client.getStaffMember({ path, expand: [name] });
  same<typeof one.Tags, StaffTag[] | null>(true);
  same<typeof one.Profiles, null>(true);
  const few = await client.getStaffMember({ path, select: ['StaffKey'], expand: names });
  same<typeof few.StaffKey, string>(true);
  same<typeof few.Tags, StaffTag[] | null | undefined>(true);
  const raw = await client.getStaffMember({ path, query: { $expand: 'Tags($top=1)' } });
  same<typeof raw.Tags, StaffTag[] | null>(true);
  same<typeof raw.BadgeIds, null>(true);
  const unsure = await client.getStaffMember({ path, select: fields });
  same<typeof unsure.LastName, string | undefined>(true);
  const rawSelect = await client.getStaffMember({ path, query: { $select: 'LastName' } });
  same<typeof rawSelect.LastName, string | undefined>(true);
}

export async function oneOfSeveralRequestsMayBeAny(b: boolean) {
  const client = createStaffClient({ baseUrl, key: 'k' });
  const either = await client.getStaffMember({ path, expand: b ? ['Tags'] : ['Skillset'] });
  same<typeof either.Tags, StaffTag[] | null>(true);
  same<typeof either.Profiles, null>(true);
  const tuples = b ? (['Tags', 'Skillset'] as const) : (['Tags'] as const);
  const tupled = await client.getStaffMember({ path, expand: tuples });
  same<typeof tupled.Tags, StaffTag[]>(true);
  same<typeof tupled.Skillset, StaffSkillset[] | null>(true);
  const listed = await client.listStaffMembers(b ? { expand: ['Tags'] } : { expand: ['Skillset'] });
  same<(typeof listed)[number]['Tags'], StaffTag[] | null>(true);
  const missing = await client.getStaffMember(b ? { path, expand: ['Tags'] } : { path });
  same<typeof missing.Tags, StaffTag[] | null>(true);
  const noValue = await client.getStaffMember({ path, expand: b ? ['Tags'] : undefined });
  same<typeof noValue.Tags, StaffTag[] | null>(true);
  const spread = await client.getStaffMember({ path, ...(b && { expand: ['Tags'] as const }) });
  same<typeof spread.Tags, StaffTag[] | null>(true);
  const request: { path: typeof path; expand?: readonly ['Tags'] } = b ? { path, expand: ['Tags'] } : { path };
  const optional = await client.getStaffMember(request);
  same<typeof optional.Tags, StaffTag[] | null>(true);
  const included = await client.getStaffMember({ path, query: b ? { includes: ['Tags'] } : {} });
  same<typeof included.Tags, StaffTag[] | null>(true);
  const raw = await client.getStaffMember({ path, query: b ? { $expand: 'Tags' } : {} });
  same<typeof raw.Tags, StaffTag[] | null>(true);
  const selected = await client.getStaffMember({ path, select: b ? ['StaffKey'] : ['LastName'] });
  same<typeof selected.LastName, string | undefined>(true);
  const maybeSelected = await client.getStaffMember(b ? { path, select: ['StaffKey'] } : { path });
  same<typeof maybeSelected.LastName, string | undefined>(true);
  const rawSelected = await client.getStaffMember({ path, query: b ? { $select: 'StaffKey' } : {} });
  same<typeof rawSelected.LastName, string | undefined>(true);
  for await (const people of client.pages(b ? { expand: ['Tags'] } : {}))
    same<(typeof people)[number]['Tags'], StaffTag[] | null>(true);
  const cached = await client.getStaffMember(b ? { path, ifNoneMatch: '"1"' } : { path });
  // @ts-expect-error nothing, where it has not changed
  cached.LastName;
  const [limit] = await client.listRequestLimits({ path, query: b ? { includes: ['StaffLimits'] } : {} });
  // @ts-expect-error it may be null
  limit?.StaffLimits.length;
  const [other] = await client.listRequestLimits({ path, query: { includes: b ? ['StaffLimits'] : ['ShiftsCredit'] } });
  // @ts-expect-error it may be null
  other?.StaffLimits.length;
}

export async function wrongNamesAreErrors(): Promise<void> {
  const client = createStaffClient({ baseUrl, key: 'k' });
  // @ts-expect-error a collection that there is not
  await client.listStaffMembers({ expand: ['Tag'] });
  // @ts-expect-error a collection that comes by includes alone
  await client.listStaffMembers({ expand: ['BadgeIds'] });
  // @ts-expect-error a collection that a list cannot include
  await client.listStaffMembers({ query: { includes: ['BadgeIds'] } });
  // @ts-expect-error a field that there is not
  await client.listStaffMembers({ select: ['Surname'] });
  // @ts-expect-error an order by a collection
  await client.listStaffMembers({ orderby: ['Tags'] });
  // @ts-expect-error an order that there is not
  await client.listStaffMembers({ orderby: ['LastName down'] });
  // @ts-expect-error a query parameter that the contract does not declare
  await client.listStaffMembers({ query: { $fliter: 'x' } });
  // @ts-expect-error an option that there is not
  await client.listStaffMembers({ fitler: staffFilter((s) => s.IsActive) });
  // @ts-expect-error a single read has no companyKey
  await client.getStaffMember({ path, query: { companyKey: 'c' } });
  // @ts-expect-error a path parameter is missing
  await client.addStaffLocationTag({ path, body: { categoryName: 'a', tagName: 'b' } });
  // @ts-expect-error a field that a person does not have
  await client.updateStaffMember({ path, body: { FristName: 'Máire' } });
  // @ts-expect-error a field of another type
  await client.updateStaffMember({ path, body: { Fte: 'full' } });
  // @ts-expect-error a new person needs a StaffId
  await client.createStaffMember({ body: { FirstName: 'Máire' } });
  // @ts-expect-error what is only written is never read
  (await client.getStaffMember({ path })).TimeClockKioskPIN;
  await client.updateStaffMember({ path, body: { TimeClockKioskPIN: '1234' }, ifMatch: '"7"' });
  (await client.createStaffMember({ body: { StaffId: 'S-1' } })).StaffKey satisfies string;
  // @ts-expect-error a read takes no If-Match
  await client.listBadgeIds({ path, ifMatch: '"7"' });
}

export async function companyIsNamedOrRemembered(companyKey: string, maybeCompany: string | undefined): Promise<void> {
  const byLogin = createStaffClient({ baseUrl, login });
  // @ts-expect-error neither a key nor a companyKey that the client remembers
  await byLogin.listStaffMembers();
  // @ts-expect-error the same within a query
  await byLogin.listStaffMembers({ query: { $top: 1 } });
  // @ts-expect-error the same for pages
  byLogin.pages();
  // @ts-expect-error the same for changes
  byLogin.changes();
  // @ts-expect-error the same for tags
  await byLogin.staffTags('k');
  // @ts-expect-error the same for skills
  await byLogin.staffSkillset('k', {});
  const [person] = await byLogin.listStaffMembers({ expand: ['Tags'], query: { companyKey, $top: 1 } });
  same<NonNullable<typeof person>['Tags'], StaffTag[]>(true);
  for await (const people of byLogin.pages({ query: { companyKey } })) people[0]?.LastName satisfies string | undefined;
  (await byLogin.staffTags('k', { query: { companyKey } })) satisfies StaffTag[];
  await byLogin.getStaffMember({ path });

  await createStaffClient({ baseUrl, token: 't', companyKey }).listStaffMembers();
  await createStaffClient({ baseUrl, login, companyKey }).staffSkillset('k');
  await createStaffClient({ baseUrl, key: 'k' }).pages().next();
  // @ts-expect-error a companyKey that may be missing
  await createStaffClient({ baseUrl, token: 't', companyKey: maybeCompany }).listStaffMembers();

  // @ts-expect-error a key and a token at once
  createStaffClient({ baseUrl, token: 't', key: 'k' });
  // @ts-expect-error a key and a login at once
  createStaffClient({ baseUrl, login, key: 'k' });
  // @ts-expect-error a login without a password
  createStaffClient({ baseUrl, login: { email: 'e' } });
}

export function filtersFitTheFields(): void {
  staffFilter((s) => s.LastName.startsWith('A').and(s.Fte.ge(0.5), s.StartDate.lt(new Date())).or(s.IsActive));
  staffFilter((s) => s.Tags.any((category) => category.Tags.any((tag) => tag.Name.eq('x').and(tag.Key.gt(3)))));
  // @ts-expect-error a field that there is not
  staffFilter((s) => s.Surname.eq('x'));
  // @ts-expect-error a number with a text
  staffFilter((s) => s.Fte.eq('1'));
  // @ts-expect-error a text with a number
  staffFilter((s) => s.LastName.eq(1));
  // @ts-expect-error a text with a date
  staffFilter((s) => s.LastName.eq(new Date()));
  // @ts-expect-error a date with a number
  staffFilter((s) => s.StartDate.gt(2026));
  // @ts-expect-error fields of two types
  staffFilter((s) => s.LastName.eq(s.Fte));
  // @ts-expect-error a function of texts on a number
  staffFilter((s) => s.Fte.startsWith('1'));
  // @ts-expect-error a flag has no order
  staffFilter((s) => s.IsActive.gt(false));
  // @ts-expect-error nothing is less than null
  staffFilter((s) => s.Fte.lt(null));
  // @ts-expect-error a text is no condition
  staffFilter((s) => s.LastName);
  // @ts-expect-error a collection cannot be compared
  staffFilter((s) => s.Tags.eq('x'));
  // @ts-expect-error a collection that no filter may go over
  staffFilter((s) => s.BadgeIds.any());
  // @ts-expect-error an item's field that there is not
  staffFilter((s) => s.Skillset.any((task) => task.Nmae.eq('x')));
  // @ts-expect-error one of the list is of another type
  staffFilter((s) => s.StaffId.in(['a', 1]));
}

export function problemsAreTyped(error: ApiProblem): void {
  error.status satisfies number;
  error.requestId satisfies string | undefined;
  error.retryAfterSeconds satisfies number | undefined;
  // @ts-expect-error a problem is what the server said
  error.status = 200;
}
