import { describe, expect, it } from 'vitest';
import { type EndpointPath, parseEndpointPath, pathsOverlap } from './endpoint-path.ts';

const parse = (path: string) => parseEndpointPath(path) as EndpointPath;

describe('parseEndpointPath', () => {
  it('names the parameters and the shape that they leave', () => {
    expect(parse('/api/quotes/{coin}/days/{day_count}')).toMatchObject({
      shape: '/api/quotes/{}/days/{}',
      parameters: ['coin', 'day_count'],
    });
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
    ['/api/*', 'letters'],
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
  ])('says what is wrong with %s', (path, fault) => {
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
  ])('of %s and %s is %s', (a, b, overlap) => {
    expect(pathsOverlap(parse(a), parse(b))).toBe(overlap);
    expect(pathsOverlap(parse(b), parse(a))).toBe(overlap);
  });
});
