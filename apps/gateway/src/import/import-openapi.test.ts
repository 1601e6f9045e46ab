import { readFileSync } from 'node:fs';
import { parseEndpoints } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { describeHttpService } from '../services/http.ts';
import { type ImportResult, importOpenApi } from './import-openapi.ts';
import type { ImportOptions } from './import-options.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const petstore = read('test/documents/petstore.yaml');
const documentPath = 'petstore.openapi.json';

const run = (options: Partial<ImportOptions> = {}, text = petstore) =>
  importOpenApi({ text, name: 'petstore.yaml' }, { documentPath, ...options });
const again = (before: ImportResult, options: Partial<ImportOptions> = {}, text = petstore) =>
  run({ endpointsText: before.endpointsText, documentText: before.documentText, ...options }, text);
const entriesOf = (result: ImportResult) => JSON.parse(result.endpointsText).endpoints as Record<string, unknown>[];
const changesOf = (result: ImportResult) =>
  result.operations.map(({ operationId, change }) => `${operationId} ${change}`);

/** Returns the faults of the two files that an import writes. */
function faultsOf({ endpointsText, documentText }: ImportResult, path = documentPath) {
  return parseEndpoints(JSON.parse(endpointsText), [describeHttpService()], new Map([[path, documentText]])).faults;
}

