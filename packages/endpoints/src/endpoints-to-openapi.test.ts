import { document } from '@rostergate/gateway-spec';
import { mergeDocuments } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { quote, services } from '../test/services.ts';
import { defineService } from './define-service.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointsToOpenApi, type OperationFragment } from './endpoints-to-openapi.ts';
import { z } from './index.ts';
import { parseEndpoints } from './parse-endpoints.ts';

function describeAll(...endpoints: object[]) {
  const parsed = parseEndpoints({ endpoints }, services);
  expect(parsed.faults).toEqual([]);
  return endpointsToOpenApi(parsed.endpoints);
}
const keyed = {
  path: '/q/{coin}',
  service: 'quote',
  requires_auth: true,
  tags: ['coins'],
  parameters: { symbol: { source: 'path', key: 'coin' } },
};
const posted = { path: '/hi', method: 'POST', service: 'greet', parameters: { greeting: 'Hello' } };

describe('endpointsToOpenApi', () => {
  it('describes query and path parameters with schema, default, bounds and example', () => {
    const { paths } = describeAll({ path: '/q', service: 'quote' });
    expect(paths['/q']?.get?.parameters).toEqual([
      {
        name: 'symbol',
        in: 'query',
        description: 'Symbol of the coin.',
        allowEmptyValue: true,
        schema: { type: 'string', maxLength: 10, default: 'BTC' },
        example: 'ETH',
      },
      { name: 'days', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 30 } },
    ]);
    expect(describeAll(keyed).paths['/q/{coin}']?.get?.parameters?.[0]).toEqual({
      name: 'coin',
      in: 'path',
      required: true,
      description: 'Symbol of the coin.',
      schema: { type: 'string', maxLength: 10 },
      example: 'ETH',
    });
  });

  it('describes the rest of a path as a parameter with an extension', () => {
    const { paths } = describeAll(
      { path: '/a/{symbol*}', service: 'quote', methods: ['GET', 'PUT'] },
      { path: '/b/{symbol}', service: 'quote' },
    );
    expect(Object.keys(paths)).toEqual(['/a/{symbol}', '/b/{symbol}']);
    for (const method of ['get', 'put']) {
      expect(paths['/a/{symbol}']?.[method]?.parameters?.[0]).toMatchObject({
        name: 'symbol',
        in: 'path',
        required: true,
        'x-multi-segment': true,
      });
    }
    expect(paths['/b/{symbol}']?.get?.parameters?.[0]).not.toHaveProperty('x-multi-segment');
  });

  it('omits parameters that the configuration sets', () => {
    const { paths } = describeAll({ path: '/q', service: 'quote', parameters: { symbol: 'ETH', days: 1 } });
    expect(paths['/q']?.get).not.toHaveProperty('parameters');
    expect(JSON.stringify(describeAll(posted))).not.toContain('Hello');
  });

  it('shows a configured response as the example, and only its type when it is long or needs a key', () => {
    const fixed = defineService({
      ...{ name: 'fixed', summary: 'A fixed response', response: z.unknown(), exampleFrom: 'answer' },
      parameters: z.object({ answer: z.unknown().meta({ in: 'configuration' }) }),
      handle: ({ answer }) => answer,
    });
    const exampleOf = (answer: unknown, more: Partial<Endpoint> = {}) => {
      const parsed = parseEndpoints({ endpoints: [{ path: '/f', service: 'fixed', parameters: { answer } }] }, [fixed]);
      const { paths } = endpointsToOpenApi(parsed.endpoints.map((endpoint) => ({ ...endpoint, ...more })));
      const response = paths['/f']?.get?.responses[200] as unknown as SuccessOf;
      expect(response.headers).toHaveProperty('RateLimit');
      return response.content['application/json'].example;
    };
    const fruit = { apple: 1.2, names: ['a', 'b'], none: null };
    expect(exampleOf(fruit)).toEqual(fruit);
    expect(exampleOf('x'.repeat(1_998))).toHaveLength(1_998);
    expect(exampleOf('x'.repeat(1_999))).toBe('text');
    expect(exampleOf({ fruit, long: Array(700).fill([]) })).toEqual({});
    for (const [answer, type] of [
      [fruit, {}],
      [['secret'], []],
      ['secret', 'text'],
      [5, 1],
      [false, true],
    ])
      expect(exampleOf(answer, { requiresAuth: true })).toEqual(type);
    const policies: Endpoint['policies'] = [{ name: 'small', type: 'body_size', bytesMax: 9 }];
    expect(exampleOf(['secret'], { policies })).toEqual([]);
  });

  it('declares security for an endpoint that requires a key, and none for any other', () => {
    const { paths } = describeAll(keyed, { path: '/q', service: 'quote' });
    expect(paths['/q/{coin}']?.get?.security).toEqual([{ apiKeyHeader: [] }, { apiKeyBearer: [] }]);
    expect(paths['/q']?.get?.security).toEqual([]);
  });

  it('declares every status: success, the errors of the service and common errors', () => {
    const { paths, components } = describeAll(keyed, posted);
    expect(statuses(paths['/q/{coin}']?.get).sort()).toEqual(
      ['200', '400', '401', '404', '429', '500', 'default'].sort(),
    );
    expect(statuses(paths['/hi']?.post)).toEqual(expect.arrayContaining(['413', '415']));
    expect(components.schemas.QuoteAnswer).toMatchObject({ required: ['symbol', 'price'] });
  });

  it('declares the body of a service that has one', () => {
    const { paths, components } = describeAll(posted);
    expect(paths['/hi']?.post?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/GreetBody' } } },
    });
    expect(components.schemas.GreetBody).toMatchObject({ required: ['name'] });
  });

  it('shares the schemas of a service among its endpoints', () => {
    const { components } = describeAll({ path: '/a', service: 'quote' }, { path: '/b', service: 'quote' });
    expect(Object.keys(components.schemas)).toEqual(['QuoteAnswer']);
  });

  it('gives services with similar names different components', () => {
    const twin = defineService({ ...quote, name: 'Qu-ote', handle: () => ({}) });
    const other = defineService({ ...quote, name: 'qu_ote', handle: () => ({}) });
    const { endpoints } = parseEndpoints(
      {
        endpoints: [
          { path: '/a', service: 'qu-ote' },
          { path: '/b', service: 'qu_ote' },
        ],
      },
      [twin, other],
    );
    expect(Object.keys(endpointsToOpenApi(endpoints).components.schemas)).toEqual(['QuOteAnswer', 'QuOte2Answer']);
  });

  it('turns a recursive schema into components that refer to each other', () => {
    interface Tree {
      readonly name: string;
      readonly children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.lazy(() => z.array(tree)) });
    const service = defineService({
      name: 'tree',
      summary: 'A tree',
      parameters: z.object({}),
      response: z.object({ root: tree }),
      handle: () => ({ root: { name: 'a', children: [] } }),
    });
    const { endpoints } = parseEndpoints({ endpoints: [{ path: '/tree', service: 'tree' }] }, [service]);
    const merged = mergeDocuments(document, endpointsToOpenApi(endpoints));
    expect(danglingReferences(merged)).toEqual([]);
    expect(JSON.stringify(merged)).not.toContain('#/definitions/');
  });

  it('lists each tag once, and puts untagged endpoints under Endpoints', () => {
    const { tags, paths } = describeAll(keyed, { ...keyed, method: 'POST' }, { path: '/q', service: 'quote' });
    expect(tags.map((tag) => tag.name)).toEqual(['coins', 'Endpoints']);
    expect(paths['/q']?.get?.tags).toEqual(['Endpoints']);
  });

  it('is deterministic', () => {
    expect(JSON.stringify(describeAll(keyed, posted))).toBe(JSON.stringify(describeAll(keyed, posted)));
  });
});

