import type { IncomingMessage, ServerResponse } from 'node:http';
import { startListener } from '../start-listener.ts';
import { type AskStore, refuse, type Told, type VendorRequest, vendorRoutes } from './vendor-routes.ts';

/** What came in, but for logins. */
export interface SeenByVendor {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

export interface Vendor {
  /** Its base, which ends in `/v2`. */
  readonly url: string;
  readonly seen: SeenByVendor[];
  stop(): Promise<void>;
}

/** Members of people that the vendor has and the contract has not, or never gives out. */
const vendorMembers = {
  SocialSecurityNumber: '078-05-1120',
  BirthDate: '1970-01-01T00:00:00',
  MobileServiceProvider: 'None',
  TimeClockKioskPIN: '2468',
};

/**
 * An API of the vendor's shape in front of a real scheduling server, whose accounts and people it has. It takes the
 * vendor's forms and no others: what the contract has in another form is 405 or 400 here, as it would be there.
 */
export async function startVendor(storeUrl: string): Promise<Vendor> {
  const seen: SeenByVendor[] = [];
  const { url, stop } = await startListener(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://vendor.invalid');
    const text = await readText(req);
    if (url.pathname === '/v2/login') return send(res, await logIn(storeUrl, req, url, text));
    const body = text === '' ? undefined : JSON.parse(text);
    seen.push({ method: req.method ?? '', path: url.pathname + url.search, body, headers: req.headers });
    send(res, await answer({ req, url, body, storeUrl }).catch((error: Error) => refuse(500, error.message)));
  });
  return { url: `${url}/v2`, seen, stop };
}

/** The login takes a form, in the body alone. */
async function logIn(storeUrl: string, req: IncomingMessage, url: URL, text: string): Promise<Told> {
  const isForm = req.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  if (req.method !== 'POST' || !isForm || url.search !== '') return refuse(400, 'Bad Request');
  const json = Object.fromEntries(new URLSearchParams(text));
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${storeUrl}/v2/login`, { method: 'POST', headers, body: JSON.stringify(json) });
  const body = await answer.json();
  return answer.status === 200 ? { status: 200, body } : accessDenied;
}

const accessDenied: Told = {
  status: 401,
  body: { error: 'access_denied', error_description: 'Invalid email or password' },
};

interface Asked {
  readonly req: IncomingMessage;
  readonly url: URL;
  readonly body: unknown;
  readonly storeUrl: string;
}

async function answer({ req, url, body, storeUrl }: Asked): Promise<Told> {
  const authorization = req.headers.authorization ?? '';
  if (!/^bearer \S+$/i.test(authorization)) return accessDenied;
  const ask = createAskStore(storeUrl, { authorization, accept: req.headers.accept ?? '' });
  const fitting = vendorRoutes.flatMap((route) => {
    const path = matchPath(route.path, url.pathname);
    return path === undefined ? [] : [{ route, path }];
  });
  if (fitting.length === 0) return refuse(404, 'No HTTP resource was found.');
  const found = fitting.find(({ route }) => route.method === req.method);
  if (found === undefined) return refuse(405, `The requested resource does not support http method '${req.method}'.`);
  const { route, path } = found;
  const members = (Array.isArray(body) ? body[0] : body) ?? {};
  const inBody = members.CompanyKey ?? members.companyKey;
  const inQuery = [...url.searchParams].find(([name]) => name.toLowerCase() === 'companykey')?.[1];
  const named = { query: inQuery, body: inBody };
  if (route.company !== undefined && named[route.company] === undefined) return refuse(400, 'CompanyKey is required.');
  const staffKey = path.staffId === undefined ? '' : await findPerson(path.staffId, inQuery ?? inBody, ask);
  if (staffKey === undefined) return refuse(404, 'The staff member was not found.');
  const request: VendorRequest = {
    ...{ path, query: url.searchParams, staffKey },
    body: withoutCompany(body),
    companyKey: inQuery ?? '',
  };
  const told = await route.serve(request, ask);
  if (told.status === 401) return accessDenied;
  if (told.status > 299) return refuse(told.status, 'The request could not be processed.');
  return { status: 200, body: asVendor(told.body) };
}

/** Any identifier leads to a person: the key, the StaffId, the e-mail address, the NPI, that of the billing system. */
async function findPerson(identifier: string, companyKey: string | undefined, ask: AskStore) {
  const direct = await ask('GET', `/staffmember/${encodeURIComponent(identifier)}?$select=StaffKey`);
  if (direct.status === 200) return identifier;
  if (companyKey === undefined) return undefined;
  const literal = `'${identifier.replaceAll("'", "''")}'`;
  const $filter = ['StaffId', 'Email', 'Npi', 'BillSysId'].map((name) => `${name} eq ${literal}`).join(' or ');
  const query = new URLSearchParams({ companyKey, $filter, $select: 'StaffKey', $top: '1' });
  const { status, body } = await ask('GET', `/staffmember?${query}`);
  return status === 200 ? (body[0]?.StaffKey as string | undefined) : undefined;
}

function createAskStore(storeUrl: string, given: { authorization: string; accept: string }): AskStore {
  return async (method, path, json) => {
    const isList = /^\/staffmember\?/.test(path);
    const answer = await fetch(`${storeUrl}/v2${path}`, {
      method,
      headers: {
        Authorization: given.authorization,
        Accept: isList ? given.accept : 'application/json',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const names: string[] = [];
  const source = template.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  const match = new RegExp(`^/v2${source}/?$`).exec(pathname);
  return match === null
    ? undefined
    : Object.fromEntries(names.map((name, n) => [name, decodeURIComponent(match[n + 1] ?? '')]));
}

function withoutCompany(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { CompanyKey: _1, companyKey: _2, ...rest } = body as Record<string, unknown>;
  return rest;
}

/** What the vendor calls itself in links, which the proxy reaches by another name. */
export const vendorAddress = 'https://api.vendor.example/v2/';

/** Links are absolute. People have more members here, and their badges twice. */
function asVendor(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asVendor);
  if (typeof value !== 'object' || value === null) return value;
  const { value: list, ...one } = value as Record<string, unknown>;
  if (Array.isArray(list)) {
    const links = Object.entries(one).filter(([name]) => /^@odata\.(?:context|nextLink)$/.test(name));
    const absolute = Object.fromEntries(links.map(([name, link]) => [name, vendorAddress + link]));
    return { ...one, ...absolute, value: list.map(asVendor) };
  }
  if (!('CompKey' in one)) return value;
  const { BadgeIds } = one;
  if (!Array.isArray(BadgeIds)) return { ...one, ...vendorMembers };
  const numbers = BadgeIds.map(({ BadgeId }: { BadgeId: string }) => BadgeId);
  return { ...one, ...vendorMembers, BadgeIds: numbers, Badges: BadgeIds };
}

/** No version, no place of what is new, and text where there is no object. */
function send(res: ServerResponse, { status, body }: Told): void {
  const isText = typeof body === 'string';
  res.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json; charset=utf-8' });
  res.end(isText ? body : JSON.stringify(body));
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
