/** A parsed request to the vendor. */
export interface VendorRequest {
  /** The decoded identifiers of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: the vendor passes unknown members on.
  readonly body: any;
  /** The company of the query or the body. */
  readonly companyKey: string;
  /** The person of the path, found by any identifier. */
  readonly staffKey: string;
}

export interface StoreResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the scheduling server defines it.
  readonly body: any;
}

/** Sends a request to the scheduling server behind the vendor, in its format. */
export type AskStore = (method: string, path: string, json?: unknown) => Promise<StoreResponse>;

export interface VendorRoute {
  readonly method: string;
  readonly path: string;
  /** Where the company is required; the response is 400 without it. */
  readonly company?: 'query' | 'body';
  /** No operation of the contract uses the route. */
  readonly isBesideContract?: true;
  readonly serve: (request: VendorRequest, ask: AskStore) => Promise<StoreResponse>;
}

const person = '/staffmember/{staffId}';
const at = (staffKey: string, rest = '') => `/staffmember/${encodeURIComponent(staffKey)}${rest}`;

/** The staff routes of the vendor, as its public collection describes them. */
export const vendorRoutes: readonly VendorRoute[] = [
  {
    ...{ method: 'GET', path: '/staffmember' },
    serve: ({ query, companyKey }, ask) => ask('GET', `/staffmember?${withoutCompany(query, { companyKey })}`),
  },
  {
    ...{ method: 'POST', path: '/staffmember', company: 'body' },
    serve: ({ body }, ask) => ask('POST', '/staffmember', body),
  },
  {
    ...{ method: 'GET', path: person, company: 'query' },
    serve: ({ query, staffKey }, ask) => ask('GET', at(staffKey, `?${withoutCompany(query)}`)),
  },
  {
    ...{ method: 'PUT', path: person, company: 'body' },
    serve: ({ body, staffKey }, ask) => ask('PUT', at(staffKey), body),
  },
  {
    ...{ method: 'GET', path: `${person}/location` },
    async serve({ staffKey }, ask) {
      const { status, body } = await ask('GET', at(staffKey, '/location'));
      return { status, body: status === 200 ? body.map(asVendorLocation) : body };
    },
  },
  {
    ...{ method: 'POST', path: `${person}/location/{locationId}/tag` },
    async serve({ staffKey, path, body }, ask) {
      const place = at(staffKey, `/location/${encodeURIComponent(path.locationId ?? '')}/tag`);
      const result = await ask('PUT', place, body);
      return result.status === 200 ? { status: 200, body: asVendorLocation(result.body) } : result;
    },
  },
  {
    ...{ method: 'POST', path: `${person}/tag` },
    // Returns the person without tags.
    serve: ({ staffKey, body }, ask) => thenPerson(ask('POST', at(staffKey, '/tag'), body), staffKey, '', ask),
  },
  {
    ...{ method: 'POST', path: `${person}/skillset` },
    serve: ({ staffKey, body: { taskId, ...days } }, ask) =>
      ask('PUT', at(staffKey, `/skillset/${encodeURIComponent(taskId)}`), days),
  },
  {
    ...{ method: 'PUT', path: `${person}/skillset/{taskId}` },
    async serve({ staffKey, path: { taskId = '' }, body }, ask) {
      const { Skillset } = (await ask('GET', at(staffKey, '?includes=Skillset'))).body;
      const isSkilled = Skillset.some(({ TaskKey }: { TaskKey: string }) => TaskKey === taskId);
      if (!isSkilled) return vendorError(404, 'The staff member does not have this skill.');
      return ask('PUT', at(staffKey, `/skillset/${encodeURIComponent(taskId)}`), body);
    },
  },
  {
    ...{ method: 'DELETE', path: `${person}/skillset/{taskId}`, company: 'query' },
    serve: async ({ staffKey, path: { taskId = '' } }, ask) =>
      without(await ask('DELETE', at(staffKey, `/skillset/${encodeURIComponent(taskId)}`)), ''),
  },
  {
    ...{ method: 'POST', path: `${person}/profile` },
    serve: ({ staffKey, body: { UserProfileKey, ...flags } }, ask) => {
      const change = ask('PUT', at(staffKey, `/profile/${encodeURIComponent(UserProfileKey)}`), flags);
      return thenPerson(change, staffKey, 'Profiles', ask);
    },
  },
  {
    ...{ method: 'PUT', path: `${person}/profile/{profileKey}` },
    async serve({ staffKey, path: { profileKey = '' }, body }, ask) {
      const { body: profiles } = await ask('GET', at(staffKey, '/profile'));
      const isGiven = profiles.some(({ ProfileKey }: { ProfileKey: string }) => ProfileKey === profileKey);
      if (!isGiven) return vendorError(404, 'The staff member does not have this profile.');
      const change = ask('PUT', at(staffKey, `/profile/${encodeURIComponent(profileKey)}`), body);
      return thenPerson(change, staffKey, 'Profiles', ask);
    },
  },
  {
    ...{ method: 'GET', path: `${person}/payModifier` },
    serve: ({ staffKey }, ask) => ask('GET', at(staffKey, '/payModifier')),
  },
  {
    ...{ method: 'POST', path: `${person}/payModifier` },
    async serve({ staffKey, body }, ask) {
      if (!Array.isArray(body)) return vendorError(400, 'An array of pay modifiers is expected.');
      const made: unknown[] = [];
      for (const { companyKey: _, ...modifier } of body) {
        const result = await ask('POST', at(staffKey, '/payModifier'), modifier);
        if (result.status !== 201) return result;
        made.push(result.body);
      }
      return { status: 200, body: made };
    },
  },
  {
    ...{ method: 'PUT', path: `${person}/payModifier/{payModifierKey}` },
    serve: ({ staffKey, path: { payModifierKey = '' }, body }, ask) =>
      ask('PUT', at(staffKey, `/payModifier/${encodeURIComponent(payModifierKey)}`), body),
  },
  {
    ...{ method: 'DELETE', path: `${person}/payModifier/{payModifierKey}`, company: 'query' },
    serve: async ({ staffKey, path: { payModifierKey = '' } }, ask) =>
      without(await ask('DELETE', at(staffKey, `/payModifier/${encodeURIComponent(payModifierKey)}`)), null),
  },
  {
    ...{ method: 'GET', path: `${person}/requestlimit` },
    serve: ({ staffKey, query }, ask) => ask('GET', at(staffKey, `/requestlimit?${withoutCompany(query)}`)),
  },
  {
    ...{ method: 'PUT', path: `${person}/manager/`, company: 'query' },
    async serve({ staffKey, query, body }, ask) {
      const clears = (query.get('IsClearManagerId') ?? String(body?.IsClearManagerId)).toLowerCase() === 'true';
      const ManagerId = query.get('managerId');
      const json = clears ? { IsClearManagerId: true } : { ManagerId };
      const result = await ask('POST', at(staffKey, '/manager'), json);
      return without(result, `Staff Members Manager (${staffKey}) has been set to ${ManagerId}`);
    },
  },
  ...[
    { method: 'PUT', path: '/staffmember' },
    { method: 'DELETE', path: person },
    { method: 'POST', path: `${person}/badgeId` },
    { method: 'DELETE', path: `${person}/badgeId` },
    { method: 'DELETE', path: `${person}/location/{locationId}/tag` },
    { method: 'DELETE', path: `${person}/tag` },
  ].map((route) => ({ ...route, isBesideContract: true as const, serve: beyondTheContract })),
];

