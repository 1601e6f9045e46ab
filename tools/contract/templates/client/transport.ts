import createClient, { type ClientOptions } from 'openapi-fetch';
import type { ApiProblem } from './api-problem.ts';
import { rememberEtag } from './etag-of.ts';
import { readProblem, unreadableAnswer } from './read-problem.ts';
import { serializePath, serializeQuery } from './serialize.ts';
import { pause, withinTime } from './within-time.ts';

/** What every call takes besides the contract's own parameters. */
export interface CallOptions {
  /** Ends the call: it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For this call in place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** For this call in place of the client's. */
  readonly retries?: number | undefined;
  /** Headers to send besides those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Shows each answer, its status and headers, before its body is read, those included that are followed by another try.
   * Not to read the body from.
   */
  readonly onResponse?: ((response: Response) => void) | undefined;
}

/**
 * A key or a token, never both. A function is asked for a token before every call that needs one; when a server refuses
 * what it gave (401), it is asked once more, with the refused token, and a call goes out again with another one.
 */
export type Credential =
  | { readonly key?: never; readonly token?: never }
  | { readonly key: string; readonly token?: never }
  | { readonly token: string | ((refused?: string) => string | Promise<string>); readonly key?: never };

/** Where the server is, and how patient the client is with it. */
export interface TransportOptions {
  /** Address of the server's root, such as `https://staff.example.org`. A path in it is kept. */
  readonly baseUrl: string;
  /**
   * How often a call is sent again that failed and that may be: default 2. Reads after a lost connection, 408, 429, 502,
   * 503 and 504; writes after 429 alone, as nothing was done then. `Retry-After` is honoured. A 502, 503 or 504 that a
   * server has retried already (`Proxy-Status: rostergate; …`) is sent again only with `Retry-After`.
   */
  readonly retries?: number | undefined;
  /**
   * Milliseconds that a call may take, all of its tries and its body included: default 30,000. It then throws a
   * `DOMException` named `TimeoutError`. `Infinity` sets no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** Stands in for the global fetch: for tests, proxies, tracing. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** What the contract says of an operation, as far as calling it goes. */
export type Call = readonly [
  /** From the root of the server. */
  path: string,
  /** Absent, it is `get`. */
  method?: string | undefined,
  /** Whether it is answered without a credential. */
  isPublic?: boolean | undefined,
  /** The `Accept` header: what a good answer can be. Absent, it is JSON alone. */
  accept?: string,
];

/** What one call sends. */
export interface CallRequest extends CallOptions {
  readonly path?: object | undefined;
  /** Parameters by name, or the text of a query. */
  readonly query?: object | string | undefined;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Sends a call and gives back the body of a good answer. */
export type Send = <Result>(call: Call, request?: CallRequest) => Promise<Result>;

const jsonMedia = 'application/json';

/** The call of an openapi-fetch client, without the types of one contract. */
type Requester = (method: string, path: string, init: object) => Promise<{ response: Response }>;

/** Sends calls by openapi-fetch: a good response comes back as its body, any other is thrown as an `ApiProblem`. */
export function createTransport(options: TransportOptions & Credential): Send {
  const { baseUrl, fetch, key, token } = options;
  // A redirect is not followed, as the key would go along to wherever it leads.
  const requester = createClient({ baseUrl, fetch, redirect: 'manual' } as ClientOptions)
    .request as unknown as Requester;
  const askToken = typeof token === 'function' ? token : () => token;

  return async <Result>(call: Call, request: CallRequest = {}): Promise<Result> => {
    const [template, method = 'get', isPublic, accept = jsonMedia] = call;
    const { retries = options.retries ?? 2, timeoutMs = options.timeoutMs ?? 30_000, body, ifNoneMatch } = request;
    const path = serializePath(template, request.path) + serializeQuery(request.query);
    const until = Date.now() + timeoutMs;

    return withinTime(timeoutMs, request.signal, async (signal) => {
      // A function may itself log in through this client: it is asked for secured calls alone.
      let bearer = isPublic ? undefined : await askToken();
      let isRenewed = isPublic;
      let wasRetried = false;

      // openapi-fetch loses the status of an error response whose body is cut off: errors are thrown before it reads.
      const onResponse = async ({ response }: { response: Response }): Promise<void> => {
        request.onResponse?.(response);
        if (response.ok || (ifNoneMatch && response.status === 304)) return;
        wasRetried = response.status >= 502 && retriedMark.test(response.headers.get('Proxy-Status') ?? '');
        throw await readRefusal(response);
      };

      const attempt = async (): Promise<unknown> => {
        wasRetried = false;
        const { response } = await requester(method, path, {
          body,
          signal,
          headers: {
            Accept: accept,
            'X-API-Key': key,
            Authorization: bearer && `Bearer ${bearer}`,
            'If-Match': request.ifMatch,
            'If-None-Match': ifNoneMatch,
            ...request.headers,
          },
          parseAs: 'stream',
          middleware: [{ onResponse }],
        });
        return response.ok ? rememberEtag(await readAnswer(accept, response), response) : undefined;
      };

      for (let tries = 0; ; tries++) {
        try {
          return (await attempt()) as Result;
        } catch (error) {
          const { status = -1, retryAfterSeconds = 0 } = error as Partial<ApiProblem>;
          if (status === 401 && !isRenewed) {
            isRenewed = true;
            const refused = bearer;
            bearer = await askToken(refused);
            if (bearer !== refused) continue;
          }
          const waitMs = retryAfterSeconds * 1000 + Math.random() * 2 ** tries * 200;
          const isFinal = wasRetried && !retryAfterSeconds;
          const isSafe = status === 429 || (method === 'get' && passing.includes(status) && !isFinal);
          if (!isSafe || signal.aborted || tries >= retries || Date.now() + waitMs > until) throw error;
          await pause(waitMs, signal);
        }
      }
    });
  };
}

/** What a read may well get past: -1 is no answer at all, a lost connection. */
const passing = [-1, 408, 502, 503, 504];

/** A server nearer to the origin has retried the request already: `Proxy-Status` (RFC 9209) of this project's servers. */
const retriedMark = /(?:^|,)\s*rostergate\s*;/;

/** A refusal whose body is cut off still has its status and its headers. */
async function readRefusal(response: Response): Promise<ApiProblem> {
  try {
    return readProblem(response, parse(await response.text()) || undefined);
  } catch (error) {
    return readProblem(response, undefined, undefined, error);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readAnswer(accept: string, response: Response): Promise<unknown> {
  const text = await response.text();
  const media = response.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (!media || !(accept === '*/*' || accept.includes(media))) throw unreadableAnswer(response, text);
  if (media !== jsonMedia) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadableAnswer(response, text, error);
  }
}
