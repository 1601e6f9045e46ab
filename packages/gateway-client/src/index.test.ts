import { expect, it } from 'vitest';
import { AuthenticationError, createGatewayClient } from './index.ts';

function createServer(status: number, body: object, contentType = 'application/json') {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': contentType } });
  };
  return { fetch, requests };
}

const baseUrl = 'https://gateway.test';

it('sends the key with public calls, so that validateKey can check it', async () => {
  const server = createServer(200, { valid: true, code: 'key_valid' });
  const verdict = await createGatewayClient({ baseUrl, key: 'k1', fetch: server.fetch }).validateKey();
  expect(verdict.valid).toBe(true);
  expect(server.requests[0]?.url).toBe(`${baseUrl}/auth/validate`);
  expect(server.requests[0]?.headers.get('X-API-Key')).toBe('k1');
});

it('prefers JSON when an operation has several media types', async () => {
  const server = createServer(200, { uptime_seconds: 1 });
  expect(await createGatewayClient({ baseUrl, fetch: server.fetch }).getMetrics()).toEqual({ uptime_seconds: 1 });
  expect(server.requests[0]?.headers.get('Accept')).toBe('application/json, text/plain;q=0.5');
  expect(server.requests[0]?.headers.has('X-API-Key')).toBe(false);
});

it('throws AuthenticationError for a rejected key', async () => {
  const server = createServer(401, { code: 'key_invalid', kind: 'AuthenticationError' }, 'application/problem+json');
  const call = createGatewayClient({ baseUrl, key: 'k1', fetch: server.fetch }).getAuthStatus();
  await expect(call).rejects.toBeInstanceOf(AuthenticationError);
});
