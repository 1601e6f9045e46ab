import fc from 'fast-check';
import createLookup from 'find-my-way';
import { describe, expect, it } from 'vitest';
import type { HttpMethod } from './openapi.ts';
import type { DeclaredPath, Route } from './route.ts';
import { createRouteTable } from './route-table.ts';

const declare = (path: string, methods: readonly HttpMethod[] = ['get']): DeclaredPath => ({
  path,
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
    declare('/things/{key}', ['get', 'put']),
    declare('/things/latest', ['put']),
    declare('/things/latest/parts'),
    declare('/things/{key}/{part}'),
    declare('/Things'),
    { ...declare('/things/$count'), isExclusive: true },
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
    ['HEAD', '/things/%24count', 'get /things/$count', {}],
  ])('matches %s %s with %s', (method, path, target, params) => {
    expect(table.find(method, path)).toEqual({ target, params });
  });

  it.each([
    ['DELETE', '/things'],
    ['PUT', '/things/$count'],
    ['PUT', '/things/%24count'],
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

describe('a rest', () => {
  const table = tableOf(
    declare('/files/{rest*}', ['get', 'put']),
    declare('/files/latest'),
    declare('/files/{id}/parts'),
    declare('/files/admin/{rest*}'),
    declare('/files/a@b', ['get']),
  );

  it.each([
    ['GET', '/files/a', 'get /files/{rest*}', { rest: 'a' }],
    ['PUT', '/files/a/b/c', 'put /files/{rest*}', { rest: 'a/b/c' }],
    ['HEAD', '/%66iles/a%20b', 'get /files/{rest*}', { rest: 'a%20b' }],
    ['GET', '/files/latest', 'get /files/latest', {}],
    ['GET', '/files/%6catest', 'get /files/latest', {}],
    ['GET', '/files/a%40b', 'get /files/a@b', {}],
    ['GET', '/files/7/parts', 'get /files/{id}/parts', { id: '7' }],
    ['GET', '/files/7/parts/1', 'get /files/{rest*}', { rest: '7/parts/1' }],
    ['GET', '/files/admin/x', 'get /files/admin/{rest*}', { rest: 'x' }],
    ['GET', '/files/%61dmin/x/y', 'get /files/admin/{rest*}', { rest: 'x/y' }],
    ['GET', '/files//a/..%2f', 'get /files/{rest*}', { rest: '/a/..%2f' }],
  ])('matches %s %s with %s', (method, path, target, params) => {
    expect(table.find(method, path)).toEqual({ target, params });
  });

  it.each([
    ['GET', '/files'],
    ['GET', '/files/'],
    ['GET', '/filesystem'],
    ['GET', '/filesystem/a'],
    ['GET', '/files%2Fa'],
    ['POST', '/files/a'],
    ['GET', '/files/a/%ff'],
    // A shorter prefix, which may need no key, does not serve what a more specific path matches with other methods.
    ['PUT', '/files/latest'],
    ['PUT', '/files/7/parts'],
    ['PUT', '/files/admin/x'],
    ['PUT', '/files/admin'],
    ['GET', '/files/admin'],
    ['HEAD', '/files/%61dmin'],
  ])('finds nothing for %s %s', (method, path) => {
    expect(table.find(method, path)).toBeNull();
  });

  it('finds among 1,000 prefixes as many segments as among one', () => {
    const segmentsRead = (count: number) => {
      const many = tableOf(...Array.from({ length: count }, (_, i) => declare(`/p${i}/{rest*}`)));
      let reads = 0;
      const path = Object.assign(new String('/p0/a/b/c'), {
        indexOf: (text: string, from: number) => {
          reads++;
          return '/p0/a/b/c'.indexOf(text, from);
        },
      });
      expect(many.find('GET', path as never)).toEqual({ target: 'get /p0/{rest*}', params: { rest: 'a/b/c' } });
      return reads;
    };
    expect(segmentsRead(1_000)).toBe(segmentsRead(1));
  });
});

describe('add', () => {
  it.each([
    ['/a/{b}', '/a/{c}'],
    ['/a', '/a'],
    ['/a/{b*}', '/a/{c*}'],
  ])('rejects %s and %s, which match the same requests', (one, other) => {
    expect(() => tableOf(declare(one), declare(other, ['put']))).toThrow(`${one} and ${other} match the same requests`);
  });

  it.each(['/a/{b*}/c', '/{b*}/{c}'])('rejects %s: nothing follows the rest of a path', (path) => {
    expect(() => tableOf(declare(path))).toThrow('continues after {b*}');
  });

  it.each(['/a/{b}-{c}', '/a/v{b}', '/a/{b'])('rejects %s: a parameter is a whole segment', (path) => {
    expect(() => tableOf(declare(path))).toThrow('not a whole segment');
  });
});

describe('compared with every template in turn', () => {
  const segment = fc.constantFrom('a', 'b', '{x}');
  const template = fc
    .tuple(fc.array(segment, { maxLength: 3 }), fc.constantFrom('a', '{x}', '{rest*}', '{rest*}'))
    .map(([start, last]) => `/${[...start, last].map((text, i) => text.replace('{x}', `{p${i}}`)).join('/')}`);
  const request = fc.array(fc.constantFrom('a', 'b', 'c', '', '%61', '%2F', '..'), { minLength: 1, maxLength: 5 });

  const isParameter = (text: string | undefined) => text?.startsWith('{') === true;
  const startOf = (path: string) => path.split('/').slice(1, -1);
  const isRest = (path: string) => path.endsWith('*}');

  function matches(path: string, segments: readonly string[]): boolean {
    const own = path.split('/').slice(1);
    const fits = (text: string, i: number) =>
      isParameter(text) ? segments[i] !== '' : text === segments[i]?.replace('%61', 'a');
    if (!isRest(path)) return own.length === segments.length && own.every(fits);
    return (
      segments.length >= own.length && startOf(path).every(fits) && segments.slice(own.length - 1).join('/') !== ''
    );
  }

  /** Literal before parameter before rest, segment by segment. */
  function rank(path: string): string {
    return path
      .split('/')
      .slice(1)
      .map((text) => (text.endsWith('*}') ? '2' : isParameter(text) ? '1' : '0'))
      .join('');
  }

  /** Returns the template that serves a request: less specific ones serve it only if they are no prefix. */
  function best(paths: readonly DeclaredPath[], segments: readonly string[], method: string): string | undefined {
    const starts = paths
      .filter(({ path }) => isRest(path))
      .map(({ path }) => ({ path: `/${startOf(path).join('/')}` }));
    const matching = [...paths, ...starts.map((start) => ({ ...start, routes: [] }))]
      .filter(({ path }) => matches(path, segments))
      .sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
    return matching.find(({ path, routes }, i) => routes[0]?.method === method && (i === 0 || !isRest(path)))?.path;
  }

  it('finds the most specific one that has the method', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(template, { maxLength: 10, selector: (path) => path.replaceAll(/\{p\d\}/g, '{}') }),
        fc.array(request, { minLength: 1, maxLength: 10 }),
        fc.infiniteStream(fc.constantFrom<HttpMethod>('get', 'put')),
        (templates, requests, methods) => {
          const paths = templates.map((path) => declare(path, [methods.next().value]));
          const table = tableOf(...paths);
          for (const segments of requests) {
            for (const method of ['get', 'put'] as const) {
              const path = best(paths, segments, method);
              const found = table.find(method.toUpperCase(), `/${segments.join('/')}`);
              expect(found?.target).toBe(path && `${method} ${path}`);
              if (path === undefined || !isRest(path)) continue;
              expect(found?.params.rest).toBe(segments.slice(startOf(path).length).join('/'));
            }
          }
        },
      ),
      { numRuns: 500 },
    );
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
