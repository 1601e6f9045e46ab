import { document as builtIn } from '@rostergate/gateway-spec';
import { mergeDocuments } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { defineService } from '../define-service.ts';
import { endpointsToOpenApi } from '../endpoints-to-openapi.ts';
import { z } from '../index.ts';
import { parseEndpoints } from '../parse-endpoints.ts';
import { contractDocumentsOf } from './contract-reader.ts';

const petstore = `
openapi: 3.1.0
info: { title: Petstore, version: 1.0.0 }
security: [{ token: [] }]
paths:
  /pets:
    parameters:
      - { name: limit, in: query, schema: { type: integer, exclusiveMinimum: 0 } }
    get:
      operationId: listPets
      summary: All pets
      description: One after the other.
      tags: [pets]
      deprecated: true
      parameters:
        - { name: limit, in: query, required: true, schema: { $ref: '#/components/schemas/Limit' } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: X-Trace, in: header, schema: { type: array, items: { type: integer } } }
        - { name: X-API-Key, in: header, required: true, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
      x-rate-limit: exempt
      responses:
        '200':
          description: The pets.
          headers:
            X-Total: { description: How many., schema: { type: integer } }
            RateLimit: { schema: { type: string } }
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } }
        '400': { $ref: '#/components/responses/Bad' }
        '418': { description: Short and stout. }
        default: { description: '' }
    post:
      operationId: addPet
      requestBody:
        required: true
        content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Pet' } } }
      responses: { '201': { description: Added., links: { it: { operationId: getPet } } } }
  /pets/{petId}:
    get:
      operationId: getPet
      responses: { '200': { $ref: '#/components/responses/Pet' } }
components:
  responses:
    Bad: { description: Not this., content: { application/problem+json: { schema: { type: object } } } }
    Pet: { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  schemas:
    Limit: { type: integer, maximum: 100 }
    Unused: { prefixItems: [] }
    Pet: { type: object, required: [name], properties: { name: { type: string }, mother: { $ref: '#/components/schemas/Pet' } } }
`;

const forward = defineService({
  name: 'forward',
  summary: 'Forwards',
  parameters: z.object({ note: z.string().optional() }),
  response: z.unknown(),
  errors: { 502: 'The upstream failed.' },
  handle: () => null,
});
const priced = defineService({
  ...forward,
  name: 'priced',
  parameters: z.object({ limit: z.number(), greeting: z.string().meta({ in: 'configuration' }) }),
});

const endpoint = (operation_id: string, more: object = {}) => ({
  path: '/pets',
  service: 'forward',
  contract: { document: 'petstore.yaml', operation_id },
  ...more,
});

function read(endpoints: readonly object[], documents: Record<string, string> = { 'petstore.yaml': petstore }) {
  const parsed = parseEndpoints({ endpoints }, [forward, priced], new Map(Object.entries(documents)));
  const faults = parsed.faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
  const fragment = endpointsToOpenApi(parsed.endpoints);
  return { faults, endpoints: parsed.endpoints, ...fragment };
}

