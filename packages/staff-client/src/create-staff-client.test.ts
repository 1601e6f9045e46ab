import { describe, expect, it } from 'vitest';
import { ApiProblem, AuthenticationError, createStaffClient, NotFoundError, RateLimitError } from './index.ts';

const baseUrl = 'https://staff.test';

/** A server that records requests and returns one response. */
function createServer(body: unknown, init: ResponseInit = {}) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    const headers = { 'Content-Type': 'application/json; charset=utf-8', ...init.headers };
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { ...init, headers });
  };
  return { fetch, requests, last: () => requests.at(-1) as Request };
}

function problem(fields: object, init: ResponseInit): ReturnType<typeof createServer> {
  const headers = { 'Content-Type': 'application/problem+json', ...init.headers };
  return createServer({ type: 'about:blank', ...fields }, { ...init, headers });
}

async function caught(call: Promise<unknown>): Promise<ApiProblem> {
  const error = await call.then(() => null).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiProblem);
  return error as ApiProblem;
}

describe('a call', () => {
  it('goes to the path of its operation under the contract’s base', async () => {
    const server = createServer({});
    const client = createStaffClient({ baseUrl, token: 't', fetch: server.fetch });
    await client.getStaffMember({ path: { staff_key: 'a b/c' } });
    expect(server.last().url).toBe(`${baseUrl}/v2/staffmember/a%20b%2Fc`);
    await client.getHealth();
    expect(server.last().url).toBe(`${baseUrl}/health`);
  });

  it('goes to a path under that of baseUrl', async () => {
    const server = createServer([]);
    const client = createStaffClient({ baseUrl: `${baseUrl}/behind/`, token: 't', fetch: server.fetch });
    await client.listStaffMembers({ query: { companyKey: 'c' } });
    expect(server.last().url).toBe(`${baseUrl}/behind/v2/staffmember?companyKey=c`);
  });

  it('joins includes by commas, encodes OData, and leaves out empty options', async () => {
    const server = createServer([]);
    const client = createStaffClient({ baseUrl, token: 't', fetch: server.fetch });
    const $filter = "startswith(LastName,'O''N') and Fte gt 0.5";
    await client.listStaffMembers({ query: { companyKey: 'c', includes: ['Tags', 'Skillset'], $filter } });
    const { search, searchParams } = new URL(server.last().url);
    expect(search).toContain('includes=Tags,Skillset&$filter=startswith%28LastName%2C%27O%27%27N%27%29%20and%20');
    expect(searchParams.get('$filter')).toBe($filter);
    await client.listStaffMembers({ query: { companyKey: 'c', includes: [] } });
    expect(new URL(server.last().url).search).toBe('?companyKey=c');
  });

  it.each(['', '.', '..'])('rejects the path parameter %j, which a URL would drop', async (staff_key) => {
    const server = createServer({});
    const client = createStaffClient({ baseUrl, token: 't', fetch: server.fetch });
    await expect(client.getStaffMember({ path: { staff_key } })).rejects.toThrow(TypeError);
    expect(server.requests).toEqual([]);
  });

  it('sends its body as JSON and returns the response', async () => {
    const server = createServer({ CategoryKey: 3, CategoryName: 'Specialty', Tags: [] }, { status: 201 });
    const client = createStaffClient({ baseUrl, token: 't', fetch: server.fetch });
    const tag = await client.addStaffTag({
      path: { staff_key: 'k' },
      body: { category: 'Specialty', name: 'Cardiology' },
    });
    expect(tag.CategoryName).toBe('Specialty');
    expect(server.last().method).toBe('POST');
    expect(server.last().headers.get('Content-Type')).toBe('application/json');
    expect(await server.last().json()).toEqual({ category: 'Specialty', name: 'Cardiology' });
  });

  it('calls onResponse with the response, and ends with its signal', async () => {
    const server = createServer([], { headers: { 'X-Request-Id': 'r1' } });
    const client = createStaffClient({ baseUrl, token: 't', fetch: server.fetch });
    let requestId: string | null = null;
    const onResponse = (response: Response) => {
      requestId = response.headers.get('X-Request-Id');
    };
    await client.listBadgeIds({ path: { staff_key: 'k' }, onResponse });
    expect(requestId).toBe('r1');
    const signal = AbortSignal.abort(new Error('enough'));
    const waiting = createStaffClient({
      baseUrl,
      fetch: (request) => Promise.reject(request.signal.reason),
    });
    await expect(waiting.getHealth({ signal })).rejects.toThrow('enough');
  });
});

