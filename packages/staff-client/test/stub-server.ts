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
export type StubAnswer =
  | Error
  | { readonly body?: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

export function createStubServer(...answers: readonly StubAnswer[]): StubServer {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
    requests.push(request);
    if (answer instanceof Error) throw answer;
    const { body = '', status = 200, headers } = answer;
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
): StubAnswer => ({
  status,
  body: { type: 'about:blank', ...fields },
  headers,
});
