// Written by tools/contract from tools/contract/templates/client/transport.ts. Do not edit: run `pnpm generate`.
import createClient from 'openapi-fetch';
import { readProblem, unreadableAnswer } from './read-problem.gen.ts';
import { serializePath, serializeQuery } from './serialize.gen.ts';

/** What every call takes besides the contract's own parameters. */
export interface CallOptions {
  /** Ends the call: it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Headers to send besides those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Shows the whole answer, its status and headers, before its body is read. Not to read the body from. */
  readonly onResponse?: ((response: Response) => void) | undefined;
}

/** A key or a token, never both. A function is asked for a token before every call that needs one. */
export type Credential =
  | { readonly key?: never; readonly token?: never }
  | { readonly key: string; readonly token?: never }
  | { readonly token: string | (() => string | Promise<string>); readonly key?: never };

export interface TransportOptions {
  /** Address of the server's root, such as `https://staff.example.org`. A path in it is kept. */
  readonly baseUrl: string;
  /** Stands in for the global fetch: for tests, proxies, tracing. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** What the contract says of an operation, as far as calling it goes. */
export interface Call {
  /** Absent, it is `get`. */
  readonly method?: string;
  /** From the root of the server. */
  readonly path: string;
  /** Media types of a good answer, the preferred first; none where it has no body. Absent, it is JSON alone. */
  readonly accept?: readonly string[];
  readonly joined?: readonly string[];
  readonly isPublic?: boolean;
}

export interface CallRequest extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

export type Send = <Result>(call: Call, request?: CallRequest) => Promise<Result>;

const jsonMedia = 'application/json';

type Requester = (method: string, path: string, init: object) => Promise<{ error?: unknown; response: Response }>;

/** Sends calls by openapi-fetch: a good answer comes back as its body, any other is thrown as an `ApiProblem`. */
export function createTransport(options: TransportOptions & Credential): Send {
  const { baseUrl, fetch = (request: Request) => globalThis.fetch(request) } = options;
  // A redirect is not followed, as the key would go along to wherever it leads.
  const client = createClient({ baseUrl, fetch, redirect: 'manual' });
  const requester = client.request as unknown as Requester;

  return async <Result>(call: Call, request: CallRequest = {}): Promise<Result> => {
    const { method = 'get', path, accept = [jsonMedia] } = call;
    const { error, response } = await requester(method, path, {
      params: { path: request.path ?? {}, query: request.query ?? {} },
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      headers: { Accept: acceptOf(accept), ...(await credentialHeaders(options, call)), ...request.headers },
      parseAs: 'stream',
      querySerializer: (query: object) => serializeQuery(query, call.joined),
      pathSerializer: serializePath,
    });
    request.onResponse?.(response);
    if (!response.ok) throw readProblem(response, error === '' ? undefined : error);
    return (accept.length === 0 ? undefined : await readAnswer(accept, response)) as Result;
  };
}

async function readAnswer(accept: readonly string[], response: Response): Promise<unknown> {
  const text = await response.text();
  const media = (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!accept.includes(media)) throw unreadableAnswer(response, text);
  if (media !== jsonMedia) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadableAnswer(response, text, error);
  }
}

function acceptOf([first = '*/*', ...others]: readonly string[]): string {
  return [first, ...others.map((media) => `${media};q=0.5`)].join(', ');
}

async function credentialHeaders({ key, token }: Credential, call: Call): Promise<Record<string, string>> {
  if (key !== undefined) return { 'X-API-Key': key };
  if (typeof token === 'string') return { Authorization: `Bearer ${token}` };
  // A function may itself log in through this client: it is asked for secured calls alone.
  return token === undefined || call.isPublic === true ? {} : { Authorization: `Bearer ${await token()}` };
}