describe('mergeDocuments', () => {
  it('leaves no dangling reference', () => {
    expect(danglingReferences(mergeDocuments(document, describeAll(keyed, posted)))).toEqual([]);
  });

  it('lists endpoints and their tags before the built-in ones', () => {
    const merged = mergeDocuments(document, describeAll(keyed, { path: '/q', service: 'quote' }));
    const builtIn = (document.tags ?? []).filter(({ name }) => name !== 'Endpoints');
    const endpoints = (document.tags ?? []).find(({ name }) => name === 'Endpoints');
    expect(merged.tags).toEqual([expect.objectContaining({ name: 'coins' }), endpoints, ...builtIn]);
    expect(Object.keys(merged.paths)).toEqual(['/q/{coin}', '/q', ...Object.keys(document.paths)]);
  });

  it('rejects a path or component that the contract has', () => {
    const fragment = describeAll(keyed);
    expect(() => mergeDocuments(document, { ...fragment, paths: { '/health': {} } })).toThrow('/health');
    expect(() => mergeDocuments(document, { ...fragment, components: { schemas: { Problem: {} } } })).toThrow(
      'Problem',
    );
  });

  it('changes neither document', () => {
    const before = JSON.stringify(document);
    mergeDocuments(document, describeAll(keyed));
    expect(JSON.stringify(document)).toBe(before);
  });
});

interface SuccessOf {
  readonly headers: object;
  readonly content: { readonly 'application/json': { readonly example: unknown } };
}

const statuses = (operation: OperationFragment | undefined) => Object.keys(operation?.responses ?? {});

function danglingReferences(whole: object): string[] {
  const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] as string);
  return references.filter(
    (reference) =>
      reference.split('/').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], whole) ===
      undefined,
  );
}
