import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppResponse, companyKey, credentials, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const list = `/v2/staffmember?companyKey=${companyKey}`;
const call: RunningApp['call'] = (path, options) => app.call(path, options);

describe('login', () => {
  it.each(['json', 'form'])('200: returns a token for %s credentials', async (form) => {
    const sent = credentials('admin');
    const response = await call('/v2/login', form === 'json' ? { json: sent } : { body: new URLSearchParams(sent) });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: '3600' });
    expect(response.headers.get('Cache-Control')).toContain('no-store');
  });

  it('400: names what is missing', async () => {
    const response = await call('/v2/login', { json: { email: 'a@b.example' } });
    expectProblem(response, 400, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ pointer: expect.stringContaining('password') }]);
  });

  it('401: rejects a wrong password and an unknown account alike', async () => {
    const wrong = await call('/v2/login', { json: { ...credentials('reader'), password: 'wrong' } });
    const unknown = await call('/v2/login', { json: { email: 'nobody@demo.example', password: 'wrong' } });
    const without = ({ body: { request_id: _, ...rest } }: AppResponse) => rest;
    for (const response of [wrong, unknown]) {
      expectProblem(response, 401, 'login_failed');
      expect(response.body).toMatchObject({ error: 'access_denied', error_description: 'Invalid email or password' });
    }
    expect(without(wrong)).toEqual(without(unknown));
  });

  it('405, 415 and 413 for requests that it cannot read', async () => {
    expectProblem(await call('/v2/login'), 405, 'method_not_allowed');
    expectProblem(
      await call('/v2/login', { body: 'x', headers: { 'Content-Type': 'text/csv' } }),
      415,
      'media_type_unsupported',
    );
    const small = await startApp({ body_bytes_max: 100 });
    const long = { json: { email: 'a@b.example', password: 'x'.repeat(200) } };
    expectProblem(await small.call('/v2/login', long), 413, 'body_too_large');
    await small.stop();
  });

  it('413 for more than 16 KiB before authentication', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = (bytes: number) => ({ headers, body: 'email=a@b.example&password='.padEnd(bytes, 'x') });
    expectProblem(await call('/v2/login', form(16_384)), 400, 'validation_failed');
    expectProblem(await call('/v2/login', form(16_385)), 413, 'body_too_large');
  });

  it('accepts the longest credentials that the contract allows, in any encoding', async () => {
    const [email, password] = ['😀'.repeat(320), '😀'.repeat(1_024)];
    const form = new URLSearchParams({ email, password });
    expectProblem(await call('/v2/login', { body: form }), 401, 'login_failed');
    const escaped = JSON.stringify({ email, password }).replaceAll('😀', '\\ud83d\\ude00');
    const json = { body: escaped, headers: { 'Content-Type': 'application/json' } };
    expectProblem(await call('/v2/login', json), 401, 'login_failed');
  });

  it('429: counts parallel guesses like sequential ones', async () => {
    const own = await startApp();
    const guess = () => own.call('/v2/login', { json: { ...credentials('reader'), password: 'wrong' } });
    const responses = await Promise.all(Array.from({ length: 14 }, guess));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(4);
    await own.stop();
  });

  it('429: blocks an account after ten failures, until a minute has passed', async () => {
    const own = await startApp();
    const wrong = { json: { ...credentials('reader'), password: 'wrong' } };
    for (let i = 0; i < 10; i++) expect((await own.call('/v2/login', wrong)).status).toBe(401);
    const response = await own.call('/v2/login', { json: credentials('reader') });
    expectProblem(response, 429, 'limit_exceeded');
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(50);
    own.pass(61_000);
    expect((await own.call('/v2/login', { json: credentials('reader') })).status).toBe(200);
    await own.stop();
  });
});

describe('tokens', () => {
  it('accept the scheme in any letter case', async () => {
    const token = await app.tokenOf('admin');
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await call(`${list}&$top=1`, { headers: { Authorization: `${scheme} ${token}` } })).status).toBe(200);
    }
  });

  it('401: are required, and rejected when invalid or expired', async () => {
    expectProblem(await call(list), 401, 'token_missing');
    expectProblem(await call(list, { headers: { Authorization: 'Bearer made-up' } }), 401, 'token_invalid');
    expectProblem(await call(`${list}&access_token=${await app.tokenOf('admin')}`), 401, 'token_missing');
    const own = await startApp();
    const token = await own.tokenOf('admin');
    own.pass(3_601_000);
    const headers = { Authorization: `Bearer ${token}` };
    expectProblem(await own.call(list, { headers }), 401, 'token_expired');
    await own.stop();
  });

  it('never appear in the log, nor do passwords or query texts', async () => {
    await call(`${list}&$filter=LastName eq 'canary-name'`, { as: 'admin' });
    const text = app.logText();
    expect(text).toContain('/v2/staffmember');
    for (const secret of [await app.tokenOf('admin'), credentials('admin').password, 'canary-name']) {
      expect(text).not.toContain(secret);
    }
  });
});