describe('importOpenApi', () => {
  it.each([
    ['{ region: { default: eu, enum: [eu, us] }, version: { default: v2 } }', 'https://eu.a.example/v2', undefined],
    [
      '{ region: { default: eu, enum: [us] }, version: { default: v2 } }',
      'https://b.example',
      'region has a default that',
    ],
    ['{ region: { default: eu } }', 'https://b.example', 'version has no default'],
  ])('fills in the variables %s of a server', (variables, target, warning) => {
    const url = 'https://{region}.a.example/{version}';
    const servers = `servers: [{ url: "${url}", variables: ${variables} }, { url: https://b.example }]`;
    const paths = 'paths: { /a: { get: { operationId: a, responses: { "200": { description: ok } } } } }';
    const result = run({}, `openapi: 3.0.3\ninfo: { title: x, version: "1" }\n${servers}\n${paths}\n`);
    expect(entriesOf(result)[0]).toMatchObject({ upstream: { targets: [target] } });
    const expected = warning === undefined ? undefined : expect.stringContaining(`its variable ${warning}`);
    expect(result.warnings.find((text) => text.startsWith(`The server ${url}`))).toEqual(expected);
  });

  it('creates an endpoint for each operation that can be served', () => {
    const result = run();
    expect(faultsOf(result)).toEqual([]);
    expect(changesOf(result)).toEqual([
      'listPets added',
      'postPets added',
      'showPetById added',
      'deletePet added',
      'uploadPhoto added',
      'placeOrder added',
    ]);
    expect(result.endpointsText).toContain(`{
  "endpoints": [
    {
      "path": "/pets",
      "method": "GET",
      "service": "http",
      "requires_auth": true,
      "upstream": { "targets": ["https://petstore.example.com/v1"] },
      "contract": { "document": "petstore.openapi.json", "operation_id": "listPets" }
    },
`);
    expect(entriesOf(result).at(-1)).toMatchObject({ path: '/store/orders', upstream: { path: '/store/orders/' } });
  });

  it('reports why an operation is skipped', () => {
    expect(run().skipped).toEqual([
      expect.objectContaining({
        operationId: 'petsOptions',
        method: 'OPTIONS',
        reason: expect.stringContaining('itself'),
      }),
      expect.objectContaining({
        operationId: 'tuples',
        reason: expect.stringContaining('prefixItems cannot be expressed'),
      }),
      expect.objectContaining({ operationId: 'getFile', reason: expect.stringContaining('must be a whole segment') }),
    ]);
  });

  it('warns about parts that the gateway does not implement as declared', () => {
    expect(run().warnings).toEqual([
      expect.stringContaining('Webhooks'),
      'POST /pets has no operationId: it is named postPets.',
      expect.stringContaining('which also names https://staging.example.com'),
      expect.stringContaining('"petKey"'),
      'A body of uploadPhoto in image/png is forwarded unchecked.',
      expect.stringContaining('callbacks of placeOrder'),
    ]);
  });

  it('warns about cookies that cannot be validated', () => {
    const parameters = [
      { name: 'session', in: 'cookie', schema: { type: 'string' } },
      { name: 'list', in: 'cookie', schema: { type: 'array' } },
    ];
    const paths = { '/a': { get: { operationId: 'a', parameters, responses: { 200: { description: 'ok' } } } } };
    const servers = [{ url: 'https://api.example.com' }];
    const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, servers, paths });
    expect(run({}, text).warnings).toEqual(['The cookie list is forwarded unchecked.']);
  });

  it.each([
    ['/pets/{pet-id}', 'getPetsByPetId'],
    ['/files/{name}.json', 'getFilesByNameJson'],
  ])('names an operation without an operationId after its path: %s', (path, id) => {
    const responses = { 200: { description: 'ok' } };
    const text = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Files', version: '1' },
      servers: [{ url: 'https://files.example.com' }],
      paths: { [path]: { get: { responses } }, '/other': { get: { operationId: 'other', responses } } },
    });
    expect(run({}, text).warnings).toContain(`GET ${path} has no operationId: it is named ${id}.`);
  });

  it.each([
    ['/pets/{petId}', 'petID', 'declares the path parameter "petID", but the path /pets/{petId} has {petId}'],
    ['/pets', 'petId', 'declares the path parameter "petId", but the path /pets has no parameters'],
  ])('warns about a path parameter that the path does not name: %s declares %s', (path, name, expected) => {
    const responses = { 200: { description: 'ok' } };
    const parameters = [{ name, in: 'path', required: true, schema: { type: 'integer' } }];
    const text = (names: object[]) =>
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Pets', version: '1' },
        servers: [{ url: 'https://pets.example.com' }],
        paths: { [path]: { get: { operationId: 'getPet', parameters: names, responses } } },
      });
    expect(run({}, text(parameters)).warnings).toContainEqual(expect.stringContaining(expected));
    expect(
      run({}, text([{ ...parameters[0], name: 'petId', in: path === '/pets' ? 'query' : 'path' }])).warnings,
    ).toEqual([]);
  });

  it('writes a document with every operationId that endpoints refer to', () => {
    const { documentText } = run();
    expect(JSON.parse(documentText).paths['/pets'].post.operationId).toBe('postPets');
    expect(documentText.endsWith('}\n')).toBe(true);
  });

  it('writes a repeated target once', () => {
    const result = run({ targets: ['http://a.internal', 'http://a.internal/', 'http://b.internal'] });
    expect(entriesOf(result)[0]).toMatchObject({ upstream: { targets: ['http://a.internal', 'http://b.internal'] } });
    expect(faultsOf(result)).toEqual([]);
  });

  it('applies targets, a prefix, scopes and a choice of operations', () => {
    const result = run({
      targets: ['http://a.internal:80/base/', 'http://b.internal'],
      prefix: '/shop/',
      scopes: { '*': ['shop'], store: ['orders'] },
      include: ['store', 'listPets'],
      exclude: ['tuples'],
    });
    expect(faultsOf(result)).toEqual([]);
    expect(entriesOf(result)).toEqual([
      expect.objectContaining({
        path: '/shop/pets',
        scopes: ['shop'],
        upstream: { targets: ['http://a.internal:80/base', 'http://b.internal'], path: '/pets' },
      }),
      expect.objectContaining({ path: '/shop/store/orders', scopes: ['shop', 'orders'] }),
    ]);
    expect(entriesOf(run({ requiresAuth: false }))[0]).toMatchObject({ requires_auth: false });
  });

  it('preserves the text of endpoints.json', () => {
    const own =
      '{\r\n\t"_note": "ours",  "endpoints": [\r\n\t\t{ "path": "/mine",   "service": "echo", "_why": "x" }\r\n\t]\r\n}\r\n';
    const { endpointsText } = run({ endpointsText: own, include: ['deletePet'] });
    expect(endpointsText).toBe(
      own.replace(
        '"x" }\r\n',
        `"x" },\r\n\t\t${[
          '{',
          '\t"path": "/pets/{petId}",',
          '\t"method": "DELETE",',
          '\t"service": "http",',
          '\t"requires_auth": true,',
          '\t"upstream": { "targets": ["https://petstore.example.com/v1"] },',
          '\t"contract": { "document": "petstore.openapi.json", "operation_id": "deletePet" }',
          '}',
        ].join('\r\n\t\t')}\r\n`,
      ),
    );
    expect(entriesOf(run({ endpointsText: '{ "_note": 1 }', include: ['deletePet'] }))).toHaveLength(1);
  });

  it('imports the rest of a path, also from a document that the gateway serves', () => {
    const rest = { name: 'rest', in: 'path', required: true, schema: { type: 'string' }, 'x-multi-segment': true };
    const responses = { 200: { description: 'ok' } };
    const text = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Files', version: '1' },
      servers: [{ url: 'https://files.example.com' }],
      components: { parameters: { Rest: rest } },
      paths: {
        '/files/{rest}': {
          parameters: [{ $ref: '#/components/parameters/Rest' }],
          get: { operationId: 'read', responses },
        },
        '/aws/{proxy+}': { get: { operationId: 'aws', responses } },
      },
    });
    const result = run({ prefix: '/v1' }, text);
    expect(faultsOf(result)).toEqual([]);
    expect(entriesOf(result)).toMatchObject([{ path: '/v1/files/{rest*}', upstream: { path: '/files/{rest*}' } }]);
    expect(result.skipped).toEqual([
      expect.objectContaining({
        operationId: 'aws',
        reason: expect.stringContaining('the rest of a path as {proxy*}'),
      }),
    ]);
    const other = JSON.stringify({ endpoints: [{ path: '/v1/files/{id}', methods: ['PUT', 'GET'], service: 'echo' }] });
    expect(() => run({ prefix: '/v1', endpointsText: other }, text)).toThrow(
      '/v1/files/{id} matches the same requests',
    );
  });

  it('skips a route that another entry serves', () => {
    const other = (entry: object) => JSON.stringify({ endpoints: [{ service: 'echo', ...entry }] });
    const skippedWith = (entry: object) =>
      run({ endpointsText: other(entry), include: ['listPets', 'showPetById'] })
        .skipped.filter(({ reason }) => !reason.startsWith('excluded'))
        .map(({ operationId, reason }) => `${operationId}: ${reason}`);
    expect(skippedWith({ path: '/pets' })).toEqual(['listPets: GET /pets is already served, by /endpoints/0']);
    expect(skippedWith({ path: '/pets/{id}', method: 'PUT' })).toEqual([
      'showPetById: /pets/{id} matches the same requests, by /endpoints/0',
    ]);
    expect(skippedWith({ path: '/pets', enabled: false })).toEqual([]);
    expect(skippedWith({ path: '/pets', method: 'POST' })).toEqual([]);
  });

  it('skips an operation at a built-in path', () => {
    const text = petstore.replaceAll('/pets', '/health');
    expect(run({}, text).skipped).toContainEqual(
      expect.objectContaining({ operationId: 'listPets', reason: 'its entry collides with the built-in /health' }),
    );
    expect(faultsOf(run({}, text))).toEqual([]);
  });
});

