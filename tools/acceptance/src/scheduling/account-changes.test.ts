import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEndings, makeTemporaryFolder } from '../at-end.ts';
import { createDatabase } from '../database.ts';
import { pollUntil } from '../poll-until.ts';
import { runScheduling, startScheduling } from '../scheduling-process.ts';
import { whenTestEnds } from '../when-test-ends.ts';
import { type LoginOutcome, logInFrom } from './log-in-from.ts';

const email = 'ops@example.org';
const [first, second] = ['the first horse', 'the second horse'] as const;

/** Computed once: a hash takes as long as a login. */
const salt = Buffer.from('the salt of tests').toString('base64url');
const hashes = {
  first: `scrypt:16384:8:1:${salt}:k7Fp3aZXRQWAiJhYiwMJGkI4QULZ-P0cFSQ_inDd958`,
  second: `scrypt:16384:8:1:${salt}:ydbOJvIaaVV6CMN7pwl6alrmZC_nJEStYALLSpMZbt8`,
  /** The first one, checked as slowly as the passwords of users. */
  usual: `scrypt:131072:8:1:${salt}:VAMWpY-gYBZUI_OD9LFp8BlSTNU9Yhog0RlloJPtuAM`,
  /** The first one, checked five times as slowly as that. */
  slow: `scrypt:131072:8:5:${salt}:xfh2hOlosQ55O6og-w_hr3blptRH_-NouBFFyMYIFYk`,
};

/** A database and an accounts file with accounts of this password, for one or more servers. */
async function prepare(password: string, emails: readonly string[] = [email], atEnd = whenTestEnds) {
  const folder = await makeTemporaryFolder('rostergate-accounts-', atEnd);
  const database = await createDatabase();
  atEnd(database.drop);
  const file = join(folder, 'accounts.json');
  const write = (hash: string, more: object = {}) => {
    const entries = emails.map((email) => ({ email, password: hash, company_key: 'c1', admin: true, ...more }));
    return writeFile(file, JSON.stringify(entries));
  };
  await write(password);
  const env = { ROSTERGATE_SCHEDULING_SEED: 'none', ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: file };
  const start = async () => {
    const server = await startScheduling({ database, env });
    atEnd(server.stop);
    const logIn = (word: string, from = '127.0.0.1', as = email) =>
      logInFrom(from, server.url, { email: as, password: word });
    const use = async (token: string | undefined) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await server.call('/v2/staffmember?companyKey=c1', { headers })).status;
    };
    return { url: server.url, stop: server.stop, logIn, use };
  };
  const run = async (args: readonly string[], input = '') => {
    const outcome = await runScheduling(['accounts', ...args], { cwd: folder, env: { ...database.env }, input, atEnd });
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, expect.any(String)]);
  };
  return { write, start, run };
}

type Server = Awaited<ReturnType<Awaited<ReturnType<typeof prepare>>['start']>>;

describe('the accounts file', () => {
  test('setting accounts_file: does not restore a password replaced by the command', async () => {
    const { start, run } = await prepare(hashes.first);
    const before = await start();
    expect((await before.logIn(first)).status).toBe(200);
    await before.stop();
    await run(['password', email, '--password-stdin'], second);
    const after = await start();
    expect([(await after.logIn(first)).status, (await after.logIn(second)).status]).toEqual([401, 200]);
  });

  test('setting accounts_file: a changed entry is applied and ends the tokens of its account', async () => {
    const { write, start } = await prepare(hashes.first);
    const before = await start();
    const { token } = await before.logIn(first);
    expect(await before.use(token)).toBe(200);
    await before.stop();
    const again = await start();
    expect(await again.use(token)).toBe(200);
    await again.stop();
    await write(hashes.second);
    const after = await start();
    expect([(await after.logIn(first)).status, (await after.logIn(second)).status]).toEqual([401, 200]);
    expect(await after.use(token)).toBe(401);
  });

  test('setting accounts_file: ends the tokens of an account whose rights it changes', async () => {
    const { write, start } = await prepare(hashes.first);
    const before = await start();
    const { token } = await before.logIn(first);
    await before.stop();
    await write(hashes.first, { admin: false });
    const after = await start();
    expect(await after.use(token)).toBe(401);
    expect((await after.logIn(first)).status).toBe(200);
  });
});

describe('logins in progress', () => {
  const other = 'desk@example.org';
  const { atEnd, end } = createEndings();
  let server: Server;
  let outcomes: readonly [LoginOutcome, LoginOutcome];

  // The passwords of both accounts are checked for seconds. Meanwhile commands change the accounts.
  beforeAll(async () => {
    const { start, run } = await prepare(hashes.slow, [email, other], atEnd);
    server = await start();
    const pending = Promise.all([server.logIn(first, '127.0.0.2'), server.logIn(first, '127.0.0.3', other)]);
    const disableAndEnable = async () => {
      await run(['disable', other]);
      await run(['enable', other]);
    };
    await Promise.all([run(['password', email, '--password-stdin'], second), disableAndEnable()]);
    outcomes = await pending;
  });
  afterAll(end);

  const expectNoToken = async ({ status, token }: LoginOutcome) => {
    expect([200, 401]).toContain(status);
    expect(await server.use(token)).toBe(401);
  };

  test('command accounts password: a login in progress with the old password gets no token', async () => {
    await expectNoToken(outcomes[0]);
    expect((await server.logIn(second)).status).toBe(200);
  });

  test('command accounts disable: a login in progress gets no token, and enable does not revive it', async () => {
    await expectNoToken(outcomes[1]);
  });
});

describe('logins that wait', () => {
  const send = (url: string, signal?: AbortSignal) =>
    fetch(`${url}/v2/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: first }),
      ...(signal === undefined ? {} : { signal }),
    });

  test('login 200: logins of disconnected clients delay no other login', async () => {
    const { start } = await prepare(hashes.usual);
    const { url } = await start();
    const timed = async () => {
      const startedMs = performance.now();
      expect((await send(url)).status).toBe(200);
      return performance.now() - startedMs;
    };
    const aloneMs = Math.max(await timed(), await timed());
    /** Returns how many times as long as alone a login takes after those of disconnected clients. */
    const timesAlone = async () => {
      const leaving = new AbortController();
      const gone = Array.from({ length: 64 }, () => send(url, leaving.signal).catch(() => undefined));
      // All have arrived by the first response.
      await Promise.race(gone);
      leaving.abort();
      await Promise.all(gone);
      const startedMs = performance.now();
      // The server notices the disconnections a moment later.
      await pollUntil(async () => (await send(url)).status === 200, { withinMs: 60_000, describe: () => 'no login' });
      const tookMs = performance.now() - startedMs;
      // The load of the machine may have changed meanwhile.
      return tookMs / Math.max(aloneMs, await timed());
    };
    let times = await timesAlone();
    // A busy machine only adds to the time.
    for (let tries = 1; times >= 16 && tries < 3; tries++) times = Math.min(times, await timesAlone());
    expect(times).toBeLessThan(16);
  });
});

test('login 429: failures elsewhere do not lock out an address that the account has logged in from, even after a restart', async () => {
  const { start } = await prepare(hashes.first);
  const before = await start();
  expect((await before.logIn(first, '127.0.0.9')).status).toBe(200);
  await before.stop();
  const after = await start();
  for (let i = 0; i < 10; i++) expect((await after.logIn('a wrong horse')).status).toBe(401);
  expect((await after.logIn(first)).status).toBe(429);
  expect((await after.logIn(first, '127.0.0.9')).status).toBe(200);
});