describe('an endpoint with a contract', () => {
  it('has the summary, description and tags of the operation unless it sets its own', () => {
    const { paths, faults } = read([
      endpoint('listPets'),
      endpoint('listPets', { path: '/animals', summary: 'Animals', tags: ['mine'], description: 'Ours.' }),
    ]);
    expect(faults).toEqual([]);
    expect(paths['/pets']?.get).toMatchObject({
      operationId: 'getPets',
      summary: 'All pets',
      description: 'One after the other.',
      tags: ['pets'],
      deprecated: true,
    });
    expect(paths['/animals']?.get).toMatchObject({ summary: 'Animals', description: 'Ours.', tags: ['mine'] });
  });

  it('has query, path, header and cookie parameters, without the key', () => {
    const { paths } = read([endpoint('listPets'), endpoint('getPet', { path: '/pets/{petId}' })]);
    expect(paths['/pets']?.get?.parameters).toEqual([
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 100 } },
      {
        name: 'tags',
        in: 'query',
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string' } },
      },
      {
        name: 'X-Trace',
        in: 'header',
        style: 'simple',
        explode: false,
        schema: { type: 'array', items: { type: 'integer' } },
      },
      { name: 'session', in: 'cookie', schema: { type: 'string' } },
    ]);
    expect(paths['/pets/{petId}']?.get?.parameters).toEqual([
      { name: 'petId', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  it('has the request body, by media type without parameters', () => {
    const { paths, components } = read([endpoint('addPet', { method: 'POST' })]);
    expect(paths['/pets']?.post?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Petstore.Pet' } } },
    });
    expect(Object.keys(components.schemas)).toEqual(['Petstore.Pet']);
  });

  it('has the responses of the operation and of the gateway', () => {
    const { paths } = read([endpoint('listPets', { requires_auth: true, scopes: ['read'] })]);
    const { responses } = paths['/pets']?.get ?? {};
    expect(Object.keys(responses ?? {}).sort()).toEqual(
      ['200', '400', '401', '403', '418', '429', '500', '502', 'default'].sort(),
    );
    expect(responses?.['200']?.headers).toMatchObject({
      'X-Total': { schema: { type: 'integer' } },
      RateLimit: { $ref: '#/components/headers/RateLimit' },
    });
    expect(responses?.['400']).toMatchObject({
      description: 'Not this.',
      content: {
        'application/problem+json': {
          schema: { anyOf: [{ type: 'object' }, { $ref: '#/components/schemas/Problem' }] },
        },
      },
    });
    expect(responses?.default).toMatchObject({
      description: 'The response.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
    expect(JSON.stringify(paths)).not.toContain('links');
  });

  it('has the security and limits of the gateway, not of the document', () => {
    const { paths } = read([
      endpoint('listPets'),
      endpoint('listPets', { path: '/b', requires_auth: true, scopes: ['a', 'b'], rate_limit_per_minute: 5 }),
    ]);
    expect(paths['/pets']?.get?.security).toEqual([]);
    expect(paths['/pets']?.get).not.toHaveProperty('x-rate-limit');
    expect(paths['/b']?.get).toMatchObject({
      security: [{ apiKeyHeader: [] }, { apiKeyBearer: [] }],
      'x-required-scopes': ['a', 'b'],
      'x-rate-limit-per-minute': 5,
    });
  });

  it('leaves no dangling reference, and separates documents with the same name', () => {
    const fragment = read(
      [
        endpoint('listPets'),
        endpoint('listPets', { path: '/b', contract: { document: 'b/petstore.json', operation_id: 'listPets' } }),
      ],
      { 'petstore.yaml': petstore, 'b/petstore.json': petstore },
    );
    expect(fragment.faults).toEqual([]);
    expect(Object.keys(fragment.components.schemas).sort()).toEqual(['Petstore.Pet', 'Petstore2.Pet']);
    const merged = JSON.stringify(mergeDocuments(builtIn, fragment));
    const schemas = JSON.parse(merged).components.schemas as object;
    for (const [, name] of merged.matchAll(/#\/components\/schemas\/([^"]+)"/g))
      expect(schemas).toHaveProperty([name as string]);
  });

  it('maps the parameters of the operation to the service', () => {
    const limited = { service: 'priced', parameters: { greeting: 'Hi' } };
    expect(read([endpoint('listPets', limited)]).endpoints[0]?.arguments).toEqual([
      { name: 'limit', source: 'query', key: 'limit' },
      { name: 'greeting', source: 'configuration', value: 'Hi' },
    ]);
    expect(read([endpoint('listPets')]).endpoints[0]?.arguments).toEqual([]);
    expect(read([endpoint('getPet', { ...limited, path: '/pets/{petId}' })]).faults).toEqual([
      '/endpoints/0/parameters must map "limit" of priced to another parameter: the contract has no query "limit"',
    ]);
  });

  it('reports all faults at once, each with its position in both files', () => {
    const bad = petstore
      .replace('maximum: 100', 'maximum: no')
      .replace('{ name: tags, in: query,', '{ name: tags, in: query, style: cubic,');
    expect(
      read(
        [
          endpoint('listPets'),
          endpoint('listPets', { path: '/again' }),
          endpoint('listPet', { path: '/b' }),
          endpoint('getPet', { path: '/c/{id}' }),
          endpoint('listPets', { path: '/d', contract: { document: 'no.yaml', operation_id: 'x' } }),
          endpoint('x', { path: '/e', contract: { document: 'old.json', operation_id: 'x' } }),
          endpoint('x', { path: '/f', contract: { document: 'broken.yaml', operation_id: 'x' } }),
        ],
        { 'petstore.yaml': bad, 'old.json': '{"swagger":"2.0"}', 'broken.yaml': 'a: [' },
      ).faults,
    ).toEqual([
      '/endpoints/0/contract/operation_id petstore.yaml:48:38 (/components/schemas/Limit/maximum): must be a number',
      expect.stringMatching(
        /^\/endpoints\/0\/contract\/operation_id petstore\.yaml:17:\d+ \(.*\/style\): "cubic" cannot be checked in the query/,
      ),
      '/endpoints/2/contract/operation_id "listPet" is not an operation of petstore.yaml. Did you mean listPets?',
      '/endpoints/3/path has {id}, but the path of getPet in petstore.yaml is /pets/{petId}: use the same parameters',
      '/endpoints/4/contract/document There is no such file. Create it, or correct the path.',
      expect.stringMatching(/^\/endpoints\/5\/contract\/document old\.json is Swagger "2\.0": convert it/),
      expect.stringMatching(/^\/endpoints\/6\/contract\/document broken\.yaml is not YAML/),
    ]);
  });

  it('reports positions in a JSON document', () => {
    const document =
      '{\n  "openapi": "3.0.0",\n  "paths": { "/pets": { "get": {\n    "operationId": "a", "parameters": 7 } } }\n}';
    const of = (text: string) => read([endpoint('a')], { 'petstore.yaml': text }).faults;
    expect(of(document)).toEqual([
      '/endpoints/0/contract/operation_id petstore.yaml:4:39 (/paths/~1pets/get/parameters): must be a list',
    ]);
    expect(of(document.slice(0, -2))).toEqual([
      expect.stringMatching(/^\/endpoints\/0\/contract\/document petstore\.yaml is not JSON:\d+:\d+: /),
    ]);
    expect(of('{ openapi: 3.1.0, paths: { /pets: { get: { operationId: a } } } }')).toEqual([]);
  });

  it('is not served if its contract is faulty, even if the fault is reported already', () => {
    const bad = petstore.replace('maximum: 100', 'maximum: no');
    const { endpoints } = read([endpoint('listPets'), endpoint('listPets', { path: '/again' })], {
      'petstore.yaml': bad,
    });
    expect(endpoints).toEqual([]);
  });
});

describe('contractDocumentsOf', () => {
  it('returns each document of an enabled endpoint once', () => {
    const of = (document: unknown, more: object = {}) => ({ contract: { document }, ...more });
    expect(
      contractDocumentsOf({ endpoints: [of('a'), of('b'), of('a'), of('c', { enabled: false }), of(7), null, {}] }),
    ).toEqual(['a', 'b']);
    for (const value of [null, [], { endpoints: {} }]) expect(contractDocumentsOf(value)).toEqual([]);
  });
});