describe('importing again', () => {
  it('changes nothing when nothing has changed', () => {
    const first = run({ prefix: '/p' });
    const second = again(first);
    expect(second.endpointsText).toBe(first.endpointsText);
    expect(second.documentText).toBe(first.documentText);
    expect(new Set(second.operations.map(({ change }) => change))).toEqual(new Set(['unchanged']));
  });

  it('updates unedited members and preserves edited ones', () => {
    const first = run();
    const edited = first.endpointsText
      .replace('"requires_auth": true', '"requires_auth": false,\n      "_note": "open to all"')
      .replace('"upstream": {', '"summary": "Ours", "upstream": { "timeout_ms": 1,');
    const second = again(
      { ...first, endpointsText: edited },
      { targets: ['http://new.internal'], scopes: { pets: ['pets'] } },
    );
    expect(entriesOf(second)[0]).toEqual({
      path: '/pets',
      method: 'GET',
      service: 'http',
      requires_auth: false,
      _note: 'open to all',
      summary: 'Ours',
      upstream: { timeout_ms: 1, targets: ['http://new.internal'] },
      contract: { document: documentPath, operation_id: 'listPets' },
      scopes: ['pets'],
    });
    expect(second.operations[0]).toMatchObject({ change: 'updated', kept: ['requires_auth'] });
  });

  it('follows an operation to its new path', () => {
    const second = again(run(), {}, petstore.replace('/store/orders/:', '/store/purchases:'));
    expect(entriesOf(second).at(-1)).toMatchObject({
      path: '/store/purchases',
      upstream: { targets: ['https://petstore.example.com/v1'] },
    });
    expect(entriesOf(second).at(-1)?.upstream).not.toHaveProperty('path');
    expect(faultsOf(second)).toEqual([]);
  });

  it('removes entries of removed operations, disables edited ones, and adds new operations', () => {
    const first = run();
    const edited = {
      ...first,
      endpointsText: first.endpointsText.replace('"DELETE",', '"DELETE", "summary": "Ours",'),
    };
    const text = petstore
      .replace(/ {4}delete:\n(?: {6}.*\n)*/, '')
      .replace(/ {2}\/pets\/\{petId\}\/photo:\n(?: {4}.*\n)*/, '')
      .replace('/store/tuples:', '/store/new:\n    get: { operationId: fresh, responses: {} }\n  /store/tuples:');
    const second = again(edited, {}, text);
    expect(changesOf(second).filter((change) => !change.endsWith('unchanged'))).toEqual([
      'fresh added',
      'deletePet disabled',
      'uploadPhoto removed',
    ]);
    expect(second.warnings).toContainEqual(expect.stringContaining('deletePet is no longer imported'));
    expect(faultsOf(second)).toEqual([]);
    expect(again(second, {}, text).endpointsText).toBe(second.endpointsText);
  });

  it('does not add a removed entry again, unless it is included by name', () => {
    const first = run();
    const { endpoints } = JSON.parse(first.endpointsText) as { endpoints: object[] };
    const without = { ...first, endpointsText: JSON.stringify({ endpoints: endpoints.slice(1) }) };
    expect(again(without).skipped).toContainEqual(
      expect.objectContaining({ operationId: 'listPets', reason: expect.stringContaining('was removed') }),
    );
    expect(changesOf(again(without, { include: ['pets', 'listPets'] }))).toContain('listPets added');
  });

  it('rejects an import that would move an endpoint to a route that another entry serves', () => {
    const first = run({ include: ['listPets', 'showPetById'] });
    const { endpoints } = JSON.parse(first.endpointsText) as { endpoints: object[] };
    const others = [
      { path: '/v2/pets', service: 'echo' },
      { path: '/v2/pets/{id}', methods: ['PUT'], service: 'echo' },
    ];
    const edited = { ...first, endpointsText: JSON.stringify({ endpoints: [...endpoints, ...others] }) };
    expect(() => again(edited, { prefix: '/v2' })).toThrow(
      [
        'listPets cannot move: GET /v2/pets is already served, by /endpoints/2. Change the path of one of these endpoints.',
        'showPetById cannot move: /v2/pets/{id} matches the same requests, by /endpoints/3. Change the path of one of these endpoints.',
      ].join('\n'),
    );
    const disabled = JSON.stringify({
      endpoints: [...endpoints, ...others.map((entry) => ({ ...entry, enabled: false }))],
    });
    expect(faultsOf(again({ ...first, endpointsText: disabled }, { prefix: '/v2' }))).toEqual([]);
  });

  it('rejects an import that would move an endpoint to the edited method of another', () => {
    const first = run({ include: ['listPets', 'placeOrder'] });
    const edited = { ...first, endpointsText: first.endpointsText.replace('"method": "GET"', '"method": "POST"') };
    expect(entriesOf(edited)[0]).toMatchObject({ path: '/pets', method: 'POST' });
    expect(() => again(edited, {}, petstore.replace('/store/orders/:', '/pets/:'))).toThrow(
      'placeOrder cannot move: POST /pets is already served, by /endpoints/0.',
    );
  });

  it('does not add an operation at the edited path of another', () => {
    const first = run();
    const edited = { ...first, endpointsText: first.endpointsText.replace('"path": "/pets"', '"path": "/store/new"') };
    const text = petstore.replace(
      '/store/tuples:',
      '/store/new:\n    get: { operationId: fresh, responses: {} }\n  /store/tuples:',
    );
    const second = again(edited, {}, text);
    expect(second.skipped).toContainEqual(
      expect.objectContaining({ operationId: 'fresh', reason: 'GET /store/new is already served, by /endpoints/0' }),
    );
    expect(faultsOf(second)).toEqual([]);
  });

  it('lets two operations exchange their paths', () => {
    const text = petstore
      .replace('/store/orders/:', '/exchanged:')
      .replace('/pets/{petId}/photo:', '/store/orders/:')
      .replace('/exchanged:', '/pets/{petId}/photo:');
    expect(faultsOf(again(run(), {}, text))).toEqual([]);
  });

  it('preserves every entry if the document of the previous import is lost', () => {
    const first = run();
    const second = run({ endpointsText: first.endpointsText, targets: ['http://new.internal'] });
    expect(second.endpointsText).toBe(first.endpointsText);
    expect(second.operations[0]).toMatchObject({ change: 'unchanged', kept: ['upstream.targets'] });
  });
});

