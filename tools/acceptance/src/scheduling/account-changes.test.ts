import { randomBytes, scryptSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../database.ts';
import { pollUntil } from '../poll-until.ts';
import { runScheduling, startScheduling } from '../scheduling-process.ts';
import { logInFrom } from './log-in-from.ts';

const email = 'ops@example.org';
const [first, second] = ['the first horse', 'the second horse'] as const;

/** `p` makes the check of the password that many times slower. */
function hashOf(password: string, p = 1): string {
  const [N, r, salt] = [131_072, 8, randomBytes(16)];
  const hash = scryptSync(password, salt, 32, { N, r, p, maxmem: 2 ** 28 });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** A database and an accounts file with one account, for one or more servers. */
async function prepare(password: string) {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-accounts-'));
  const database = await createDatabase();
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });
  const file = join(folder, 'accounts.json');
  const write = (hash: string, more: object = {}) =>
    writeFile(file, JSON.stringify([{ email, password: hash, company_key: 'c1', admin: true, ...more }]));
  await write(password);
  const env = { ROSTERGATE_SCHEDULING_SEED: 'none', ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: file };
  const start = async () => {
    const server = await startScheduling({ database, env });
    onTestFinished(async () => {
      await server.stop();
    });
    const logIn = (word: string, from = '127.0.0.1') => logInFrom(from, server.url, { email, password: word });
    const use = async (token: string | undefined) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await server.call('/v2/staffmember?companyKey=c1', { headers })).status;
    };
    return { url: server.url, stop: server.stop, logIn, use };
  };
  const run = async (args: readonly string[], input = '') => {
    const outcome = await runScheduling(['accounts', ...args], { cwd: folder, env: { ...database.env }, input });
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, expect.any(String)]);
  };
  return { write, start, run };
}

describe('the accounts file', () => {
  test('setting accounts_file: does not restore a password replaced by the command', async () => {
    const { start, run } = await prepare(hashOf(first));
    const before = await start();
    expect((await before.logIn(first)).status).toBe(200);
    await before.stop();
    await run(['password', email, '--password-stdin'], second);
    const after = await start();
    expect([(await after.logIn(first)).status, (await after.logIn(second)).status]).toEqual([401, 200]);
  });

  test('setting accounts_file: a changed entry is applied and ends the tokens of its account', async () => {
    const { write, start } = await prepare(hashOf(first));
    const before = await start();
    const { token } = await before.logIn(first);
    expect(await before.use(token)).toBe(200);
    await before.stop();
    const again = await start();
    expect(await again.use(token)).toBe(200);
    await again.stop();
    await write(hashOf(second));
    const after = await start();
    expect([(await after.logIn(first)).status, (await after.logIn(second)).status]).toEqual([401, 200]);
    expect(await after.use(token)).toBe(401);
  });

  test('setting accounts_file: ends the tokens of an account whose rights it changes', async () => {
    const hash = hashOf(first);
    const { write, start } = await prepare(hash);
    const before = await start();
    const { token } = await before.logIn(first);
    await before.stop();
    await write(hash, { admin: false });
    const after = await start();
    expect(await after.use(token)).toBe(401);
    expect((await after.logIn(first)).status).toBe(200);
  });
});

describe('logins in progress', () => {
  /** Two logins from different addresses, which are checking the password for seconds. */
  async function startTwo() {
    const { start, run } = await prepare(hashOf(first, 16));
    const { logIn, use } = await start();
    const pending = ['127.0.0.2', '127.0.0.3'].map((address) => logIn(first, address));
    const usable = async () => {
      const outcomes = await Promise.all(pending);
      expect(outcomes.every(({ status }) => status === 401 || status === 200)).toBe(true);
      const uses = await Promise.all(outcomes.map(({ token }) => use(token)));
      return uses.filter((status) => status !== 401).length;
    };
    return { run, logIn, usable };
  }

  test('command accounts password: a login in progress with the old password gets no token', async () => {
    const { run, usable, logIn } = await startTwo();
    await run(['password', email, '--password-stdin'], second);
    expect(await usable()).toBe(0);
    expect((await logIn(second)).status).toBe(200);
  });

  test('command accounts disable: a login in progress gets no token, and enable does not revive it', async () => {
    const { run, usable } = await startTwo();
    await run(['disable', email]);
    await run(['enable', email]);
    expect(await usable()).toBe(0);
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
    const { start } = await prepare(hashOf(first));
    const { url } = await start();
    const timed = async () => {
      const startedMs = performance.now();
      expect((await send(url)).status).toBe(200);
      return performance.now() - startedMs;
    };
    const aloneMs = Math.max(await timed(), await timed());
    const leaving = new AbortController();
    const gone = Array.from({ length: 64 }, () => send(url, leaving.signal).catch(() => undefined));
    // All have arrived by the first response.
    await Promise.race(gone);
    leaving.abort();
    await Promise.all(gone);
    const startedMs = performance.now();
    // The server notices the disconnections a moment later.
    await pollUntil(async () => (await send(url)).status === 200, { withinMs: 60_000, describe: () => 'no login' });
    expect(performance.now() - startedMs).toBeLessThan(16 * aloneMs);
  });

  test('login 503: a login that has waited for ten seconds is rejected', async () => {
    const { start } = await prepare(hashOf(first, 8));
    const { url } = await start();
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(url)));
    const statuses = responses.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    const rejected = responses.find(({ status }) => status === 503);
    expect(rejected?.headers.get('Retry-After')).toBe('5');
    expect(await rejected?.json()).toMatchObject({ code: 'unavailable' });
  });
});

test('login 429: failures elsewhere do not lock out an address that the account has logged in from, even after a restart', async () => {
  const { start } = await prepare(hashOf(first));
  const before = await start();
  expect((await before.logIn(first, '127.0.0.9')).status).toBe(200);
  await before.stop();
  const after = await start();
  for (let i = 0; i < 10; i++) expect((await after.logIn('a wrong horse')).status).toBe(401);
  expect((await after.logIn(first)).status).toBe(429);
  expect((await after.logIn(first, '127.0.0.9')).status).toBe(200);
});
