import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { currentSession, readPeople, renew, signIn, signOut, startSession } from './assets/api-session.js';

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  answer(body: object, status?: number): void;
}
let asked: Asked[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('document', { getElementById: () => ({ dataset: { base: 'v2' } }), baseURI: 'https://staff.test/' });
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    asked.push({ url, init, answer: (body, status = 200) => resolve(Response.json(body, { status })) });
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
