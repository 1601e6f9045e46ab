import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStubServer, problem, type StubResponse } from '../test/stub-server.ts';
import { AuthenticationError, createStaffClient } from './index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const path = { staff_key: 'k' };

/** An API that issues tokens t1, t2, … for an hour and accepts those that `isGood` accepts. */
function createApi({ isGood = (_: string): boolean => true, logIn = (): StubResponse | undefined => undefined } = {}) {
  const requests: string[] = [];
  let logins = 0;
  const fetch = async (request: Request): Promise<Response> => {
    if (request.url.endsWith('/v2/login')) {
      requests.push(`login ${JSON.stringify(await request.json())} ${request.headers.get('Authorization')}`);
      const response = logIn();
      if (response !== undefined) return createStubServer(response).fetch(request);
      return Response.json({ access_token: `t${++logins}`, token_type: 'bearer', expires_in: '3600' });
    }
    const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    requests.push(token);
    return createStubServer(isGood(token) ? { body: {} } : problem(401, { code: 'token_invalid' })).fetch(request);
  };
  const login = { email: 'e', password: 'p' };
  return { client: createStaffClient({ baseUrl: 'https://staff.test', login, fetch }), requests, fetch };
}

const loggedIn = 'login {"email":"e","password":"p"} null';

describe('a client with a login', () => {
  it('logs in once for concurrent calls', async () => {
    const { client, requests } = createApi();
    await Promise.all(Array.from({ length: 20 }, () => client.getStaffMember({ path })));
    expect(requests).toEqual([loggedIn, ...Array(20).fill('t1')]);
  });

  it('does not log in for public calls', async () => {
    const { client, requests } = createApi();
    await client.getHealth();
    expect(requests).toEqual(['']);
  });

  it('logs in again before its token expires', async () => {
    const { client, requests } = createApi();
    await client.getStaffMember({ path });
    vi.advanceTimersByTime(3_200_000);
    await client.getStaffMember({ path });
    vi.advanceTimersByTime(60_000);
    await Promise.all([client.getStaffMember({ path }), client.getStaffMember({ path })]);
    expect(requests).toEqual([loggedIn, 't1', 't1', loggedIn, 't2', 't2']);
  });

  it('logs in once when its token is rejected, and resends each call', async () => {
    const { client, requests } = createApi({ isGood: (token) => token !== 't1' });
    await Promise.all([client.getStaffMember({ path }), client.updateStaffMember({ path, body: { Fte: 1 } })]);
    expect(requests.slice(0, 4)).toEqual([loggedIn, 't1', 't1', loggedIn]);
    expect(requests.slice(4)).toEqual(['t2', 't2']);
  });

  it('fails when the new token is rejected too', async () => {
    const { client, requests } = createApi({ isGood: () => false });
    await expect(client.getStaffMember({ path })).rejects.toMatchObject({ code: 'token_invalid' });
    expect(requests).toEqual([loggedIn, 't1', loggedIn, 't2']);
  });

  it('throws the error of a failed login, and tries again with the next call', async () => {
    const rejections: StubResponse[] = [problem(401, { code: 'login_failed' })];
    const { client, requests } = createApi({ logIn: () => rejections.pop() });
    const first = Promise.allSettled([client.getStaffMember({ path }), client.getStaffMember({ path })]);
    for (const { reason } of (await first) as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(AuthenticationError);
      expect(reason).toMatchObject({ code: 'login_failed' });
    }
    await client.getStaffMember({ path });
    expect(requests).toEqual([loggedIn, loggedIn, 't1']);
  });
});

describe('a token function', () => {
  it('is called again with the rejected token, and its result is used', async () => {
    const { fetch, requests } = createApi({ isGood: (token) => token === 'new' });
    const token = vi.fn((rejected?: string) => (rejected === undefined ? 'old' : 'new'));
    await createStaffClient({ baseUrl: 'https://staff.test', token, fetch }).getStaffMember({ path });
    expect(token.mock.calls).toEqual([[], ['old']]);
    expect(requests).toEqual(['old', 'new']);
  });

  it('that returns the same token again ends the call, like a fixed token', async () => {
    const { fetch, requests } = createApi({ isGood: () => false });
    for (const token of ['old', () => 'old']) {
      const call = createStaffClient({ baseUrl: 'https://staff.test', token, fetch }).getStaffMember({ path });
      await expect(call).rejects.toBeInstanceOf(AuthenticationError);
    }
    expect(requests).toEqual(['old', 'old']);
  });
});
