import type { KnownPerson } from '../staff/find-person.ts';
import { createRequests } from '../staff/requests.ts';

/** A request that could disclose tags, skills or profiles, or whose response could depend on them. */
export interface HiddenAttempt {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns every operation of the contract, and reads with each option that could select, order, count or name hidden
 * parts.
 * @param tag the person's current `ETag`
 */
export function hiddenAttempts(companyKey: string, known: KnownPerson, tag: string): HiddenAttempt[] {
  const { category, name } = known.tag;
  const bodies: Readonly<Record<string, unknown>> = {
    addStaffTag: { category, name },
    addStaffLocationTag: { categoryName: category, tagName: name },
    createPayModifier: { LocationTagCategory: category, LocationTagName: name },
    updatePayModifier: { TaskTagCategory: category, TaskTagName: name },
  };
  const plain = createRequests(known.keys).map((request): HiddenAttempt => {
    const json = bodies[request.operationId] ?? request.json;
    return { ...request, headers: {}, ...(json === undefined ? {} : { json }) };
  });
  // Writes come last, so that all reads see the same data.
  const writes = plain.filter(({ method }) => method !== 'GET');
  const reads = plain.filter(({ method }) => method === 'GET').flatMap((read) => variantsOf(read, companyKey, tag));
  return [...reads, ...writes];
}

const headersOf = (tag: string): readonly Readonly<Record<string, string>>[] => [
  {},
  { 'If-None-Match': '*' },
  { 'If-None-Match': `"1", W/${tag}` },
  { 'Cache-Control': 'no-cache' },
  { 'Accept-Encoding': 'gzip' },
];

function variantsOf(read: HiddenAttempt, companyKey: string, tag: string): HiddenAttempt[] {
  const { operationId, path } = read;
  const isList = operationId === 'listStaffMembers';
  const own = isList ? { companyKey } : {};
  const withOptions = (options: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...own, ...options });
    return { ...read, path: query.size === 0 ? path : `${path}?${query}` };
  };
  const base = withOptions(isList ? { includes: everything, $top: '40' } : includesOf(operationId));
  const plain = [...headersOf(tag).map((fields) => ({ ...base, headers: fields })), { ...base, method: 'HEAD' }];
  if (!isList && operationId !== 'getStaffMember') return plain;
  const top = isList ? { $top: '60' } : {};
  const asked = [...optionsOf, ...(isList ? listOptions : [])].map((options) => withOptions({ ...top, ...options }));
  const envelopes = isList
    ? [{}, { Prefer: 'maxpagesize=25' }].map((more) => ({
        ...withOptions({ includes: everything }),
        headers: { Accept: 'application/json;odata.metadata=minimal', ...more },
      }))
    : [];
  return [...plain, ...asked, ...asked.slice(0, 6).map((one) => ({ ...one, method: 'HEAD' })), ...envelopes];
}

const everything = 'Tags,Skillset,Profiles,AvailableProfiles';

function includesOf(operationId: string): Readonly<Record<string, string>> {
  if (operationId === 'getStaffMember') return { includes: `${everything},BadgeIds` };
  return operationId === 'listRequestLimits' ? { includes: 'StaffLimits' } : {};
}

/** No condition contains the hidden names, because a log may quote a query. */
const conditions = [
  'Tags/any()',
  'tags/any()',
  'not Tags/any()',
  "Tags/any(t:startswith(t/CategoryName,'can'))",
  "Tags/any(t:t/Tags/any(n:endswith(n/Name,'1')))",
  "Tags/all(t:contains(t/CategoryName,'7'))",
  'Tags/$count gt 2',
  "Tags/$filter(startswith(CategoryName,'can'))/$count eq 1",
  'TTCMTags/any()',
  'Skillset/any(s:s/IsSkilledMon)',
  "Skillset/any(s:contains(s/TaskName,'can'))",
  'Skillset/$count eq Tags/$count',
  "Profiles/any(p:p/Name ne '')",
  'Profiles/all(p:p/IsViewable)',
  'AvailableProfiles/any()',
  'LocationTagKey ne null',
  'Fte gt 0.5 and (IsActive or Tags/any())',
  'case(Tags/any():true,true:false)',
  '$it/Tags/any()',
  'BadgeIds/any(b:$it/Tags/any())',
  '$root/staffmember/any(s:s/Tags/any())',
  'Default.Staff/Tags/any()',
  'Tags/any(',
  "contains(LastName,'Tags/any()')",
];

const optionsOf: readonly Readonly<Record<string, string>>[] = [
  { $expand: 'Tags,Skillset,Profiles' },
  { $expand: '*' },
  { $expand: 'Tags($select=CategoryName,Tags)' },
  { $expand: "Tags($filter=startswith(CategoryName,'can'))" },
  { $expand: 'Tags($count=true)' },
  { $expand: 'Tags($orderby=CategoryName desc;$top=1)' },
  { $expand: 'Skillset($top=1;$skip=1),Profiles($filter=IsViewable)' },
  { $expand: 'Tags/$count' },
  { $expand: 'Tags/$ref' },
  { $select: 'StaffKey,Tags,Skillset,Profiles', includes: 'AvailableProfiles' },
  { $select: 'Tags/CategoryName', $expand: 'Tags' },
  { $select: 'Skillset/TaskName' },
  { $select: '*', includes: everything },
  { $select: 'TagNames' },
  { $filter: 'StaffId eq @a', '@a': 'Tags/$count' },
  { $filter: '@a', '@a': 'Tags/any()' },
  { $orderby: 'Tags/$count desc,LastName' },
  ...conditions.map(($filter) => ({ $filter })),
];

const listOptions: readonly Readonly<Record<string, string>>[] = [
  { $orderby: 'Skillset/any() desc', $select: 'StaffKey' },
  { $orderby: 'Profiles/$count,Fte desc', $count: 'true' },
  { $orderby: 'LastName,Fte desc', includes: everything, $skip: '5' },
  { $search: 'can' },
  { $search: 'NOT can' },
  { $apply: 'groupby((Tags))' },
  { $compute: 'Tags/$count as n', $select: 'n' },
  { $count: 'true', includes: everything },
  { sinceModifiedTimestamp: '2000-01-01T00:00:00Z', includes: everything },
  ...conditions.map(($filter) => ({ $filter, $count: 'true', $top: '0' })),
];
