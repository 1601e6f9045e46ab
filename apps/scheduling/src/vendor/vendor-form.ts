import type { IncomingMessage, ServerResponse } from 'node:http';
import { type SendLocally, toFiniteJson } from '@rostergate/server';
import { chooseListForm } from '../operations/list-form.ts';
import type { SimulateFault } from './simulated-faults.ts';
import {
  type AskContract,
  membersOf,
  type VendorRequest,
  type VendorResponse,
  vendorError,
  vendorRoutes,
} from './vendor-routes.ts';

export interface VendorFormOptions {
  /** Sends requests to the scheduling API in the format of the contract. */
  readonly send: SendLocally;
  readonly bodyBytesMax: number;
  /** Delays and fails requests; none by default. */
  readonly simulateFault?: SimulateFault;
}

/** Handles a request for `/v2` or a path below it. Never rejects. */
export type VendorForm = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** The longest response of the scheduling API that is converted. */
const responseBytesMax = 64 * 1024 * 1024;

/** Members of people of the vendor that the contract lacks or never returns. */
const vendorMembers = {
  SocialSecurityNumber: '078-05-1120',
  BirthDate: '1970-01-01T00:00:00',
  MobileServiceProvider: 'None',
  TimeClockKioskPIN: '2468',
};

/**
 * Returns a handler with the methods, shapes and errors of the vendor, over the accounts and people of a scheduling API.
 * It accepts only the formats of the vendor and rejects those of the contract with 405 or 400, like the vendor.
 */
export function createVendorForm({ send, bodyBytesMax, simulateFault }: VendorFormOptions): VendorForm {
  return async (req, res) => {
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const sendInside: SendInside = (request) =>
      send({ ...request, client: req.socket, signal: gone.signal, bytesMax: responseBytesMax });
    const answer = async () =>
      (await simulateFault?.(req, gone.signal)) ?? (await respond(req, bodyBytesMax, sendInside));
    const response = await answer().catch((error: unknown) =>
      error instanceof Rejection ? error.response : vendorError(500, 'An error has occurred.'),
    );
    if (!res.destroyed) write(res, response);
  };
}

type SendInside = (
  request: Pick<Parameters<SendLocally>[0], 'method' | 'url' | 'headers' | 'body'>,
) => ReturnType<SendLocally>;

/** A rejection that ends the request. */
class Rejection extends Error {
  readonly response: VendorResponse;

  constructor(response: VendorResponse) {
    super('The request is rejected.');
    this.response = response;
  }
}

async function respond(req: IncomingMessage, bodyBytesMax: number, send: SendInside): Promise<VendorResponse> {
  const url = new URL(req.url ?? '/', 'http://vendor.invalid');
  const text = await readText(req, bodyBytesMax);
  if (url.pathname === '/v2/login') return logIn(req, url, text, send);
  const { authorization = '' } = req.headers;
  if (!/^bearer \S+$/i.test(authorization)) return accessDenied;
  const matching = vendorRoutes.flatMap((route) => {
    const path = matchPath(route.path, url.pathname);
    return path === undefined ? [] : [{ route, path }];
  });
  if (matching.length === 0) return vendorError(404, 'No HTTP resource was found.');
  const found = matching.find(({ route }) => route.method === req.method);
  if (found === undefined)
    return vendorError(405, `The requested resource does not support http method '${req.method}'.`);
  const { route, path } = found;
  const body = parseBody(text);
  const members = membersOf(Array.isArray(body) ? body[0] : body);
  const inBody = members.CompanyKey ?? members.companyKey;
  const inQuery = [...url.searchParams].find(([name]) => name.toLowerCase() === 'companykey')?.[1];
  if (route.company !== undefined && { query: inQuery, body: inBody }[route.company] === undefined) {
    return vendorError(400, 'CompanyKey is required.');
  }
  const { accept, prefer, 'x-request-id': requestId } = req.headers;
  const common = { Authorization: authorization, 'X-Request-Id': requestId };
  const find = createAskContract(send, { ...common, Accept: json });
  const staffKey = path.staffId === undefined ? '' : await findPerson(path.staffId, inQuery ?? inBody, find);
  if (staffKey === undefined) return vendorError(404, 'The staff member was not found.');
  // The vendor has lists in JSON only.
  const listHeaders = {
    Accept: chooseListForm(accept) === 'envelope' ? envelope : json,
    Prefer: prefer,
  };
  const ask = createAskContract(send, { ...common, Accept: json }, listHeaders);
  const request: VendorRequest = {
    ...{ path, query: url.searchParams, staffKey },
    body: withoutCompany(body),
    companyKey: inQuery ?? '',
  };
  const result = await route.serve(request, ask);
  return result.status > 299
    ? result
    : { status: 200, body: asVendor(result.body, `http://${req.headers.host ?? 'localhost'}/v2/`) };
}

/** The login accepts a form in the body only. */
async function logIn(req: IncomingMessage, url: URL, body: string, send: SendInside): Promise<VendorResponse> {
  const type = 'application/x-www-form-urlencoded';
  const isForm = req.headers['content-type']?.startsWith(type) === true;
  if (req.method !== 'POST' || !isForm || url.search !== '') return vendorError(400, 'Bad Request');
  const response = await send({ method: 'POST', url: '/v2/login', headers: { 'Content-Type': type }, body });
  return fromContract(response);
}