describe('credentials', () => {
  it('are sent as a bearer token or X-API-Key', async () => {
    const server = createServer([]);
    await createStaffClient({ baseUrl, token: 't1', fetch: server.fetch }).listBadgeIds({ path: { staff_key: 'k' } });
    expect(server.last().headers.get('Authorization')).toBe('Bearer t1');
    await createStaffClient({ baseUrl, key: 'k1', fetch: server.fetch }).listBadgeIds({ path: { staff_key: 'k' } });
    expect(server.last().headers.get('X-API-Key')).toBe('k1');
    expect(server.last().headers.has('Authorization')).toBe(false);
  });

  it('are requested before each secured call, so that a function can log in through the client', async () => {
    const server = createServer({ access_token: 'fresh', token_type: 'bearer', expires_in: '3600' });
    const client = createStaffClient({
      baseUrl,
      fetch: server.fetch,
      token: async (): Promise<string> => (await client.login({ body: { email: 'e', password: 'p' } })).access_token,
    });
    await client.getStaffMember({ path: { staff_key: 'k' } });
    expect(server.requests.map((request) => request.headers.get('Authorization'))).toEqual([null, 'Bearer fresh']);
  });

  it('never follow a redirect', async () => {
    const server = createServer('', { status: 302, headers: { Location: 'https://elsewhere.test/' } });
    const client = createStaffClient({ baseUrl, key: 'k1', fetch: server.fetch });
    const error = await caught(client.listBadgeIds({ path: { staff_key: 'k' } }));
    expect(server.last().redirect).toBe('manual');
    expect(error.message).toContain('https://elsewhere.test/');
  });

  it('never follow or retry a redirect that a browser hides', async () => {
    let count = 0;
    const fetch = async () => {
      count++;
      return Response.error();
    };
    const error = await caught(
      createStaffClient({ baseUrl, key: 'k1', fetch }).listBadgeIds({ path: { staff_key: 'k' } }),
    );
    expect([error.status, count]).toEqual([0, 1]);
    expect(error.message).toContain('check baseUrl');
  });
});

describe('an error response', () => {
  const call = (server: ReturnType<typeof createServer>) =>
    caught(
      createStaffClient({ baseUrl, token: 't', fetch: server.fetch, retries: 0 }).listBadgeIds({
        path: { staff_key: 'k' },
      }),
    );

  it('is thrown as the class of its kind, with all members of the problem', async () => {
    const fields = { title: 'There is no such thing', detail: 'Look it up.', code: 'not_found', kind: 'NotFoundError' };
    const errors = [{ parameter: 'staff_key', detail: 'is unknown' }];
    const error = await call(problem({ ...fields, status: 404, request_id: 'r1', errors }, { status: 404 }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'not_found', kind: 'NotFoundError', requestId: 'r1', errors });
    expect(error.message).toBe('Look it up. (staff_key: is unknown)');
    expect(String(error)).toBe('NotFoundError: Look it up. (staff_key: is unknown)');
  });

  it('has the wait time of Retry-After, from seconds or a date', async () => {
    const seconds = await call(problem({ kind: 'RateLimitError' }, { status: 429, headers: { 'Retry-After': '12' } }));
    expect(seconds).toBeInstanceOf(RateLimitError);
    expect(seconds.retryAfterSeconds).toBe(12);
    const headers = { 'Retry-After': 'Sat, 21 Nov 2026 10:00:30 GMT', Date: 'Sat, 21 Nov 2026 10:00:00 GMT' };
    expect((await call(problem({}, { status: 503, headers }))).retryAfterSeconds).toBe(30);
  });

  it('has the extension members of the problem', async () => {
    const error = await call(problem({ error: 'access_denied' }, { status: 401 }));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error.body).toMatchObject({ error: 'access_denied' });
  });

  it('has the class of its status without a problem document', async () => {
    const page = await call(createServer('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }));
    expect(page).toMatchObject({ name: 'UpstreamError', status: 502, code: 'http_502', body: '<html>' });
    const empty = await call(createServer('', { status: 404, headers: { 'X-Request-Id': 'r2' } }));
    expect(empty).toMatchObject({ name: 'NotFoundError', body: undefined, requestId: 'r2' });
    expect(await call(createServer([1], { status: 418 }))).toMatchObject({ name: 'ApiProblem', code: 'http_418' });
  });

  it('is an ApiProblem for an unknown kind', async () => {
    for (const kind of ['constructor', '__proto__', 'NewError']) {
      expect(await call(problem({ kind }, { status: 400 }))).toMatchObject({ kind, status: 400 });
    }
  });

  it('is also thrown for a success with an unexpected body', async () => {
    const page = await call(createServer('<html>', { headers: { 'Content-Type': 'text/html' } }));
    expect(page).toMatchObject({ status: 200, code: 'answer_unreadable', body: '<html>' });
    expect(await call(createServer('[{"BadgeId":'))).toMatchObject({ code: 'answer_unreadable' });
    expect(await call(createServer(''))).toMatchObject({ code: 'answer_unreadable' });
  });
});
