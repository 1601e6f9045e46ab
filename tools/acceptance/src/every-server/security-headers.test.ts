import { describe, expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';

describe.each(serverNames)('%s', (server) => {
  test.each([
    ['GET', '/health', 200],
    ['GET', '/', 200],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nowhere', 404],
    ['DELETE', '/health', 405],
    ['GET', '/health?nothing=1', 400],
  ])('%s %s (%i) cannot be sniffed, framed or tell where it was called from', async (method, path, status) => {
    const answer = await call(server, path, { method });
    expect(answer.status).toBe(status);
    const { headers } = answer;
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('X-Powered-By')).toBeNull();
  });

  test('no origin is let in unless somebody has said so', async () => {
    const answer = await call(server, '/health', { headers: { Origin: 'https://elsewhere.example' } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});