/** Every person is found by any identifier: key, StaffId, e-mail address, NPI or the identifier of the billing system. */
async function findPerson(identifier: string, company: unknown, ask: AskContract): Promise<string | undefined> {
  // `$count` is no key: the contract counts people there.
  if (identifier !== '$count') {
    const direct = await ask('GET', `/staffmember/${encodeURIComponent(identifier)}?$select=StaffKey`);
    if (direct.status === 200) return identifier;
    if (direct.status !== 404) throw new Rejection(direct);
  }
  if (typeof company !== 'string') return undefined;
  const literal = `'${identifier.replaceAll("'", "''")}'`;
  const $filter = ['StaffId', 'Email', 'Npi', 'BillSysId'].map((name) => `${name} eq ${literal}`).join(' or ');
  const query = new URLSearchParams({ companyKey: company, $filter, $select: 'StaffKey', $top: '1' });
  const { status, body } = await ask('GET', `/staffmember?${query}`);
  const [one] = status === 200 && Array.isArray(body) ? body : [];
  return membersOf(one).StaffKey as string | undefined;
}

type HeadersInside = Parameters<SendInside>[0]['headers'];

const json = 'application/json';
const envelope = 'application/json;odata.metadata=minimal';

/** Returns a function that sends requests of the contract; the list has headers of its own. */
function createAskContract(send: SendInside, common: HeadersInside, ofList: HeadersInside = {}): AskContract {
  return async (method, path, value) => {
    const headers = {
      ...common,
      ...(path.startsWith('/staffmember?') ? ofList : {}),
      ...(value === undefined ? {} : { 'Content-Type': json }),
    };
    const body = value === undefined ? undefined : toFiniteJson(value);
    if (value !== undefined && body === undefined) return vendorError(400, 'A number of the body is too large.');
    return fromContract(await send({ method, url: `/v2${path}`, headers, body }));
  };
}

/** Returns the status and value of a success; for an error of the contract, that of the vendor without its reason. */
function fromContract({ status, headers, body, isWhole }: Awaited<ReturnType<SendInside>>): VendorResponse {
  if (status === 401) return accessDenied;
  if (status > 299) return vendorError(status, 'The request could not be processed.', headers['retry-after']);
  if (!isWhole) return vendorError(500, 'The response is too long. Ask for fewer people with $top.');
  return { status, body: JSON.parse(body.toString('utf8')) };
}

const accessDenied: VendorResponse = {
  status: 401,
  body: { error: 'access_denied', error_description: 'Invalid email or password' },
};

function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const expected = template.replace(/\/$/, '').split('/');
  const given = pathname.slice('/v2'.length).replace(/\/$/, '').split('/');
  if (given.length !== expected.length) return undefined;
  const path: Record<string, string> = {};
  for (const [n, part] of expected.entries()) {
    const value = given[n] as string;
    if (!part.startsWith('{')) {
      if (part !== value) return undefined;
    } else if (value === '') return undefined;
    else path[part.slice(1, -1)] = decode(value);
  }
  return path;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Rejection(vendorError(400, 'Bad Request'));
  }
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Rejection(vendorError(400, 'The body is not JSON.'));
  }
}

function withoutCompany(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { CompanyKey: _1, companyKey: _2, ...rest } = body as Record<string, unknown>;
  return rest;
}

/** Converts to the format of the vendor: absolute links, more members of people, and their badges twice. */
function asVendor(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((each) => asVendor(each, base));
  if (typeof value !== 'object' || value === null) return value;
  const { value: list, ...one } = value as Record<string, unknown>;
  if (Array.isArray(list)) {
    const links = Object.entries(one).filter(([name]) => /^@odata\.(?:context|nextLink)$/.test(name));
    const absolute = Object.fromEntries(links.map(([name, link]) => [name, base + link]));
    return { ...one, ...absolute, value: list.map((each) => asVendor(each, base)) };
  }
  if (!('CompKey' in one)) return value;
  const { BadgeIds } = one;
  if (!Array.isArray(BadgeIds)) return { ...one, ...vendorMembers };
  const numbers = BadgeIds.map((badge) => membersOf(badge).BadgeId);
  return { ...one, ...vendorMembers, BadgeIds: numbers, Badges: BadgeIds };
}

/** Sends neither ETag nor Location, and text for a body that is text. */
function write(res: ServerResponse, { status, body, retryAfter }: VendorResponse): void {
  const isText = typeof body === 'string';
  res.writeHead(status, {
    'Content-Type': isText ? 'text/plain' : 'application/json; charset=utf-8',
    ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
  });
  res.end(isText ? body : JSON.stringify(body));
}

async function readText(req: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Otherwise the end of the loop would destroy the request, and its rest would not be read.
  const pieces = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of pieces) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Rejection(vendorError(413, 'The request is too large.'));
  }
  return Buffer.concat(chunks).toString('utf8');
}
