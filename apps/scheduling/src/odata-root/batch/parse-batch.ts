import { toFiniteJson } from '@rostergate/server';
import { createValidationProblem, type Fault, faultsMax } from '@rostergate/server/problem';
import { type OperationAt, type PartTarget, readTarget } from './part-target.ts';

/** A batch that its schema allows. */
export interface Batch {
  readonly requests: readonly BatchRequest[];
}

interface BatchRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly atomicityGroup?: string;
  readonly dependsOn?: readonly string[];
  readonly if?: string;
}

/** A request of a batch. */
export interface BatchPart {
  readonly id: string;
  readonly method: string;
  readonly target: PartTarget;
  /** The fields to send, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly group: string | undefined;
  /** Ids and groups of earlier parts. */
  readonly dependsOn: readonly string[];
  readonly isConditional: boolean;
}

const methods: ReadonlySet<string> = new Set(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
/** The fields that change what an operation does. Others, such as `User-Agent`, have no effect. */
const passed: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'if-match', 'if-none-match', 'odata-maxversion', 'odata-version', 'prefer'],
]);
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/**
 * Returns the requests of a batch, checked beyond its schema.
 * @throws Problem 400 with up to 20 faults and their places, such as `/requests/3/url`
 */
export function parseBatch({ requests }: Batch, root: URL, operationAt: OperationAt): readonly BatchPart[] {
  const faults: Fault[] = [];
  const names = new Names(requests);
  const parts = requests.map((request, n): BatchPart => {
    const fail = (member: string, detail: string): void => {
      if (faults.length < faultsMax) faults.push({ pointer: `/requests/${n}${member}`, detail });
    };
    names.check(request, fail);
    const method = request.method.toUpperCase();
    if (!methods.has(method)) fail('/method', 'must be get, patch, post, put or delete');
    const headers = readHeaders(request.headers ?? {}, fail);
    const body = readBody(request.body ?? undefined, method, headers, fail);
    const dependsOn = request.dependsOn ?? [];
    const target = readTarget(method, request.url, root, operationAt);
    if (typeof target === 'string') fail('/url', target);
    else if ('reference' in target && !dependsOn.includes(target.reference)) {
      fail('/url', `refers to the request "${target.reference}". List this id in dependsOn`);
    }
    return {
      ...{ id: request.id, method, headers, body, dependsOn, group: request.atomicityGroup },
      ...{ target: target as PartTarget, isConditional: request.if !== undefined },
    };
  });
  if (faults.length > 0) throw createValidationProblem(faults);
  return parts;
}

type Fail = (member: string, detail: string) => void;

/** The ids and groups of a batch. Each is unique, and the requests of a group are adjacent. */
class Names {
  readonly #groups: ReadonlySet<string | undefined>;
  readonly #known = new Set<string>();
  readonly #endedGroups = new Set<string>();
  #group: string | undefined;

  constructor(requests: readonly BatchRequest[]) {
    this.#groups = new Set(requests.map(({ atomicityGroup }) => atomicityGroup));
  }

  /** Checks the names of the next request. */
  check({ id, atomicityGroup: group, dependsOn = [] }: BatchRequest, fail: Fail): void {
    for (const [i, name] of dependsOn.entries()) {
      if (!this.#known.has(name)) fail(`/dependsOn/${i}`, 'must be the id or the group of an earlier request');
    }
    if (this.#known.has(id) || this.#groups.has(id)) fail('/id', 'must differ from every other id and group');
    if (this.#group !== undefined && this.#group !== group) this.#endedGroups.add(this.#group);
    if (group !== undefined && this.#endedGroups.has(group)) {
      fail('/atomicityGroup', 'must follow the other requests of its group');
    }
    this.#group = group;
    this.#known.add(id);
    if (group !== undefined) this.#known.add(group);
  }
}

/** Returns the fields that are sent. */
function readHeaders(given: Readonly<Record<string, string>>, fail: Fail): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    const place = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (seen.has(lower)) fail(place, 'must be sent once');
    else if (credentials.has(lower)) fail(place, 'must be absent: each request has the credential of the batch');
    else if (passed.has(lower)) headers[lower] = value;
    seen.add(lower);
  }
  return headers;
}

/** Returns the text of a body. */
function readBody(
  body: unknown,
  method: string,
  headers: Readonly<Record<string, string>>,
  fail: Fail,
): string | undefined {
  if (body === undefined) return undefined;
  if (method === 'GET' || method === 'DELETE') {
    fail('/body', `must be absent, because the method is ${method.toLowerCase()}`);
    return undefined;
  }
  const [type = ''] = (headers['content-type'] ?? 'application/json').toLowerCase().split(';', 1);
  if (/^application\/(?:[\w.-]+\+)?json$/.test(type.trim())) {
    const text = toFiniteJson(body);
    if (text === undefined) fail('/body', 'must contain no number beyond the range of a double, such as 1e400');
    return text;
  }
  if (!type.startsWith('text/')) fail('/headers/content-type', 'must be a type of JSON, or text/*');
  else if (typeof body !== 'string') fail('/body', `must be a string, because its type is ${type}`);
  else return body;
  return undefined;
}
