/** A request as the vendor reads it. */
export interface VendorRequest {
  /** Identifiers in the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: what the vendor does not look at it passes on.
  readonly body: any;
  /** The company that was named, in the query or in the body. */
  readonly companyKey: string;
  /** The person that the path means, by any identifier. */
  readonly staffKey: string;
}

export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: it comes from the store, by its contract.
  readonly body: any;
}

/** Asks the store behind the vendor, in the store's own forms. */
export type AskStore = (method: string, path: string, json?: unknown) => Promise<Told>;

export interface VendorRoute {
  readonly method: string;
  readonly path: string;
  /** Where the company has to be named, else it is 400. */
  readonly company?: 'query' | 'body';
  /** Nothing of the contract asks for it. */
  readonly isBesideContract?: true;
  readonly serve: (request: VendorRequest, ask: AskStore) => Promise<Told>;
}

const person = '/staffmember/{staffId}';
const at = (staffKey: string, rest = '') => `/staffmember/${encodeURIComponent(staffKey)}${rest}`;

/** What the vendor offers of people, as its public collection describes it; nothing that it has in another form. */
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
      const told = await ask('PUT', place, body);
      return told.status === 200 ? { status: 200, body: asVendorLocation(told.body) } : told;
    },
  },
  {
    ...{ method: 'POST', path: `${person}/tag` },
    // It answers with the person, whose tags nobody has asked for.
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
      if (!isSkilled) return refuse(404, 'The staff member does not have this skill.');
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
      if (!isGiven) return refuse(404, 'The staff member does not have this profile.');
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
      if (!Array.isArray(body)) return refuse(400, 'An array of pay modifiers is expected.');
      const made: unknown[] = [];
      for (const { companyKey: _, ...modifier } of body) {
        const told = await ask('POST', at(staffKey, '/payModifier'), modifier);
        if (told.status !== 201) return told;
        made.push(told.body);
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
      const told = await ask('POST', at(staffKey, '/manager'), json);
      return without(told, `Staff Members Manager (${staffKey}) has been set to ${ManagerId}`);
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

function beyondTheContract(): Promise<Told> {
  return Promise.resolve({ status: 200, body: 'Done.' });
}

/** What the vendor says of a fault: a message, in a form of its own. */
export function refuse(status: number, Message: string): Told {
  return { status, body: { Message } };
}

function without({ status, body }: Told, instead: unknown): Told {
  return { status, body: status === 200 ? instead : body };
}

async function thenPerson(change: Promise<Told>, staffKey: string, includes: string, ask: AskStore): Promise<Told> {
  const told = await change;
  return told.status > 299 ? told : ask('GET', at(staffKey, includes === '' ? '' : `?includes=${includes}`));
}

/** The vendor has null for tags that nobody asked for. */
function asVendorLocation({ Staff, Location, ...rest }: Record<string, object>): unknown {
  return { ...rest, Staff: { ...Staff, Tags: null }, Location: { ...Location, Tags: null, ShiftCount: 3 } };
}

/** The query for the store, which takes the company in the list alone and there by one spelling. */
function withoutCompany(query: URLSearchParams, more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const kept = [...query].filter(([name]) => name.toLowerCase() !== 'companykey');
  return new URLSearchParams([...kept, ...Object.entries(more).filter(([, value]) => value !== '')]);
}
