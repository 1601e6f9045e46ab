import { type Fault, Problem, type ProblemCode, problems } from '@rostergate/runtime/problem';
import { readRetryAfter, type UpstreamResponse } from '@rostergate/runtime/upstream';

const bodyBytesMax = 64 * 1024;
const faultsMax = 100;
const textLengthMax = 1_000;

/**
 * What a caller is told of an upstream's refusal or fault. A problem of the contract keeps its code, kind, detail and
 * errors; any other refusal becomes the code of its status; a 503 with `Retry-After` stays one; all else is a 502 that
 * names the status and nothing more.
 * An upstream that repeats the `token` which it was asked with has said nothing that may go on.
 */
export async function createUpstreamProblem(answer: UpstreamResponse, token: string | undefined): Promise<Problem> {
  const { status } = answer;
  const document = await readProblemDocument(answer, token);
  if (status === 429) return new UpstreamLimit(readRetryAfter(answer.headers, Date.now));
  const code = relayedCode(status, document.code);
  if (code === undefined) {
    const { 'proxy-status': proxyStatus } = answer.headers;
    const headers: Record<string, string> = proxyStatus === undefined ? {} : { 'Proxy-Status': String(proxyStatus) };
    const waitMs = status === 503 ? readRetryAfter(answer.headers, Date.now) : undefined;
    if (waitMs === undefined) {
      return new Problem('upstream_failed', `The upstream answered ${status}. Try again later.`, { headers });
    }
    headers['Retry-After'] = String(Math.ceil(waitMs / 1_000));
    return new UpstreamUnavailable(headers['Retry-After'], headers);
  }
  // Whoever does not speak the contract's codes may tell of its own inside.
  if (document.code !== code || typeof document.detail !== 'string' || document.detail === '') {
    return new Problem(code, `The upstream answered ${status} and gave no reason that may be passed on.`);
  }
  return new Problem(code, document.detail.slice(0, textLengthMax), { errors: readFaults(document.errors) });
}

/** The account is over the upstream's limit, which is no fault of this caller: 503, with the upstream's own time. */
export class UpstreamLimit extends Problem {
  /** How long the upstream asks to wait; undefined when it does not say. */
  readonly waitMs: number | undefined;

  constructor(waitMs: number | undefined) {
    const seconds = String(Math.max(1, Math.ceil((waitMs ?? 0) / 1_000)));
    super('unavailable', `The upstream answered 429: it limits this proxy. Wait ${seconds} s.`, {
      headers: { 'Retry-After': seconds },
    });
    this.waitMs = waitMs;
  }
}

/** The upstream asks to come back later; whether it has done anything it does not say. */
export class UpstreamUnavailable extends Problem {
  constructor(seconds: string, headers: Readonly<Record<string, string>>) {
    super('unavailable', `The upstream is not available. Wait ${seconds} s.`, { headers });
  }
}

/** What the upstream may refuse the caller, and under which code when it names none of ours. */
const refusals: Readonly<Record<number, ProblemCode>> = {
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
  const fallback = refusals[status];
  // The contract's route is known to exist: an upstream that does not know it stands at a wrong address.
  if (fallback === undefined || code === 'route_not_found') return undefined;
  if (typeof code !== 'string' || !Object.hasOwn(problems, code)) return fallback;
  return problems[code as ProblemCode].status === status ? (code as ProblemCode) : fallback;
}

type UnknownDocument = Readonly<Record<string, unknown>>;

/** The body as an object; an empty one for all that is too long, broken off or not JSON. */
async function readProblemDocument(
  { headers, body }: UpstreamResponse,
  token: string | undefined,
): Promise<UnknownDocument> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > bodyBytesMax) return {};
    }
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
