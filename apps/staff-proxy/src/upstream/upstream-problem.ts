import type { Readable } from 'node:stream';
import { type Fault, Problem, type ProblemCode, problems } from '@rostergate/server/problem';
import { readRetryAfter, type UpstreamResponse } from '@rostergate/upstream';

const bodyBytesMax = 64 * 1024;
const faultsMax = 100;
const textLengthMax = 1_000;

/**
 * Returns the problem for an upstream's rejection or fault. A problem of the contract keeps its code, kind, detail and
 * errors; any other rejection gets the code of its status; a 503 with `Retry-After` stays one; the rest becomes a 502
 * that names only the status. A body that repeats `token`, which the request was sent with, is not passed on.
 */
export async function createUpstreamProblem(response: UpstreamResponse, token: string | undefined): Promise<Problem> {
  const { status } = response;
  const document = await readProblemDocument(response, token);
  if (status === 429) return new UpstreamLimit(readRetryAfter(response.headers, Date.now));
  const code = relayedCode(status, document.code);
  if (code === undefined) {
    const { 'proxy-status': proxyStatus } = response.headers;
    const headers: Record<string, string> = proxyStatus === undefined ? {} : { 'Proxy-Status': String(proxyStatus) };
    const waitMs = status === 503 ? readRetryAfter(response.headers, Date.now) : undefined;
    if (waitMs === undefined) {
      return new Problem('upstream_failed', `The upstream answered ${status}. Try again later.`, { headers });
    }
    headers['Retry-After'] = String(Math.ceil(waitMs / 1_000));
    return new UpstreamUnavailable(headers['Retry-After'], headers);
  }
  // Without a code of the contract the detail may contain internals.
  if (document.code !== code || typeof document.detail !== 'string' || document.detail === '') {
    return new Problem(code, `The upstream answered ${status} and gave no reason that can be passed on.`);
  }
  return new Problem(code, document.detail.slice(0, textLengthMax), { errors: readFaults(document.errors) });
}

/** The account is over the upstream's limit, which is not this caller's fault: 503 with the upstream's Retry-After. */
export class UpstreamLimit extends Problem {
  /** The upstream's `Retry-After`; undefined when it sent none. */
  readonly waitMs: number | undefined;

  constructor(waitMs: number | undefined) {
    const seconds = String(Math.max(1, Math.ceil((waitMs ?? 0) / 1_000)));
    super('unavailable', `The upstream answered 429: it limits this proxy. Wait ${seconds} s.`, {
      headers: { 'Retry-After': seconds },
    });
    this.waitMs = waitMs;
  }
}

/** The upstream answered 503; whether it has processed the request is unknown. */
export class UpstreamUnavailable extends Problem {
  constructor(seconds: string, headers: Readonly<Record<string, string>>) {
    super('unavailable', `The upstream is not available. Wait ${seconds} s.`, { headers });
  }
}

/** The statuses that are passed on, with the code for a body without one of the contract. */
const relayedStatuses: Readonly<Record<number, ProblemCode>> = {
  400: 'validation_failed',
  403: 'operation_forbidden',
  404: 'not_found',
  405: 'not_implemented',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'body_too_large',
  414: 'uri_too_long',
  501: 'not_implemented',
};

function relayedCode(status: number, code: unknown): ProblemCode | undefined {
  // Only a link to changes can be gone.
  if (status === 410 && code === 'changes_gone') return code;
  const fallback = relayedStatuses[status];
  // An upstream without a route of the contract has a wrong address.
  if (fallback === undefined || code === 'route_not_found') return undefined;
  if (typeof code !== 'string' || !Object.hasOwn(problems, code)) return fallback;
  return problems[code as ProblemCode].status === status ? (code as ProblemCode) : fallback;
}

type UnknownDocument = Readonly<Record<string, unknown>>;

/** Returns the body as an object; an empty one where it is too long, broken off or not JSON. */
async function readProblemDocument(
  { headers, body }: UpstreamResponse,
  token: string | undefined,
): Promise<UnknownDocument> {
  try {
    const chunks = await readBytes(body, bodyBytesMax, () => new RangeError('The body is too long.'));
    if (!String(headers['content-type']).toLowerCase().includes('json')) return {};
    const text = Buffer.concat(chunks).toString('utf8');
    if (token !== undefined && text.includes(token)) return {};
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as UnknownDocument) : {};
  } catch {
    return {};
  }
}

function readFaults(value: unknown): Fault[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, faultsMax).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { detail, pointer, parameter, header } = entry as UnknownDocument;
    if (typeof detail !== 'string') return [];
    const place = Object.entries({ pointer, parameter, header }).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    );
    return [
      {
        detail: detail.slice(0, textLengthMax),
        ...Object.fromEntries(place.map(([k, v]) => [k, v.slice(0, textLengthMax)])),
      },
    ];
  });
}

/** Returns the problem for a response that broke off. */
export function brokeOff(status: number, cause?: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem('upstream_failed', `The upstream answered ${status} and broke off. Try again.`, { cause });
}

/** Returns a rejection handler that throws `brokeOff`. */
export function rethrowAsBrokenOff(status: number): (cause: unknown) => never {
  return (cause) => {
    throw brokeOff(status, cause);
  };
}

/** Returns the problem for a response that is not the contract's JSON. */
export function notTheContract(status: number, cause?: unknown): Problem {
  const detail = `The upstream answered ${status} with a body that is not JSON of the contract.`;
  return new Problem('upstream_failed', detail, { cause });
}

/** Returns all chunks of a body. Rejects with `createFault()` beyond `bytesMax`. */
export async function readBytes(body: Readable, bytesMax: number, createFault: () => Error): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) throw createFault();
  }
  return chunks;
}
