import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { serverPrograms } from '../server-programs.ts';
import { logins } from '../staff/callers.ts';
import { logInFrom } from './log-in-from.ts';

describe('the scheduling server, whose only limit is on logins that fail', () => {
  let server: SchedulingProcess;
  beforeAll(async () => {
    // Logins queue only at the cost of users' passwords.
    const { file: program } = serverPrograms.scheduling;
    server = await startScheduling({ program, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  });
  afterAll(() => server.stop());

  const logIn = (json: object) => server.call('/v2/login', { method: 'POST', json });

  test('login 429: after ten failures even the right password must wait for Retry-After', async () => {
    const wrong = { ...logins.reader, password: 'not-the-password' };
    for (let i = 0; i < 10; i++) expect((await logIn(wrong)).status).toBe(401);
    const { status, headers, body } = await logIn(logins.reader);
    expect([status, body.code, body.kind]).toEqual([429, 'limit_exceeded', 'RateLimitError']);
    expect(body.type).toContain('quota-exceeded');
    const waitS = Number(headers.get('Retry-After'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    expect((await logIn(logins.admin)).status).toBe(200);
  });

  test('login 503: rejects some of too many concurrent logins of an address before they cost CPU', async () => {
    const wrong = { email: 'nobody@example.org', password: 'not-the-password' };
    const sent = Array.from({ length: 100 }, () => logInFrom('127.0.0.2', server.url, wrong));
    const outcomes = await Promise.all(sent);
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses).toContain(401);
    const rejected = outcomes.find(({ status }) => status === 503);
    expect([rejected?.retryAfter, rejected?.code]).toEqual(['5', 'unavailable']);
    expect(statuses.every((status) => [401, 429, 503].includes(status))).toBe(true);
  });
});
