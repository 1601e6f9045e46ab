import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndpointPath, operationIdOf, parseEndpointPath, pathsOverlap } from './endpoint-path.ts';
import { httpMethods } from './openapi.ts';

const parse = (path: string) => parseEndpointPath(path) as EndpointPath;

describe('parseEndpointPath', () => {
  it('returns the parameters and the shape', () => {
    expect(parse('/api/quotes/{coin}/days/{day_count}')).toMatchObject({
      shape: '/api/quotes/{}/days/{}',
      parameters: ['coin', 'day_count'],
    });
  });

  it('returns the last parameter as the rest of the path', () => {
    expect(parse('/files/{id}/{rest*}')).toMatchObject({
      shape: '/files/{}/{}',
      parameters: ['id', 'rest'],
      rest: 'rest',
    });
    expect(parse('/files/{id}').rest).toBeUndefined();
  });

  it.each([
    ['api', 'begin with /'],
    ['/', 'landing page'],
    ['/api//x', 'empty segment'],
    ['/api/', 'empty segment'],
    ['/api/../x', 'resolve'],
    ['/api/v{n}', 'whole segment'],
    ['/api/{a}{b}', 'whole segment'],
    ['/api/{}', 'whole segment'],
    ['/{a}/{a}', 'twice'],
    ['/{rest*}/x', 'continues after {rest*}'],
    ['/{a*}/{a}', 'continues after {a*}'],
    ['/{a}/{a*}', 'twice'],
    ['/api/x{rest*}', 'whole segment'],
    ['/api/*', 'write the rest of a path as {rest*}'],
    ['/api/**', 'write the rest of a path as {rest*}'],
    ['/api/*file', 'write the rest of a path as {file*}'],
    ['/api/{*file}', 'write the rest of a path as {file*}'],
    ['/api/{**file}', 'write the rest of a path as {file*}'],
    ['/api/{file+}', 'write the rest of a path as {file*}'],
    ['/api/{file...}', 'write the rest of a path as {file*}'],
    ['/api/{file:path}', 'write the rest of a path as {file*}'],
    ['/api/[...file]', 'write the rest of a path as {file*}'],
    ['/api/:file*', 'write the rest of a path as {file*}'],
    ['/api/:file(.*)', 'write the rest of a path as {file*}'],
    ['/api/:id', 'write a parameter as {id}'],
    ['/api/:id?', 'write a parameter as {id}'],
    ['/api/:id(\\d+)', 'write a parameter as {id}'],
    ['/api/[id]', 'write a parameter as {id}'],
    ['/api/<id>', 'write a parameter as {id}'],
    ['/api/<int:id>', 'write a parameter as {id}'],
    ['/api/${id}', 'write a parameter as {id}'],
    ['/api/{id:int}', 'write a parameter as {id}'],
    ['/api/{2nd}', 'must begin with a letter'],
    ['/api/a:b', 'letters'],
    ['/api/x?y=1', 'letters'],
    ['/api/a b', 'letters'],
    ['/api/%2e', 'letters'],
    ['/api/é', 'letters'],
  ])('describes the fault of %s', (path, fault) => {
    expect(parseEndpointPath(path)).toContain(fault);
  });
});

describe('pathsOverlap', () => {
  it.each([
    ['/a/{x}', '/a/b', true],
    ['/a/{x}', '/{y}/b', true],
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/c', false],
    ['/a/{x}', '/a/{x}/c', false],
    ['/a/b', '/a/B', false],
    ['/a/{x*}', '/a/b', true],
    ['/a/{x*}', '/a/b/c/d', true],
    ['/a/{x*}', '/{y}/b/c', true],
    ['/a/{x*}', '/a/b/{y*}', true],
    ['/a/{x*}', '/a', false],
    ['/a/{x*}', '/b/c', false],
    ['/a/{x*}', '/b/{y*}', false],
    ['/a/b/{x*}', '/a/{y}', false],
  ])('of %s and %s is %s', (a, b, overlap) => {
    expect(pathsOverlap(parse(a), parse(b))).toBe(overlap);
    expect(pathsOverlap(parse(b), parse(a))).toBe(overlap);
  });
});

const idOf = (method: string, path: string, taken: string[] = []) =>
  operationIdOf(method, parseEndpointPath(path) as EndpointPath, new Set(taken));

describe('operationIdOf', () => {
  it.each([
    ['get', '/api/crypto', 'getApiCrypto'],
    ['post', '/api/quotes/{coin}', 'postApiQuotesByCoin'],
    ['delete', '/staff-members/{staff_key}', 'deleteStaff_membersByStaff_key'],
  ])('names %s %s after its segments', (method, path, id) => {
    expect(idOf(method, path)).toBe(id);
  });

  it('never returns the operationId of a built-in operation', () => {
    const id = idOf('get', '/landing/page', ['getLandingPage']);
    expect(id).toMatch(/^getLandingPage_[0-9a-f]{12}$/);
    expect(idOf('get', '/landing/page', ['getLandingPage'])).toBe(id);
  });

  it('never returns the same operationId for two routes', () => {
    // A small alphabet makes near-collisions such as /a-b, /a_b, /a/b, /aB and /by/a likely.
    const word = fc.stringMatching(/^[abyB1_.-]{1,4}$/).filter((text) => text !== '.' && text !== '..');
    const parameter = fc.stringMatching(/^[abB_][ab1B_-]{0,2}$/).map((name) => `{${name}}`);
    const path = fc.array(fc.oneof(word, fc.constant('by'), parameter), { minLength: 1, maxLength: 3 });
    const route = fc.record({ method: fc.constantFrom(...httpMethods), path: path.map((p) => `/${p.join('/')}`) });
    fc.assert(
      fc.property(fc.array(route, { minLength: 20, maxLength: 60 }), (routes) => {
        const shapes = new Set<string>();
        const ids = new Set<string>();
        for (const { method, path: text } of routes) {
          const parsed = parseEndpointPath(text);
          if (typeof parsed === 'string') continue;
          const route = `${method} ${parsed.shape}`;
          if (shapes.has(route)) continue;
          shapes.add(route);
          ids.add(operationIdOf(method, parsed, new Set()));
        }
        expect(ids.size).toBe(shapes.size);
        for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_]+$/);
      }),
    );
  });
});