describe('importOpenApi rejects', () => {
  it.each([
    [
      'Swagger 2.0',
      '{"swagger":"2.0","paths":{}}',
      {},
      'petstore.yaml is Swagger "2.0": convert it to OpenAPI 3 first',
    ],
    ['OpenAPI 4', 'openapi: 4.0.0', {}, 'is OpenAPI "4.0.0": only 3.0 and 3.1 are supported'],
    ['no YAML', 'a: [', {}, 'is not YAML'],
    ['no document', 'hello', {}, 'is not an object'],
    ['external references', petstore.replace('#/components/schemas/Error', 'e.yaml#/E'), {}, '(e.yaml#/E): bundle it'],
    ['no server', petstore.replaceAll('https://', '/'), {}, '--target'],
    ['an invalid target', petstore, { targets: ['ftp://x'] }, 'The target "ftp://x" is not an address'],
    ['an invalid prefix', petstore, { prefix: 'pets' }, 'The prefix "pets" is not a path'],
    ['scopes without keys', petstore, { requiresAuth: false, scopes: { '*': ['a'] } }, 'Scopes need keys'],
    ['a broken endpoints.json', petstore, { endpointsText: '{' }, 'endpoints.json:1:2  A closing }'],
    ['an endpoints.json without a list', petstore, { endpointsText: '{"endpoints":{}}' }, 'contains no list'],
    [
      'a document that no import wrote',
      petstore,
      { documentText: '{"openapi":"3.0.0"}' },
      'was not written by an import',
    ],
  ])('%s', (_, text, options, message) => {
    expect(() => run(options, text)).toThrow(message);
  });
});

