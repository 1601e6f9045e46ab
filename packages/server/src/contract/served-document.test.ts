import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from './openapi.ts';
import { withoutOperations, withSecurity } from './served-document.ts';

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
