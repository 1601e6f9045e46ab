import { describe, expect, it } from 'vitest';
import { type OpenApiDocument, reachableComponents, withoutOperations, withSecurity } from './openapi.ts';

it('finds components referred to through others, from inside others, and in cycles', () => {
  const Pet = { properties: { owner: { $ref: '#/components/schemas/Owner' } } };
  const Owner = { properties: { pets: { items: { $ref: '#/components/schemas/Pet' } }, id: {} } };
  const Limit = { schema: { $ref: '#/components/schemas/a~1b' } };
  const schemas = { Pet, Owner, Unused: {}, 'a/b': {} };
  const document = {
    openapi: '3.0.3',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas, parameters: { Limit } },
  };
  const parts = [{ $ref: '#/components/parameters/Limit' }, { $ref: '#/components/schemas/Owner/properties/id' }];
  expect(reachableComponents(document, parts)).toEqual({ parameters: { Limit }, schemas: { Pet, Owner, 'a/b': {} } });
  expect(reachableComponents(document, [{ $ref: '#/components/schemas/No' }, null, 1])).toEqual({ schemas: {} });
});

const document = {
  openapi: '3.0.3',
  info: { title: 't', version: '1' },
  tags: [{ name: 'System' }, { name: 'Pages' }],
  paths: {
    '/metrics': { get: { operationId: 'getMetrics', tags: ['System'], security: [], responses: { 200: {} } } },
    '/docs': { summary: 's', get: { operationId: 'getDocs', tags: ['Pages'], security: [], responses: {} } },
    '/both': {
      get: { operationId: 'read', tags: ['System'], security: [], responses: {} },
      post: { operationId: 'write', tags: ['Pages'], security: [], responses: {} },
    },
  },
} as unknown as OpenApiDocument;

describe('a served document', () => {
  it('has no disabled operations, empty paths or unused tags', () => {
    const served = withoutOperations(document, new Set(['getDocs', 'write']));
    expect(Object.keys(served.paths)).toEqual(['/metrics', '/both']);
    expect(Object.keys(served.paths['/both'] ?? {})).toEqual(['get']);
    expect(served.tags).toEqual([{ name: 'System' }]);
    expect(withoutOperations(document, new Set())).toBe(document);
  });

  it('declares the security and the 401 of secured operations', () => {
    const served = withSecurity(document, new Set(['getMetrics']), [{ key: [] }]);
    expect(served.paths['/metrics']?.get).toMatchObject({
      security: [{ key: [] }],
      responses: { 200: {}, 401: { $ref: '#/components/responses/Unauthorized' } },
    });
    expect(served.paths['/both']).toBe(document.paths['/both']);
  });
});