describe('real documents', () => {
  it.each(['../../specs/staff/gen/openapi.json', '../../specs/gateway/gen/openapi.json'])('%s', (path) => {
    const result = run({ prefix: '/imported', targets: ['http://127.0.0.1:9'] }, read(path));
    expect(faultsOf(result)).toEqual([]);
    expect(result.skipped).toEqual([]);
    expect(result.operations.length).toBeGreaterThan(10);
  });

  it('rejects an unknown name in include or exclude', () => {
    const before = run();
    expect(() => again(before, { include: ['listPest'], exclude: ['nobody', 'pets'] })).toThrow(
      [
        '--include listPest: petstore.yaml has no operationId or tag with this name. Did you mean listPets?',
        '--exclude nobody: petstore.yaml has no operationId or tag with this name.',
      ].join('\n'),
    );
  });

  it('rejects an import that removes every endpoint', () => {
    const before = run();
    const empty =
      'openapi: 3.0.3\ninfo: { title: x, version: "1" }\nservers: [{ url: https://a.example }]\npaths: {}\n';
    expect(() => again(before, {}, empty)).toThrow('would remove every endpoint of petstore.openapi.json');
    expect(() => run({}, empty)).toThrow('Nothing of petstore.yaml was imported: it contains no operations.');
  });
});

