import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { logins } from '../staff/callers.ts';

describe('the scheduling server, whose only limit is on logins that fail', () => {
  let server: SchedulingProcess;
  beforeAll(async () => {
    server = await startScheduling({ env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  });
  afterAll(() => server.stop());

  const logIn = (json: object) => server.call('/v2/login', { method: 'POST', json });

  test('login 429: after ten failures even the right password has to wait, and is told how long', async () => {
    const wrong = { ...logins.reader, password: 'not-the-password' };
    const failed = await Promise.all(Array.from({ length: 10 }, () => logIn(wrong)));
    expect(failed.map(({ status }) => status)).toEqual(Array(10).fill(401));
    const { status, headers, body } = await logIn(logins.reader);
    expect([status, body.code, body.kind]).toEqual([429, 'limit_exceeded', 'RateLimitError']);
    expect(body.type).toContain('quota-exceeded');
    const waitS = Number(headers.get('Retry-After'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    expect((await logIn(logins.admin)).status).toBe(200);
  });
});
