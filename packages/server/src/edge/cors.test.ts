import { describe, expect, it } from 'vitest';
import { createCors, findCorsFault } from './cors.ts';

const app = 'https://app.example';

function preflight(headers: Record<string, string>) {
  return { method: 'OPTIONS', headers: { origin: app, 'access-control-request-method': 'POST', ...headers } };
}

describe('createCors', () => {
  it('returns undefined without an origin', () => expect(createCors({ origins: [] })).toBeUndefined());

  it('allows exact origins only', () => {
    const cors = createCors({ origins: [app, 'http://localhost:3000'], credentials: true });
    expect(cors?.headersFor(app)).toMatchObject({
      'Access-Control-Allow-Origin': app,
      'Access-Control-Allow-Credentials': 'true',
    });
    for (const origin of [undefined, 'null', 'https://app.example.evil', 'http://app.example', 'https://APP.example'])
      expect(cors?.headersFor(origin)).toBeUndefined();
    expect(cors?.variesByOrigin).toBe(true);
  });

  it.each(['Retry-After', 'Proxy-Status'])('lets pages read %s, which clients need to retry', (name) => {
    const headers = createCors({ origins: [app] })?.headersFor(app);
    expect(headers?.['Access-Control-Expose-Headers']?.split(', ')).toContain(name);
  });

  it('responds to any origin with a star, never with the origin itself', () => {
    const cors = createCors({ origins: ['*'] });
    expect(cors?.headersFor('https://anybody.example')).toMatchObject({ 'Access-Control-Allow-Origin': '*' });
    expect(cors?.headersFor('https://anybody.example')).not.toHaveProperty('Access-Control-Allow-Credentials');
    expect(cors?.variesByOrigin).toBe(false);
  });

  it('allows the methods of the path and the requested header fields in a preflight', () => {
    const cors = createCors({ origins: [app], maxAgeSeconds: 5 });
    const asked = preflight({ 'access-control-request-headers': 'content-type,x-api-key' });
    expect(cors?.preflightHeaders(asked, 'GET, POST')).toEqual({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'content-type,x-api-key',
      'Access-Control-Max-Age': '5',
    });
  });

  it('gives unknown origins no headers and echoes nothing but a list of names', () => {
    const cors = createCors({ origins: [app] });
    expect(cors?.preflightHeaders(preflight({ origin: 'https://evil.example' }), 'GET')).toBeUndefined();
    const odd = preflight({ 'access-control-request-headers': 'x: y' });
    expect(cors?.preflightHeaders(odd, 'GET')).not.toHaveProperty('Access-Control-Allow-Headers');
  });
});

describe('findCorsFault', () => {
  it.each([
    [{ origins: ['*'], credentials: true }, 'credentials', 'any page'],
    [{ origins: [`${app}/`] }, 'origins', `write ${app}.`],
    [{ origins: ['https://App.example:443'] }, 'origins', `write ${app}.`],
    [{ origins: ['app.example'] }, 'origins', 'is not an origin'],
    [{ origins: ['null'] }, 'origins', 'is not an origin'],
  ])('rejects %o', (options, option, words) => {
    expect(findCorsFault(options)).toMatchObject({ option, detail: expect.stringContaining(words) });
    expect(() => createCors(options)).toThrow(RangeError);
  });

  it('accepts exact origins with credentials, and any origin without', () => {
    expect(findCorsFault({ origins: [app], credentials: true })).toBeUndefined();
    expect(findCorsFault({ origins: ['*'] })).toBeUndefined();
  });
});
