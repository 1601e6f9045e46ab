/** A parsed request to the vendor. */
export interface VendorRequest {
  /** The decoded identifiers of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON without the company; undefined without a body. */
  readonly body: unknown;
  /** The company of the query. */
  readonly companyKey: string;
  /** The person of the path, found by any identifier. */
  readonly staffKey: string;
}

export interface VendorResponse {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter?: string | undefined;
}

/** Sends a request to the scheduling API behind the vendor's form, in the format of the contract. */
export type AskContract = (method: string, path: string, json?: unknown) => Promise<VendorResponse>;

export interface VendorRoute {
  readonly method: string;
  readonly path: string;
  /** Where the company is required; the response is 400 without it. */
  readonly company?: 'query' | 'body';
  /** No operation of the contract uses the route. */
  readonly isBesideContract?: true;
  readonly serve: (request: VendorRequest, ask: AskContract) => Promise<VendorResponse> | VendorResponse;
}

const person = '/staffmember/{staffId}';
const at = (staffKey: string, rest = '') => `/staffmember/${encodeURIComponent(staffKey)}${rest}`;
const segment = (value: unknown) => encodeURIComponent(String(value ?? ''));

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
    serve: async ({ staffKey }, ask) =>
      ifOk(await ask('GET', at(staffKey, '/location')), (list) => listOf(list).map(asVendorLocation)),
  },
  {
    ...{ method: 'POST', path: `${person}/location/{locationId}/tag` },
    serve: async ({ staffKey, path, body }, ask) =>
      ifOk(await ask('PUT', at(staffKey, `/location/${segment(path.locationId)}/tag`), body), asVendorLocation),
  },
  {
    ...{ method: 'POST', path: `${person}/tag` },
    // Returns the person without tags.
    serve: ({ staffKey, body }, ask) => thenPerson(ask('POST', at(staffKey, '/tag'), body), staffKey, '', ask),
  },
  {
    ...{ method: 'POST', path: `${person}/skillset` },
    serve({ staffKey, body }, ask) {
      const { taskId, ...days } = membersOf(body);
      return ask('PUT', at(staffKey, `/skillset/${segment(taskId)}`), days);
    },
  },
  {
    ...{ method: 'PUT', path: `${person}/skillset/{taskId}` },
    async serve({ staffKey, path: { taskId }, body }, ask) {
      const { Skillset } = membersOf((await ask('GET', at(staffKey, '?includes=Skillset'))).body);
      const isSkilled = listOf(Skillset).some(({ TaskKey }) => TaskKey === taskId);
      if (!isSkilled) return vendorError(404, 'The staff member does not have this skill.');
      return ask('PUT', at(staffKey, `/skillset/${segment(taskId)}`), body);
    },
  },
  {
    ...{ method: 'DELETE', path: `${person}/skillset/{taskId}`, company: 'query' },
    serve: async ({ staffKey, path: { taskId } }, ask) =>
      ifOk(await ask('DELETE', at(staffKey, `/skillset/${segment(taskId)}`)), () => ''),
  },
  {
    ...{ method: 'POST', path: `${person}/profile` },
    serve({ staffKey, body }, ask) {
      const { UserProfileKey, ...flags } = membersOf(body);
      const change = ask('PUT', at(staffKey, `/profile/${segment(UserProfileKey)}`), flags);
      return thenPerson(change, staffKey, 'Profiles', ask);
    },
  },
  {
    ...{ method: 'PUT', path: `${person}/profile/{profileKey}` },
    async serve({ staffKey, path: { profileKey }, body }, ask) {
      const profiles = listOf((await ask('GET', at(staffKey, '/profile'))).body);
      const isGiven = profiles.some(({ ProfileKey }) => ProfileKey === profileKey);
      if (!isGiven) return vendorError(404, 'The staff member does not have this profile.');
      return thenPerson(ask('PUT', at(staffKey, `/profile/${segment(profileKey)}`), body), staffKey, 'Profiles', ask);
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
      for (const { companyKey: _, ...modifier } of listOf(body)) {
        const result = await ask('POST', at(staffKey, '/payModifier'), modifier);
        if (result.status !== 201) return result;
        made.push(result.body);
      }
      return { status: 200, body: made };
    },
  },
  {
    ...{ method: 'PUT', path: `${person}/payModifier/{payModifierKey}` },
    serve: ({ staffKey, path: { payModifierKey }, body }, ask) =>
      ask('PUT', at(staffKey, `/payModifier/${segment(payModifierKey)}`), body),
  },
  {
    ...{ method: 'DELETE', path: `${person}/payModifier/{payModifierKey}`, company: 'query' },
    serve: async ({ staffKey, path: { payModifierKey } }, ask) =>
      ifOk(await ask('DELETE', at(staffKey, `/payModifier/${segment(payModifierKey)}`)), () => null),
  },
  {
    ...{ method: 'GET', path: `${person}/requestlimit` },
    serve: ({ staffKey, query }, ask) => ask('GET', at(staffKey, `/requestlimit?${withoutCompany(query)}`)),
  },
  {
    ...{ method: 'PUT', path: `${person}/manager/`, company: 'query' },
    async serve({ staffKey, query, body }, ask) {
      const clears = query.get('IsClearManagerId') ?? membersOf(body).IsClearManagerId;
      const isClearing = clears === true || (typeof clears === 'string' && clears.toLowerCase() === 'true');
      const ManagerId = query.get('managerId');
      const json = isClearing ? { IsClearManagerId: true } : { ManagerId };
      const result = await ask('POST', at(staffKey, '/manager'), json);
      return ifOk(result, () => `Staff Members Manager (${staffKey}) has been set to ${ManagerId}`);
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

function beyondTheContract(): VendorResponse {
  return vendorError(501, 'This simulator has the methods of the contract only. It changed nothing.');
}

/** Returns an error in the format of the vendor: a message. */
export function vendorError(status: number, Message: string, retryAfter?: string): VendorResponse {
  return { status, body: { Message }, retryAfter };
}

/** Returns a value as an object; an empty one for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function ifOk(response: VendorResponse, convert: (body: unknown) => unknown): VendorResponse {
  return response.status === 200 ? { status: 200, body: convert(response.body) } : response;
}

async function thenPerson(
  change: Promise<VendorResponse>,
  staffKey: string,
  includes: string,
  ask: AskContract,
): Promise<VendorResponse> {
  const result = await change;
  return result.status > 299 ? result : ask('GET', at(staffKey, includes === '' ? '' : `?includes=${includes}`));
}

/** Replaces tags by null, as the vendor does unless they are included. */
function asVendorLocation(value: unknown): unknown {
  const { Staff, Location, ...rest } = membersOf(value);
  return {
    ...rest,
    Staff: { ...membersOf(Staff), Tags: null },
    Location: { ...membersOf(Location), Tags: null, ShiftCount: 3 },
  };
}

/** Returns the query for the contract, which accepts the company only in lists, in one spelling. */
function withoutCompany(query: URLSearchParams, more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const others = [...query].filter(([name]) => name.toLowerCase() !== 'companykey');
  return new URLSearchParams([...others, ...Object.entries(more).filter(([, value]) => value !== '')]);
}
