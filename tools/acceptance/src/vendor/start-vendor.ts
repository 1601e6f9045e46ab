import type { IncomingMessage, ServerResponse } from 'node:http';
import { startListener } from '../start-listener.ts';
import { type AskStore, type StoreResponse, type VendorRequest, vendorError, vendorRoutes } from './vendor-routes.ts';

/** A received request, except logins. */
export interface SeenByVendor {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

export interface Vendor {
  /** The base URL, which ends in `/v2`. */
  readonly url: string;
  readonly seen: SeenByVendor[];
  stop(): Promise<void>;
}

/** Members of people of the vendor that the contract lacks or never returns. */
const vendorMembers = {
  SocialSecurityNumber: '078-05-1120',
  BirthDate: '1970-01-01T00:00:00',
  MobileServiceProvider: 'None',
  TimeClockKioskPIN: '2468',
};

/**
 * Starts an API like that of the vendor in front of a scheduling server, with its accounts and people. It accepts only the
 * formats of the vendor and rejects those of the contract with 405 or 400, like the vendor.
 */
export async function startVendor(storeUrl: string): Promise<Vendor> {
  const seen: SeenByVendor[] = [];
  const { url, stop } = await startListener(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://vendor.invalid');
    const text = await readText(req);
    if (url.pathname === '/v2/login') return send(res, await logIn(storeUrl, req, url, text));
    const body = text === '' ? undefined : JSON.parse(text);
    seen.push({ method: req.method ?? '', path: url.pathname + url.search, body, headers: req.headers });
    send(res, await respond({ req, url, body, storeUrl }).catch((error: Error) => vendorError(500, error.message)));
  });
  return { url: `${url}/v2`, seen, stop };
}

/** The login accepts a form in the body only. */
async function logIn(storeUrl: string, req: IncomingMessage, url: URL, text: string): Promise<StoreResponse> {
  const isForm = req.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  if (req.method !== 'POST' || !isForm || url.search !== '') return vendorError(400, 'Bad Request');
  const json = Object.fromEntries(new URLSearchParams(text));
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${storeUrl}/v2/login`, { method: 'POST', headers, body: JSON.stringify(json) });
  const body = await response.json();
  return response.status === 200 ? { status: 200, body } : accessDenied;
}

const accessDenied: StoreResponse = {
  status: 401,
  body: { error: 'access_denied', error_description: 'Invalid email or password' },
};

interface ReceivedRequest {
  readonly req: IncomingMessage;
  readonly url: URL;
  readonly body: unknown;
  readonly storeUrl: string;
}

async function respond({ req, url, body, storeUrl }: ReceivedRequest): Promise<StoreResponse> {
  const authorization = req.headers.authorization ?? '';
  if (!/^bearer \S+$/i.test(authorization)) return accessDenied;
  const ask = createAskStore(storeUrl, { authorization, accept: req.headers.accept ?? '' });
  const fitting = vendorRoutes.flatMap((route) => {
    const path = matchPath(route.path, url.pathname);
    return path === undefined ? [] : [{ route, path }];
  });
  if (fitting.length === 0) return vendorError(404, 'No HTTP resource was found.');
  const found = fitting.find(({ route }) => route.method === req.method);
  if (found === undefined)
    return vendorError(405, `The requested resource does not support http method '${req.method}'.`);
  const { route, path } = found;
  const members = (Array.isArray(body) ? body[0] : body) ?? {};
  const inBody = members.CompanyKey ?? members.companyKey;
  const inQuery = [...url.searchParams].find(([name]) => name.toLowerCase() === 'companykey')?.[1];
  const named = { query: inQuery, body: inBody };
  if (route.company !== undefined && named[route.company] === undefined)
    return vendorError(400, 'CompanyKey is required.');
  const staffKey = path.staffId === undefined ? '' : await findPerson(path.staffId, inQuery ?? inBody, ask);
  if (staffKey === undefined) return vendorError(404, 'The staff member was not found.');
  const request: VendorRequest = {
    ...{ path, query: url.searchParams, staffKey },
    body: withoutCompany(body),
    companyKey: inQuery ?? '',
  };
  const result = await route.serve(request, ask);
  if (result.status === 401) return accessDenied;
  if (result.status > 299) return vendorError(result.status, 'The request could not be processed.');
  return { status: 200, body: asVendor(result.body) };
}

/** Finds a person by any identifier: key, StaffId, e-mail address, NPI or the identifier of the billing system. */
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
    const response = await fetch(`${storeUrl}/v2${path}`, {
      method,
      headers: {
        Authorization: given.authorization,
        Accept: isList ? given.accept : 'application/json',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: response.status, body: await response.json() };
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

/** The address of the vendor in its links; the proxy uses another one. */
export const vendorAddress = 'https://api.vendor.example/v2/';

/** Converts to the format of the vendor: absolute links, more members of people, and their badges twice. */
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

/** Sends neither ETag nor Location, and text for a body that is not an object. */
function send(res: ServerResponse, { status, body }: StoreResponse): void {
  const isText = typeof body === 'string';
  res.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json; charset=utf-8' });
  res.end(isText ? body : JSON.stringify(body));
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
