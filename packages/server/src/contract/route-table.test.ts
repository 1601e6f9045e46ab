import fc from 'fast-check';
import createLookup from 'find-my-way';
import { describe, expect, it } from 'vitest';
import type { HttpMethod } from './openapi.ts';
import type { DeclaredPath, Route } from './route.ts';
import { createRouteTable } from './route-table.ts';

const declare = (path: string, methods: readonly HttpMethod[] = ['get']): DeclaredPath => ({
  path,
  allow: '',
  routes: methods.map((method) => ({ method, path }) as Route),
});

function tableOf(...paths: readonly DeclaredPath[]) {
  const table = createRouteTable<string>();
  for (const path of paths)
    table.add(
      path,
      path.routes.map(({ method }) => `${method} ${path.path}`),
    );
  return table;
}

describe('find', () => {
  const table = tableOf(
    declare('/'),
    declare('/things', ['get', 'post']),
    declare('/things/{key}'),
    declare('/things/latest', ['put']),
    declare('/things/latest/parts'),
    declare('/things/{key}/{part}'),
    declare('/Things'),
  );

  it.each([
    ['GET', '/', 'get /', {}],
    ['HEAD', '/things', 'get /things', {}],
    ['POST', '/things', 'post /things', {}],
    ['GET', '/Things', 'get /Things', {}],
    ['GET', '/%74hings', 'get /things', {}],
    ['GET', '/things/a', 'get /things/{key}', { key: 'a' }],
    ['PUT', '/things/latest', 'put /things/latest', {}],
    ['GET', '/things/latest', 'get /things/{key}', { key: 'latest' }],
    ['GET', '/things/latest/parts', 'get /things/latest/parts', {}],
    ['GET', '/things/latest/other', 'get /things/{key}/{part}', { key: 'latest', part: 'other' }],
    ['GET', '/things/a%2Fb%20c', 'get /things/{key}', { key: 'a/b c' }],
    ['GET', 'http://host:80/things', 'get /things', {}],
    ['GET', 'http://host', 'get /', {}],
  ])('matches %s %s with %s', (method, path, target, params) => {
    expect(table.find(method, path)).toEqual({ target, params });
  });

  it.each([
    ['DELETE', '/things'],
    ['GET', '/THINGS'],
    ['GET', '/things/'],
    ['GET', '//things'],
    ['GET', '/things//a'],
    ['GET', '/things/a/'],
    ['GET', '/things/a/b/c'],
    ['GET', '/things/%zz'],
    ['GET', '/things/%ff'],
    ['GET', '/things%2Fa'],
    ['GET', '*'],
    ['GET', ''],
    ['constructor', '/things'],
  ])('finds nothing for %s %s', (method, path) => {
    expect(table.find(method, path)).toBeNull();
  });
});

describe('findPath', () => {
  it('returns the declared path for any method, literals first', () => {
    const table = tableOf(declare('/a/{b}'), declare('/a/c', []));
    expect(table.findPath('/a/c')?.path).toBe('/a/c');
    expect(table.findPath('/a/d')?.path).toBe('/a/{b}');
    expect(table.findPath('/a/')).toBeNull();
  });
});

describe('add', () => {
  it.each([
    ['/a/{b}', '/a/{c}'],
    ['/a', '/a'],
  ])('rejects %s and %s, which match the same requests', (one, other) => {
    expect(() => tableOf(declare(one), declare(other, ['put']))).toThrow(`${one} and ${other} match the same requests`);
  });

  it.each(['/a/{b}-{c}', '/a/v{b}', '/a/{b'])('rejects %s: a parameter is a whole segment', (path) => {
    expect(() => tableOf(declare(path))).toThrow('not a whole segment');
  });
});

describe('compared with find-my-way', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '{x}', '{y}');
  const template = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => {
    let count = 0;
    return `/${all.map((text) => (text.startsWith('{') ? `{p${count++}}` : text)).join('/')}`;
  });
  const requestPath = fc.array(fc.constantFrom('a', 'b', 'ab', 'c', '', '%61', '%2F', 'a%20b', '%'), {
    minLength: 1,
    maxLength: 5,
  });

  it('finds the same operations with the same parameters', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(template, { maxLength: 12 }),
        fc.array(requestPath, { maxLength: 12 }),
        fc.infiniteStream(fc.constantFrom<HttpMethod>('get', 'put')),
        (templates, requests, methods) => {
          const paths = templates.map((path) => declare(path, [methods.next().value]));
          const table = tableOf(...paths);
          const lookup = createLookup({ caseSensitive: true, maxParamLength: 16_384 });
          for (const { path, routes } of paths) {
            const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
            for (const { method } of routes)
              lookup.on(method === 'get' ? 'GET' : 'PUT', pattern, () => {}, `${method} ${path}`);
          }
          for (const segments of requests) {
            const path = `/${segments.join('/')}`;
            for (const method of ['GET', 'PUT'] as const) {
              const found = lookup.find(method, path);
              // find-my-way also matches parameters with empty segments.
              if (segments.includes('')) continue;
              expect(table.find(method, path)).toEqual(
                found === null ? null : { target: found.store, params: { ...found.params } },
              );
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
