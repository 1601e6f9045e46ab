import type { CallTrace, RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import {
  discard,
  isUnsafeSegment,
  type SendOnce,
  UpstreamFault,
  type UpstreamRequest,
  type UpstreamResponse,
} from '@rostergate/runtime/upstream';
import type { UpstreamToken } from '../accounts/upstream-session.ts';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { strongly } from '../reads/entity-tags.ts';
import type { Caller, StaffCall } from '../staff-call.ts';
import { readValue } from '../vendor/read-value.ts';
import { readInTime } from './read-in-time.ts';
import { relayAnswer, relayNotModified } from './relay-response.ts';
import type { Exchange, UpstreamForm } from './upstream-form.ts';
import { createUpstreamProblem, UpstreamLimit } from './upstream-problem.ts';

/** A Staff Member API, spoken to in the forms that it knows. */
export interface StaffUpstream {
  /** The answer to a call, begun by the deadline; `token_refused` when the upstream wants another login. */
  send(call: StaffCall, token: string, caller: Caller, deadlineMs: number): Promise<RawReply | 'token_refused'>;
  /** `refused` when the upstream knows no such account. */
  login(account: ServiceAccount): Promise<UpstreamToken | 'refused'>;
  /** Whether anything answers there, other than with a 5xx. */
  isReachable(): Promise<boolean>;
}

export interface StaffUpstreamOptions {
  /** Reaches the host of `baseUrl`. */
  readonly request: SendOnce;
  /** The address of the API; its path ends in the contract's base, as at the vendor. */
  readonly baseUrl: URL;
  /** Where the same operations stand here. */
  readonly ownBase: string;
  /** What it speaks. */
  readonly form: UpstreamForm;
  /** How long a login may take. */
  readonly timeoutMs: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

export function createStaffUpstream(options: StaffUpstreamOptions): StaffUpstream {
  const { request, baseUrl, ownBase, form, timeoutMs, clock } = options;
  const base = baseUrl.pathname.replace(/\/$/, '');
  const { origin } = baseUrl;

  function rewriteLocation(location: string): string | undefined {
    const url = URL.parse(location, baseUrl);
    const isInside = url?.origin === baseUrl.origin && url.pathname.startsWith(`${base}/`);
    return isInside ? ownBase + url.pathname.slice(base.length) + url.search : undefined;
  }

  const forms = new WeakMap<Operation, OutgoingForm>();

  function formOf(operation: Operation): OutgoingForm {
    let known = forms.get(operation);
    if (known === undefined) {
      known = createOutgoingForm(operation, base);
      forms.set(operation, known);
    }
    return known;
  }

  class Turn implements Exchange {
    readonly #token: string;
    readonly #caller: Caller;
    readonly #deadlineMs: number;

    constructor(token: string, caller: Caller, deadlineMs: number) {
      this.#token = token;
      this.#caller = caller;
      this.#deadlineMs = deadlineMs;
    }

    ask(call: StaffCall): Promise<UpstreamResponse | 'token_refused'> {
      return this.#send(call, (answer) => answer);
    }

    forward(call: StaffCall): Promise<RawReply | 'token_refused'> {
      return this.#send(call, (answer) => this.relay(answer, call));
    }

    #send<T>(call: StaffCall, take: (answer: UpstreamResponse) => T | Promise<T>): Promise<T | 'token_refused'> {
      const { requestId, signal, trace, via } = this.#caller;
      const { operation, query, body } = call;
      const { method, pieces, template } = formOf(operation);
      let path: string;
      try {
        path = fillPath(pieces, call) + (query === '' ? '' : `?${asciiOf(query)}`);
      } catch (error) {
        return Promise.reject(error);
      }
      const traced = trace?.startCall({ method, origin, template });
      const headers = headersFor(call, this.#token, requestId, traced);
      if (via !== undefined) headers.Via = via;
      // Some writes may be done twice by their method; whether the upstream sees them so nobody knows.
      const isRepeatable = operation.method === 'get';
      const sent: UpstreamRequest = { method, path, headers, signal, deadlineMs: this.#deadlineMs, isRepeatable };
      return request(body === undefined ? sent : { ...sent, body: JSON.stringify(body) }).then(
        (answer) => {
          traced?.end({ status: answer.status });
          if (answer.status !== 401) return take(answer);
          discard(answer);
          return 'token_refused';
        },
        (error) => {
          traced?.end({ error });
          throw error;
        },
      );
    }

    relay(answer: UpstreamResponse, call: StaffCall): RawReply | Promise<RawReply> {
      const isCondition = answer.status === 304 && call.headers['If-None-Match'] !== undefined;
      return isCondition
        ? relayNotModified(answer)
        : this.inTime(answer, () => relayAnswer(answer, rewriteLocation, this.#token));
    }

    read(answer: UpstreamResponse): unknown {
      return this.inTime(answer, () => readValue(answer, this.#token));
    }

    inTime<T>(answer: UpstreamResponse, read: () => T | Promise<T>): T | Promise<T> {
      return readInTime(answer, () => this.#deadlineMs - clock(), read);
    }
  }

  return {
    send: (call, token, caller, deadlineMs) => form.send(call, new Turn(token, caller, deadlineMs)),
    async login({ email, password }) {
      const deadlineMs = clock() + timeoutMs;
      const answer = await request({ ...createLoginRequest(`${base}/login`, email, password), deadlineMs });
      if (answer.status === 401 || answer.status === 403 || answer.status === 400) {
        discard(answer);
        return 'refused';
      }
      return readInTime(
        answer,
        () => deadlineMs - clock(),
        () => readLogin(answer),
      );
    },
    async isReachable() {
      const answer = await request({ method: 'GET', path: '/health/live', headers: {} });
      discard(answer);
      return answer.status < 500;
    },
  };
}

type Operation = StaffCall['operation'];

/** How an operation goes out, whatever the call. */
interface OutgoingForm {
  readonly method: string;
  /** The path with names in it, below the upstream's root. */
  readonly template: string;
  /** What stands before, between and after the names of the template, and the names, in turn. */
  readonly pieces: readonly string[];
}

function createOutgoingForm({ method, path }: Operation, base: string): OutgoingForm {
  const template = base + path;
  return { method: method.toUpperCase(), template, pieces: template.split(/\{([^}]+)\}/) };
}

/** The contract's template with the caller's values; an identifier must not leave its segment when a server decodes it. */
function fillPath(pieces: readonly string[], { path }: StaffCall): string {
  let filled = pieces[0] as string;
  for (let i = 1; i < pieces.length; i += 2) {
    const name = pieces[i] as string;
    const value = path[name] ?? '';
    const isPlain = unreserved.test(value);
    if (isPlain ? /^\.{1,2}$/.test(value) : isUnsafeSegment(value)) {
      throw new Problem('not_found', `There is nothing of the ${name} you gave; list what exists first.`);
    }
    filled += (isPlain ? value : encodeURIComponent(value)) + pieces[i + 1];
  }
  return filled;
}

/** What encoding leaves as it is. */
const unreserved = /^[\w.~-]+$/;

/**
 * A query may hold bytes that a URI may not (RFC 3986 §2.1); encoded they mean the same. A raw `#` would hide what
 * follows it, the company, from an upstream that takes it for a fragment.
 */
function asciiOf(query: string): string {
  if (!/[^\x21-\x7e]|#/.test(query)) return query;
  return query.replaceAll(/[^\x21-\x7e]|#/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function headersFor(
  call: StaffCall,
  token: string,
  requestId: string,
  traced: CallTrace | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in call.headers) {
    const value = call.headers[name] as string;
    // A tag is weak only because its answer was compressed here; the upstream knows it as strong.
    headers[name] = name === 'If-Match' ? strongly(value) : value;
  }
  headers.Authorization = `bearer ${token}`;
  // Only what asks for a form of JSON, such as OData's envelope, means anything to the upstream.
  headers.Accept = call.accept?.includes('json') ? call.accept : 'application/json';
  headers['X-Request-Id'] = requestId;
  if (traced !== undefined) for (const name in traced.headers) headers[name] = traced.headers[name] as string;
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  return headers;
}

function createLoginRequest(path: string, email: string, password: string): UpstreamRequest {
  return {
    method: 'POST',
    path,
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password }).toString(),
    isRepeatable: true,
  };
}

/** `expires_in` is text at the vendor; a number does no harm. */
async function readLogin(answer: UpstreamResponse): Promise<UpstreamToken> {
  const { status, body } = answer;
  const failed = (cause?: unknown) =>
    new Problem('upstream_failed', `The upstream answered ${status} to our login, without a token. Try again later.`, {
      cause,
    });
  if (status !== 200) {
    const problem = await createUpstreamProblem(answer, undefined);
    // What the upstream says of our login is no answer to the request that waits for it.
    throw problem instanceof UpstreamLimit ? problem : failed();
  }
  try {
    const { access_token, expires_in } = JSON.parse(await readText(body)) as LoginAnswer;
    const lifetimeMs = Number(expires_in) * 1_000;
    if (typeof access_token === 'string' && /^[\x21-\x7e]+$/.test(access_token) && lifetimeMs > 0) {
      return { value: access_token, lifetimeMs };
    }
  } catch (error) {
    // That it came too late, or broke off, is what is told of any other answer.
    if (error instanceof UpstreamFault) throw error;
    // A parser's message quotes what it read, which may hold a token.
    throw error instanceof SyntaxError ? failed() : failed(error);
  }
  throw failed();
}

interface LoginAnswer {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
}

const loginBytesMax = 64 * 1024;

async function readText(body: UpstreamResponse['body']): Promise<string> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk;
    if (text.length > loginBytesMax) throw new RangeError('The answer to the login is too long.');
  }
  return text;
}
