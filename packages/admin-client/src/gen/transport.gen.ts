// Written by tools/contract from tools/contract/templates/client/transport.ts. Do not edit: run `pnpm generate`.
import createClient from 'openapi-fetch';
import type { ApiProblem } from './api-problem.gen.ts';
import { rememberEtag } from './etag-of.gen.ts';
import { readProblem, unreadableResponse } from './read-problem.gen.ts';
import { serializePath, serializeQuery } from './serialize.gen.ts';
import { pause, withinTime } from './within-time.gen.ts';

/** Options of every call, in addition to the parameters of the contract. */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
  /** Overrides `retries` of the client. */
  readonly retries?: number | undefined;
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called with each response before its body is read, including responses that are retried. Use its status and headers
   * only, and do not read the body.
   */
  readonly onResponse?: ((response: Response) => void) | undefined;
}

/**
 * A key or a token, never both. A function is called for a token before every secured call. When the server rejects the
 * token with 401, the function is called again with the rejected token, and the call is retried with a new token.
 */
export type Credential =
  | { readonly key?: never; readonly token?: never }
  | { readonly key: string; readonly token?: never }
  | { readonly token: string | ((rejected?: string) => string | Promise<string>); readonly key?: never };

/** Settings of a client. */
export interface TransportOptions {
  /** Base URL of the server, such as `https://staff.example.org`. It may contain a path. */
  readonly baseUrl: string;
  /**
   * Maximum number of retries of a failed call. Default 2. Reads are retried after a lost connection, 408, 429, 502, 503
   * and 504. Writes are retried after 429 only. The client waits for `Retry-After`. A 502, 503 or 504 that a server has
   * already retried (`Proxy-Status: rostergate; …`) is retried only with `Retry-After`.
   */
  readonly retries?: number | undefined;
  /**
   * Timeout of a call in milliseconds, including retries and the body. Default 30,000. After it, the call throws a
   * `DOMException` named `TimeoutError`. `Infinity` means no timeout.
   */
  readonly timeoutMs?: number | undefined;
  /** Replaces the global fetch, for example in tests or for proxies and tracing. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options';

/** The part of an operation that a call needs. */
export type Call = readonly [
  /** Path template from the root of the server. */
  path: string,
  /** Default `get`. */
  method?: Method | undefined,
  /** Whether the operation needs no credential. */
  isPublic?: boolean | undefined,
  /** The `Accept` header. Default `application/json`. */
  accept?: string,
];

/** The parts of one request. */
export interface CallRequest extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** Parameters by name, or the text of the query. */
  readonly query?: object | string | undefined;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Sends a call and returns the body of a successful response. */
export type Send = <Result>(call: Call, request?: CallRequest) => Promise<Result>;

const jsonMedia = 'application/json';

/** Any operation. The generated methods have the types of the contract. */
interface AnyOperation {
  readonly parameters: object;
  readonly requestBody?: { readonly content: { readonly [jsonMedia]: unknown } };
  readonly responses: object;
}
type AnyPaths = Record<string, Record<Method, AnyOperation>>;

/**
 * Returns a function that sends calls by openapi-fetch. It returns the body of a successful response and throws an
 * `ApiProblem` for any other.
 */
export function createTransport(options: TransportOptions & Credential): Send {
  const { baseUrl, fetch, key, token } = options;
  // Redirects are not followed, because the key would be sent to another address.
  const client = createClient<AnyPaths>({ baseUrl, redirect: 'manual', ...(fetch && { fetch }) });
  const getToken = typeof token === 'function' ? token : () => token;

  return async <Result>(call: Call, request: CallRequest = {}): Promise<Result> => {
    const [template, method = 'get', isPublic, accept = jsonMedia] = call;
    const { retries = options.retries ?? 2, timeoutMs = options.timeoutMs ?? 30_000, body, ifNoneMatch } = request;
    const path = serializePath(template, request.path);
    const query = serializeQuery(request.query);
    const until = Date.now() + timeoutMs;

    return withinTime(timeoutMs, request.signal, async (signal) => {
      // Public calls need no token. The function may itself log in through this client.
      let bearer = isPublic ? undefined : await getToken();
      let isRenewed = isPublic;
      let wasRetried = false;

      const attempt = async (): Promise<unknown> => {
        wasRetried = false;
        let received: Response | undefined;
        const onResponse = ({ response }: { readonly response: Response }): void => {
          request.onResponse?.(response);
          received = response;
          wasRetried = response.status >= 502 && retriedMark.test(response.headers.get('Proxy-Status') ?? '');
        };
        const { data, error, response } = await client
          .request(method, path, {
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
            parseAs: 'text',
            querySerializer: () => query,
            middleware: [{ onResponse }],
          })
          .catch((cause: unknown) => {
            // An error response with a truncated body still has its status and headers.
            throw received?.ok === false ? readProblem(received, undefined, undefined, cause) : cause;
          });
        if (response.ok) return rememberEtag(parseBody(accept, response, data), response);
        if (ifNoneMatch && response.status === 304) return undefined;
        throw readProblem(response, error || undefined);
      };

      for (let tries = 0; ; tries++) {
        try {
          return (await attempt()) as Result;
        } catch (error) {
          const { status = -1, retryAfterSeconds = 0 } = error as Partial<ApiProblem>;
          if (status === 401 && !isRenewed) {
            isRenewed = true;
            const rejected = bearer;
            bearer = await getToken(rejected);
            if (bearer !== rejected) continue;
          }
          const waitMs = retryAfterSeconds * 1000 + Math.random() * 2 ** tries * 200;
          const isFinal = wasRetried && !retryAfterSeconds;
          const isSafe = status === 429 || (method === 'get' && transientStatuses.includes(status) && !isFinal);
          if (!isSafe || signal.aborted || tries >= retries || Date.now() + waitMs > until) throw error;
          await pause(waitMs, signal);
        }
      }
    });
  };
}

/** Statuses after which a read is retried. -1 is a lost connection. */
const transientStatuses = [-1, 408, 502, 503, 504];

/** Matches the `Proxy-Status` (RFC 9209) of a server of this project that has already retried the request. */
const retriedMark = /(?:^|,)\s*rostergate\s*;/;

/** Returns the value of a successful response. */
function parseBody(accept: string, response: Response, text = ''): unknown {
  const media = response.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (!media || !(accept === '*/*' || accept.includes(media))) throw unreadableResponse(response, text);
  if (media !== jsonMedia) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadableResponse(response, text, error);
  }
}