describe('tokens of an issuer', () => {
  const issuers = [{ name: 'corp', issuer: 'https://id.example.com/tenant' }];
  const oidc = {
    type: 'openIdConnect',
    openIdConnectUrl: 'https://id.example.com/tenant/.well-known/openid-configuration',
  };
  const oauth2 = (tokenUrl: string) => ({ type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } });
  const documentOf = (securitySchemes: object, security: readonly object[]) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Orders', version: '1' },
      servers: [{ url: 'https://orders.example.com' }],
      components: { securitySchemes },
      paths: { '/orders': { get: { operationId: 'listOrders', security, responses: { 200: { description: 'x' } } } } },
    });
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };

  it.each([
    ['OpenID Connect', { oidc }, [{ oidc: ['orders:read'] }], { auth: ['jwt:corp'], scopes: ['orders:read'] }],
    [
      'OAuth 2.0',
      { o: oauth2('https://id.example.com/tenant/token') },
      [{ o: ['a', 'b'] }],
      { auth: ['jwt:corp'], scopes: ['a', 'b'] },
    ],
    [
      'a bearer JWT',
      { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      [{ jwt: [] }],
      { auth: ['jwt:corp'] },
    ],
    ['a token or a key', { oidc, key }, [{ oidc: ['a'] }, { key: [] }], { auth: ['key', 'jwt:corp'] }],
    ['a token with a key', { oidc, key }, [{ oidc: [], key: [] }], { requires_auth: true }],
    ['another issuer', { o: oauth2('https://id.example.com/tenant-2/token') }, [{ o: [] }], { requires_auth: true }],
  ])('imports %s', (_, schemes, security, expected) => {
    const result = run({ issuers }, documentOf(schemes, security));
    const [{ path: _p, method: _m, service: _s, upstream: _u, contract: _c, ...access } = {}] = entriesOf(result);
    expect(access).toEqual(expected);
    expect(faultsOf(result)).toEqual([]);
  });

  it('warns about tokens of an issuer that the settings lack', () => {
    const { warnings } = run({}, documentOf({ oidc }, [{ oidc: [] }]));
    expect(warnings.join(' ')).toContain('"oidc" is for tokens of an issuer that is not in jwt_issuers');
  });

  it('updates entries when the issuer is added, and preserves an edit of who may call', () => {
    const text = documentOf({ oidc }, [{ oidc: [] }]);
    const before = run({}, text);
    expect(entriesOf(before)[0]).toMatchObject({ requires_auth: true });
    const [updated = {}] = entriesOf(again(before, { issuers }, text));
    expect(updated).toMatchObject({ auth: ['jwt:corp'] });
    expect(updated).not.toHaveProperty('requires_auth');
    const edited = {
      ...before,
      endpointsText: before.endpointsText.replace('"requires_auth": true', '"requires_auth": false'),
    };
    const preserved = again(edited, { issuers }, text);
    expect(entriesOf(preserved)[0]).toMatchObject({ requires_auth: false });
    expect(entriesOf(preserved)[0]).not.toHaveProperty('auth');
    expect(preserved.operations[0]?.kept).toContain('requires_auth');
    expect(changesOf(again(again(before, { issuers }, text), { issuers }, text))).toEqual(['listOrders unchanged']);
  });
});
