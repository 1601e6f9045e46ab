/** A server that gives the answers of a list, one for each request, the last one again and again. */
export interface StubServer {
  readonly fetch: (request: Request) => Promise<Response>;
  /** What it was asked, in order. */
  readonly requests: readonly Request[];
  last(): Request;
  /** The query of each request, as its server reads it. */
  queries(): Record<string, string>[];
}

/** An answer: a body, JSON unless it is text, with a status and headers; or what the connection fails with. */
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

/** An error answer of the servers here. */
export const problem = (
  status: number,
  fields: object = {},
  headers: Readonly<Record<string, string>> = {},
): StubAnswer => ({
  status,
  body: { type: 'about:blank', ...fields },
  headers,
});
