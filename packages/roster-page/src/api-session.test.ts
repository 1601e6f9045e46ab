import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import * as page from './assets/api-session.js';

const { currentSession, readPeople, renew, resumeSession, send, signIn, signOut, startSession, suspend } = page;

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  answer(body: object, status?: number, headers?: Record<string, string>): void;
}
let asked: Asked[];
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  asked = [];
  vi.stubGlobal('document', { getElementById: () => ({ dataset: { base: 'v2' } }), baseURI: 'https://staff.test/' });
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    asked.push({
      url,
      init,
      answer: (body, status = 200, headers = {}) => resolve(Response.json(body, { status, headers })),
    });
    return promise;
  });
  startSession({ ended: async () => undefined, requested: () => undefined });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

const ada = { account: 'ada', password: ' a ', companyKey: 'A' };
const bob = { account: 'bob', password: 'b', companyKey: 'B' };

async function signInAs(person: typeof ada) {
  const signedIn = signIn(person);
  asked.at(-1)?.answer({ access_token: `token of ${person.account}` });
  await signedIn;
}

it('sends account and password unchanged, and stores the session', async () => {
  await signInAs(ada);
  expect(asked[0]?.init.body).toBe('{"email":"ada","password":" a "}');
  expect(currentSession()).toMatchObject({ account: 'ada', companyKey: 'A', token: 'token of ada' });
});

it('aborts a pending sign-in at sign-out', async () => {
  const late = signIn(ada);
  signOut();
  asked[0]?.answer({ access_token: 'late' });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
  expect(currentSession()).toBeUndefined();
});

it('discards a sign-in whose response arrives before a sign-out', async () => {
  vi.stubGlobal('fetch', async () => {
    queueMicrotask(signOut);
    return { ok: true, status: 200, headers: new Headers(), arrayBuffer: async () => new TextEncoder().encode('{}') };
  });
  await expect(signIn(ada)).rejects.toMatchObject({ name: 'AbortError' });
  expect(currentSession()).toBeUndefined();
});

it('starts a new session with each sign-in, and aborts the requests of the previous one', async () => {
  await signInAs(ada);
  const people = readPeople([]);
  await signInAs(bob);
  await expect(people).rejects.toMatchObject({ name: 'AbortError' });
  expect(currentSession()).toMatchObject({ account: 'bob', companyKey: 'B', token: 'token of bob' });
});

it('ignores a late token of the previous session', async () => {
  await signInAs(ada);
  const late = renew(' a ');
  await signInAs(bob);
  asked[1]?.answer({ access_token: 'late' });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
  expect(currentSession()).toMatchObject({ account: 'bob', token: 'token of bob' });
});

it('retries with the new token of the same session', async () => {
  startSession({
    ended: async () => {
      const renewed = renew(' a ');
      asked.at(-1)?.answer({ access_token: 'new' });
      await renewed;
    },
    requested: () => undefined,
  });
  await signInAs(ada);
  const people = readPeople([]);
  asked.at(-1)?.answer({ title: 'Expired' }, 401);
  await expect.poll(() => asked.length).toBe(4);
  asked.at(-1)?.answer({ value: [] });
  expect(await people).toMatchObject({ body: { value: [] } });
  expect(asked.at(-1)?.init.headers).toEqual({ Authorization: 'Bearer new' });
  expect(asked.at(-1)?.url).toContain('companyKey=A');
});

it('reports a write with its version and body, but never a login, and returns the new version', async () => {
  const reported: { method: string; version?: string; body?: string }[] = [];
  startSession({ ended: async () => undefined, requested: (request: (typeof reported)[0]) => reported.push(request) });
  await signInAs(ada);
  expect(reported).toEqual([]);
  const init = { method: 'PUT', headers: { 'If-Match': '"1-a"' }, body: '{"Fte":1}' };
  const written = send('staffmember/x', init);
  asked.at(-1)?.answer({ Fte: 1 }, 200, { ETag: '"2-b"' });
  expect(await written).toMatchObject({ body: { Fte: 1 }, version: '"2-b"' });
  expect(reported).toMatchObject([{ method: 'PUT', version: '"1-a"', body: '{"Fte":1}', status: 200 }]);
  expect(asked.at(-1)?.init.headers).toMatchObject({ 'If-Match': '"1-a"', Authorization: 'Bearer token of ada' });
});

it('resumes the session of its tab, without the password, until the sign-out', async () => {
  await signInAs({ ...ada, password: 'not stored' });
  expect([...stored.values()].join()).not.toContain('not stored');
  suspend();
  expect(currentSession()).toBeUndefined();
  expect(resumeSession()).toBe(true);
  expect(currentSession()).toMatchObject({ account: 'ada', companyKey: 'A', token: 'token of ada' });
  signOut();
  expect(stored.size).toBe(0);
  expect(resumeSession()).toBe(false);
});

it('stores no token that the server has rejected, and the one of a new sign-in', async () => {
  const storedTokens: string[][] = [];
  startSession({
    ended: async () => {
      storedTokens.push([...stored.values()]);
      const renewed = renew(' a ');
      asked.at(-1)?.answer({ access_token: 'new' });
      await renewed;
    },
    requested: () => undefined,
  });
  await signInAs(ada);
  const people = readPeople([]);
  asked.at(-1)?.answer({ title: 'Expired' }, 401);
  await expect.poll(() => asked.length).toBe(4);
  asked.at(-1)?.answer({ value: [] });
  await people;
  expect(storedTokens).toEqual([[]]);
  expect([...stored.values()].join()).toContain('"token":"new"');
});

it.each(['', '{', '[]', '{"token":7}', 'null'])('ignores what else is stored: %s', (text) => {
  vi.stubGlobal('sessionStorage', { getItem: () => text, removeItem: () => undefined });
  expect(resumeSession()).toBe(false);
});

it('works where the browser blocks storage', async () => {
  vi.stubGlobal('sessionStorage', undefined);
  await signInAs(ada);
  expect(currentSession()).toMatchObject({ account: 'ada' });
  expect(resumeSession()).toBe(false);
});
