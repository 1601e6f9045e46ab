/** A server that returns the responses of a list in order, and then repeats the last one. */
export interface StubServer {
  readonly fetch: (request: Request) => Promise<Response>;
  /** All requests, in order. */
  readonly requests: readonly Request[];
  last(): Request;
  /** The decoded query of each request. */
  queries(): Record<string, string>[];
}

/** A response: a body, JSON unless it is text, with a status and headers; or a connection error. */
export type StubResponse =
  | Error
  | { readonly body?: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

export function createStubServer(...responses: readonly StubResponse[]): StubServer {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const next = responses[Math.min(requests.length, responses.length - 1)] ?? {};
    requests.push(request);
    if (next instanceof Error) throw next;
    const { body = '', status = 200, headers } = next;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = new Response(status === 304 ? null : text, { status, headers: headers ?? {} });
    const kind = status < 400 ? 'json' : 'problem+json';
    if (headers?.['Content-Type'] === undefined)
      response.headers.set('Content-Type', `application/${kind}; charset=utf-8`);
    return response;
  };
  return {
    fetch,
    requests,
    last: () => requests.at(-1) as Request,
    queries: () => requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams)),
  };
}

/** Returns an error response. */
export const problem = (
  status: number,
  fields: object = {},
  headers: Readonly<Record<string, string>> = {},
): StubResponse => ({
  status,
  body: { type: 'about:blank', ...fields },
  headers,
});