function beyondTheContract(): Promise<StoreResponse> {
  return Promise.resolve({ status: 200, body: 'Done.' });
}

/** Returns an error in the format of the vendor: a message. */
export function vendorError(status: number, Message: string): StoreResponse {
  return { status, body: { Message } };
}

function without({ status, body }: StoreResponse, instead: unknown): StoreResponse {
  return { status, body: status === 200 ? instead : body };
}

async function thenPerson(
  change: Promise<StoreResponse>,
  staffKey: string,
  includes: string,
  ask: AskStore,
): Promise<StoreResponse> {
  const result = await change;
  return result.status > 299 ? result : ask('GET', at(staffKey, includes === '' ? '' : `?includes=${includes}`));
}

/** Replaces tags by null, as the vendor does unless they are included. */
function asVendorLocation({ Staff, Location, ...rest }: Record<string, object>): unknown {
  return { ...rest, Staff: { ...Staff, Tags: null }, Location: { ...Location, Tags: null, ShiftCount: 3 } };
}

/** Returns the query for the scheduling server, which accepts the company only in lists, in one spelling. */
function withoutCompany(query: URLSearchParams, more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const others = [...query].filter(([name]) => name.toLowerCase() !== 'companykey');
  return new URLSearchParams([...others, ...Object.entries(more).filter(([, value]) => value !== '')]);
}
