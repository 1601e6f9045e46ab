import { Readable } from 'node:stream';
import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { createClientCredentialsRequest, createLoginFieldsRequest, requestToken } from './token-request.ts';
import type { UpstreamRequest } from './upstream.ts';
import { responseTooLate, UpstreamFault } from './upstream-fault.ts';

const login = createLoginFieldsRequest({ url: 'https://id/login', fields: { password: 'hush' }, body: 'form' });

/** Requests a token from an endpoint that responds with this status and body, or fails. */
function request(status: number, body: unknown, failure?: Error) {
  const sent: UpstreamRequest[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const result = requestToken(
    async (one) => {
      sent.push(one);
      if (failure !== undefined) throw failure;
      return { status, headers: {}, body: Readable.from([Buffer.from(text)]) };
    },
    login,
    () => 1_000,
  );
  return { sent, result };
}

describe('requestToken', () => {
  it.each([
    [{ access_token: 'a', expires_in: 60 }, 60_000],
    [{ access_token: 'a', expires_in: '60', token_type: 'BEARER' }, 60_000],
    [{ access_token: 'a' }, 300_000],
  ])('reads %j', async (body, lifetimeMs) => {
    const { sent, result } = request(200, body);
    expect(await result).toEqual({ value: 'a', lifetimeMs });
    expect(sent[0]).toMatchObject({ method: 'POST', path: '/login', body: 'password=hush', deadlineMs: 11_000 });
  });

  it.each([400, 401, 403])('is refused by a %i', async (status) => {
    expect(await request(status, { error: 'invalid_client' }).result).toBe('refused');
  });

  it.each<[string, number, unknown]>([
    ['answered 503', 503, 'hush'],
    ['did not answer with JSON', 200, 'hush'],
    ['answered without a token', 200, { access_token: ['hush'] }],
    ['answered without a token', 200, { access_token: 'hush\r\nX-Injected: 1' }],
    ['no bearer token', 200, { access_token: 'hush', token_type: 'mac' }],
    ['has expired', 200, { access_token: 'hush', expires_in: 0 }],
    ['has expired', 200, { access_token: 'hush', expires_in: 'never' }],
    ['more than 64 KiB', 200, 'hush'.repeat(20_000)],
  ])('names the endpoint that %s, without what it sent', async (words, status, body) => {
    const problem = await request(status, body).result.catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining(words) });
    expect(String((problem as Problem).detail)).toMatch(/^The token endpoint of the upstream /);
    expect(JSON.stringify([problem, String((problem as Problem).cause)])).not.toContain('hush');
  });

  it.each([
    [new UpstreamFault('upstream_failed', 'x', 'unreachable', false), 502, 'cannot be reached'],
    [responseTooLate(true), 504, 'did not respond in time'],
    [new Problem('unavailable', 'x', { headers: { 'Retry-After': '7' } }), 503, 'Retry in 7 s'],
  ])('names the endpoint after the fault %s', async (failure, status, words) => {
    await expect(request(200, '', failure).result).rejects.toMatchObject({
      status,
      detail: expect.stringMatching(`^The token endpoint of the upstream .*${words}`),
    });
  });
});

describe('createClientCredentialsRequest', () => {
  const given = { url: 'https://id/token', clientId: 'a b', clientSecret: 'c:d+é', scopes: ['x', 'y'] } as const;

  it('encodes id and secret before it joins them (RFC 6749 §2.3.1)', () => {
    const { headers, body } = createClientCredentialsRequest({ ...given, authentication: 'basic' });
    expect(headers.Authorization).toBe(`Basic ${Buffer.from('a+b:c%3Ad%2B%C3%A9').toString('base64')}`);
    expect(body).toBe('grant_type=client_credentials&scope=x+y');
  });

  it('sends them in the body with the authentication post', () => {
    const { headers, body } = createClientCredentialsRequest({ ...given, authentication: 'post', scopes: [] });
    expect(headers).not.toHaveProperty('Authorization');
    expect(body).toBe('grant_type=client_credentials&client_id=a+b&client_secret=c%3Ad%2B%C3%A9');
  });
});
