import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange } from '../../test/raw-exchange.ts';
import { createCors } from '../edge/cors.ts';
import { Problem } from '../problem/index.ts';
import type { Principal } from './context.ts';
import type { Handlers } from './handler.ts';
import type { OpenApiDocument } from './openapi.ts';
import { type ContractRouter, createRouter, type RouterOptions } from './router.ts';
import { createServer } from './server.ts';

const problemResponse = { default: { description: 'Problem' } };
const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: 'Things', version: '1.0.0' },
  servers: [{ url: '/v2' }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string', maxLength: 5 }, size: { type: 'integer', minimum: 1 } },
      },
    },
  },
  paths: {
    '/health': { servers: [{ url: '/' }], get: { operationId: 'getHealth', security: [], responses: problemResponse } },
    '/things': {
      get: {
        operationId: 'listThings',
        security: [{ key: [] }],
        parameters: [
          { name: '$top', in: 'query', schema: { type: 'integer', minimum: 0 } },
          {
            name: 'tags',
            in: 'query',
            style: 'form',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: problemResponse,
      },
      post: {
        operationId: 'createThing',
        security: [{ key: [] }],
        'x-required-scopes': ['admin'],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: problemResponse,
      },
    },
    '/things/{thing_key}': {
      parameters: [{ name: 'thing_key', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getThing', security: [{ key: [] }], responses: problemResponse },
    },
    '/things/{thing_key}/parts': {
      parameters: [{ name: 'thing_key', in: 'path', required: true, schema: { type: 'string' } }],
    },
  },
};

/** The document with prefix routes; those under /files/admin need a key. */
const rest = { name: 'rest', in: 'path', required: true, schema: { type: 'string', maxLength: 40 } } as const;
const restOperation = (operationId: string) => ({
  operationId,
  security: [],
  parameters: [{ ...rest, 'x-multi-segment': true }],
  responses: problemResponse,
});
const withRest: OpenApiDocument = {
  ...document,
  paths: {
    ...document.paths,
    '/files/{rest}': { get: restOperation('getFile'), put: restOperation('putFile') },
    '/files/new': { post: { ...restOperation('newFile'), parameters: [] } },
    '/files/admin/{rest}': { get: { ...restOperation('adminFile'), security: [{ key: [] }] } },
  },
};

const echoPath = (request: { path: unknown }) => ({ status: 200, body: request.path });
const restHandlers = Object.fromEntries(
  ['getFile', 'putFile', 'newFile', 'adminFile'].map((id) => [id, echoPath]),
) as unknown as Handlers;

const principals: Record<string, Principal> = {
  admin: { name: 'admin', owner: 'a', scopes: ['admin'] },
  reader: { name: 'reader', owner: 'r', scopes: [] },
  lister: { name: 'lister', owner: 'l', scopes: ['admin'], forbidden: new Set(['createThing']) },
  granted: { name: 'granted', owner: 'g', scopes: [], granted: new Set(['listThings']) },
};

const handlers = {
  getHealth: () => ({ status: 200, body: { status: 'healthy' } }),
  listThings: (request: { query: unknown }) => ({ status: 200, body: request.query }),
  createThing: (request: { body: unknown }) => ({
    status: 201,
    body: request.body,
    headers: { Location: '/v2/things/1' },
  }),
  getThing: (request: { path: { thing_key: string } }) => {
    if (request.path.thing_key === 'broken') throw new Error('secret inside');
    if (request.path.thing_key === 'stream')
      return { status: 200, raw: Readable.from(['[1', ',2]']), contentType: 'application/json' };
    if (request.path.thing_key === 'endless')
      return { status: 200, raw: Readable.from(endless()), contentType: 'text/plain' };
    if (request.path.thing_key === 'none') throw new Problem('not_found', 'Look elsewhere.');
    return { status: 200, body: request.path };
  },
} as unknown as Handlers;

async function* endless() {
  for (;;) yield 'more '.repeat(1_000);
}

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(
  mount: (router: ContractRouter) => http.Server,
  options: RouterOptions = {},
  served: OpenApiDocument = document,
) {
  const router = createRouter(
    { document: served, handlers, ...(served === withRest ? { extraHandlers: restHandlers } : {}) },
    {
      authenticate({ req }) {
        const key = req.headers['x-api-key'];
        if (typeof key !== 'string') return null;
        const found = principals[key];
        if (found === undefined) throw new Problem('key_invalid', 'Check the key.');
        return found;
      },
      ...options,
    },
  );
  const server = mount(router).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const call = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { call, port };
}

const admin = { 'X-API-Key': 'admin' };
const json = { ...admin, 'Content-Type': 'application/json' };
const mounts = {
  'in front of Express': (router: ContractRouter) => createServer({ router: () => router }),
  'as a router in another Express app': (router: ContractRouter) => {
    const app = express().use(express.json()).use(router);
    app.use((req, res) => router.notFound(req, res));
    app.use((error: unknown, req: express.Request, res: express.Response, _next: express.NextFunction) =>
      router.fail(error, req, res),
    );
    return http.createServer(app);
  },
};
describe.each(Object.entries(mounts))('the contract router %s', (_name, mount) => {
  it('serves operations at the base path of their server object', async () => {
    const { call } = await start(mount);
    expect(await (await call('/health')).json()).toEqual({ status: 'healthy' });
    expect((await call('/v2/health')).status).toBe(404);
    expect((await call('/v2/things', { headers: admin })).status).toBe(200);
  });

  it('coerces declared parameters and splits arrays according to the contract', async () => {
    const { call } = await start(mount);
    const response = await call('/v2/things?%24top=5&tags=a,b', { headers: admin });
    expect(await response.json()).toEqual({ $top: 5, tags: ['a', 'b'] });
  });

  it('reports every fault of a query, unknown parameters included', async () => {
    const { call } = await start(mount);
    const response = await call('/v2/things?$top=-1&colour=red&__proto__=x', { headers: admin });
    expect(response.status).toBe(400);
    const problem = (await response.json()) as { code: string; errors: { parameter: string }[] };
    expect(problem.code).toBe('validation_failed');
    expect(problem.errors.map((e) => e.parameter).sort()).toEqual(['$top', '__proto__', 'colour']);
  });

  it('finds an unknown parameter at any position of a query', async () => {
    const { call } = await start(mount);
    expect((await call(`/v2/things?$top=1${'&'.repeat(1_500)}colour=red`, { headers: admin })).status).toBe(400);
  });

  it('reports every fault of a body with its pointer', async () => {
    const { call } = await start(mount);
    const body = JSON.stringify({ name: 'too long', size: 0, colour: 1 });
    const problem = await (await call('/v2/things', { method: 'POST', headers: json, body })).json();
    expect((problem as { errors: { pointer: string }[] }).errors.map((e) => e.pointer).sort()).toEqual([
      '/colour',
      '/name',
      '/size',
    ]);
  });

  it('rejects text that cannot be stored unchanged', async () => {
    const { call } = await start(mount);
    const response = await call('/v2/things', { method: 'POST', headers: json, body: '{"name":"a\\u0000"}' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/name' }] });
  });

  it('passes a valid body to the handler and returns the headers of the reply', async () => {
    const { call } = await start(mount);
    const response = await call('/v2/things', { method: 'POST', headers: json, body: '{"name":"a"}' });
    expect([response.status, response.headers.get('location'), await response.json()]).toEqual([
      201,
      '/v2/things/1',
      { name: 'a' },
    ]);
  });

  it.each([
    ['no key on a secured operation', 401, 'key_missing', '/v2/things', {}],
    ['a wrong key', 401, 'key_invalid', '/v2/things', { headers: { 'X-API-Key': 'x' } }],
    ['a wrong key on a public operation', 401, 'key_invalid', '/health', { headers: { 'X-API-Key': 'x' } }],
    [
      'a missing scope, before the body is validated',
      403,
      'scope_missing',
      '/v2/things',
      { method: 'POST', headers: { ...json, 'X-API-Key': 'reader' }, body: '{"bad":1}' },
    ],
    [
      'an operation that the key may not use, before the body is validated',
      403,
      'operation_forbidden',
      '/v2/things',
      { method: 'POST', headers: { ...json, 'X-API-Key': 'lister' }, body: '{"bad":1}' },
    ],
    ['an unknown path', 404, 'route_not_found', '/v2/nothing', {}],
    ['a path in other letter case', 404, 'route_not_found', '/V2/things', { headers: admin }],
    ['a trailing slash', 404, 'route_not_found', '/v2/things/', { headers: admin }],
    ['bad percent-encoding', 400, 'malformed_request', '/v2/things/%ff', { headers: admin }],
    ['a problem from a handler', 404, 'not_found', '/v2/things/none', { headers: admin }],
    ['a method the path does not have', 405, 'method_not_allowed', '/v2/things', { method: 'DELETE', headers: admin }],
    ['a declared path without operations', 405, 'method_not_allowed', '/v2/things/1/parts', { headers: admin }],
    [
      'an undeclared media type',
      415,
      'media_type_unsupported',
      '/v2/things',
      { method: 'POST', headers: { ...admin, 'Content-Type': 'text/plain' }, body: 'x' },
    ],
    ['a missing body', 400, 'validation_failed', '/v2/things', { method: 'POST', headers: admin }],
    ['a handler that throws', 500, 'internal_error', '/v2/things/broken', { headers: admin }],
    ['a URL that is too long', 414, 'uri_too_long', `/v2/things?x=${'x'.repeat(17_000)}`, {}],
  ] satisfies [string, number, string, string, RequestInit][])(
    'responds to %s with %i as problem+json',
    async (_case, status, code, path, init) => {
      // Another server has Node's own limit of 16 KiB for headers, which applies first.
      if (status === 414 && mount === mounts['as a router in another Express app']) return;
      const { call } = await start(mount);
      const response = await call(path, init);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      const problem = (await response.json()) as Record<string, unknown>;
      expect(problem).toMatchObject({ status, code, request_id: response.headers.get('x-request-id') });
      expect(JSON.stringify(problem)).not.toContain('secret');
    },
  );

  it('lists exactly the methods of a path in Allow', async () => {
    const { call } = await start(mount);
    const allowed = async (path: string, method: string) =>
      (await call(path, { method, headers: admin })).headers.get('allow');
    expect(await allowed('/v2/things', 'PUT')).toBe('GET, HEAD, OPTIONS, POST');
    expect(await allowed('/v2/things/1/parts', 'GET')).toBe('OPTIONS');
    expect((await call('/v2/things', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('lists in Allow of OPTIONS only the methods that the caller may use', async () => {
    const { call } = await start(mount);
    const allowedFor = async (headers: Record<string, string>) => {
      const { status, headers: sent } = await call('/v2/things', { method: 'OPTIONS', headers });
      return [status, sent.get('allow')];
    };
    const whole = [204, 'GET, HEAD, OPTIONS, POST'];
    expect(await allowedFor({})).toEqual(whole);
    expect(await allowedFor(admin)).toEqual(whole);
    expect(await allowedFor({ 'X-API-Key': 'reader' })).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(await allowedFor({ 'X-API-Key': 'lister' })).toEqual([204, 'GET, HEAD, OPTIONS']);
    const rejected = await call('/v2/things', { method: 'DELETE', headers: { 'X-API-Key': 'reader' } });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, whole[1]]);
  });

  it('reserves an operation that needs a grant for callers who have it', async () => {
    const things = document.paths['/things'];
    const get = { ...things?.get, 'x-needs-grant': '"things" in lists' };
    const paths = { ...document.paths, '/things': { ...things, get } };
    const { call } = await start(mount, {}, { ...document, paths });
    const statusesFor = async (key: string) => {
      const headers = { 'X-API-Key': key };
      const options = await call('/v2/things', { method: 'OPTIONS', headers });
      return [(await call('/v2/things', { headers })).status, options.headers.get('allow')];
    };
    expect(await statusesFor('admin')).toEqual([403, 'OPTIONS, POST']);
    expect(await statusesFor('granted')).toEqual([200, 'GET, HEAD, OPTIONS']);
    const rejected = await call('/v2/things', { headers: { 'X-API-Key': 'admin' } });
    expect(((await rejected.json()) as { detail: string }).detail).toBe(
      'This key does not allow listThings, which needs "things" in lists. Ask the operator for one that does.',
    );
  });

  it('lists in Allow the methods with which a path is served', async () => {
    const { call } = await start(mount, { cors: createCors({ origins: ['*'] }) }, withRest);
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PUT' };
    for (const [path, allowed] of [
      ['/v2/files/a/b', 'GET, HEAD, OPTIONS, PUT'],
      ['/v2/files/new', 'OPTIONS, POST'],
      ['/v2/files/admin/x', 'GET, HEAD, OPTIONS'],
      ['/v2/things/1', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const rejected = await call(path, { method: 'DELETE' });
      expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, allowed]);
      const preflight = await call(path, { method: 'OPTIONS', headers });
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, allowed]);
    }
    for (const path of ['/v2/files', '/v2/files/admin']) expect((await call(path, { method: 'PUT' })).status).toBe(404);
  });

  it('passes the rest of a path to the handler, decoded once, and validates it', async () => {
    const { call } = await start(mount, {}, withRest);
    const found = await call('/v2/files/a%20b/%C3%A9/100%25');
    expect(await found.json()).toEqual({ rest: 'a b/é/100%' });
    const long = await call(`/v2/files/${'a'.repeat(41)}`);
    expect(((await long.json()) as { errors: unknown }).errors).toMatchObject([{ parameter: 'rest' }]);
  });

  it('rejects the rest of a path after the key and the limit, with a problem that names it', async () => {
    const counted: string[] = [];
    const { port } = await start(mount, { limit: ({ route }) => void counted.push(route.path) }, withRest);
    const send = (path: string) => exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    for (const rest of ['a/../b', '%2e%2e', 'a%2Fb', 'a//b', 'a/', 'a;b', 'a%252e', 'a\\b']) {
      const answer = await send(`/v2/files/${rest}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"parameter":"rest"');
      expect(await send(`/v2/files/admin/${rest}`)).toMatch(/^HTTP\/1\.1 401 /);
    }
    expect(counted).toHaveLength(16);
    expect(new Set(counted)).toEqual(new Set(['/v2/files/{rest*}', '/v2/files/admin/{rest*}']));
  });

  it('responds to a request for the icon with 204', async () => {
    const { call } = await start(mount);
    const icon = await call('/favicon.ico');
    expect([icon.status, icon.headers.get('cache-control')]).toEqual([204, 'public, max-age=86400']);
    expect((await call('/favicon.ico', { method: 'POST' })).status).toBe(404);
  });

  it('responds to HEAD like GET, without a body', async () => {
    const { call } = await start(mount);
    const response = await call('/health', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '20', '']);
  });

  it('streams a reply and decodes path parameters once', async () => {
    const { call } = await start(mount);
    expect(await (await call('/v2/things/stream', { headers: admin })).json()).toEqual([1, 2]);
    expect(await (await call('/v2/things/a%2Fb%2525', { headers: admin })).json()).toEqual({ thing_key: 'a/b%25' });
  });

  it('uses a safe request id of the client and replaces any other', async () => {
    const { call } = await start(mount);
    const idFor = async (id: string) =>
      (await call('/health', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    expect(await idFor('abc-1')).toBe('abc-1');
    expect(await idFor('a b')).not.toBe('a b');
  });
});

describe('the policies around an operation', () => {
  const mount = mounts['in front of Express'];

  it('counts a wrong key against the limit before it is rejected', async () => {
    const seen: (string | null)[] = [];
    const { call } = await start(mount, {
      limit: ({ principal }) => {
        seen.push(principal?.owner ?? null);
        if (seen.length > 2) throw new Problem('limit_exceeded', 'Wait.', { headers: { 'Retry-After': '7' } });
      },
    });
    expect((await call('/v2/things', { headers: { 'X-API-Key': 'x' } })).status).toBe(401);
    expect((await call('/v2/things', { headers: admin })).status).toBe(200);
    const rejected = await call('/v2/nothing');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '7']);
    expect(seen).toEqual([null, 'a', null]);
  });

  it('counts preflights and favicon requests as auxiliary on every path, with and without CORS', async () => {
    const cors = createCors({ origins: ['*'] });
    for (const policy of [cors, undefined]) {
      const seen: string[] = [];
      const { call } = await start(mount, { cors: policy, limit: ({ route }) => void seen.push(route.quota) });
      const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
      for (const path of ['/health', '/v2/things', '/v2/things/1', '/nowhere']) {
        await call(path, { method: 'OPTIONS', headers: preflight });
      }
      await call('/favicon.ico');
      expect(seen).toEqual(Array(5).fill('auxiliary'));
      await call('/v2/things', { method: 'OPTIONS' });
      await call('/v2/things', { headers: { ...admin, ...preflight } });
      await call('/nowhere', { headers: preflight });
      expect(seen.slice(5)).toEqual(Array(3).fill('client'));
    }
  });

  it('counts a wrong key against its address on exempt routes too', async () => {
    let counted = 0;
    const limit = Object.assign(() => {}, { countAddress: () => void counted++ });
    const { call } = await start(mount, { limit });
    expect((await call('/health', { headers: { 'X-API-Key': 'x' } })).status).toBe(401);
    expect((await call('/health')).status).toBe(200);
    expect(counted).toBe(1);
  });

  it('does not count a credential that cannot be checked', async () => {
    let counted = 0;
    const limit = Object.assign(() => {}, { countAddress: () => void counted++ });
    const authenticate = () => Promise.reject(new Problem('unavailable', 'Try again.'));
    const { call } = await start(mount, { limit, authenticate });
    expect((await call('/v2/things', { headers: admin })).status).toBe(503);
    expect(counted).toBe(0);
  });

  it('awaits promises of other realms before it serves the request', async () => {
    const Other = runInNewContext('Promise') as PromiseConstructor;
    const reject = () => Other.reject(new Problem('key_invalid', 'Check the key.'));
    const { call } = await start(mount, { authenticate: reject });
    expect((await call('/v2/things', { headers: admin })).status).toBe(401);
    const limited = await start(mount, {
      authenticate: () => Other.resolve(principals.admin ?? null),
      limit: () => Other.reject(new Problem('limit_exceeded', 'Wait.')),
    });
    expect((await limited.call('/v2/things', { headers: admin })).status).toBe(429);
  });

  it('serves a request without a caller where the contract tolerates a wrong key', async () => {
    const tolerant = structuredClone(document) as { paths: Record<string, { get?: object }> };
    Object.assign(tolerant.paths['/health']?.get ?? {}, { 'x-wrong-key': 'ignored' });
    const seen: unknown[] = [];
    const router = createRouter(
      { document: tolerant as unknown as OpenApiDocument, handlers },
      {
        authenticate: () => {
          throw new Problem('key_invalid', 'Check the key.');
        },
        limit: ({ principal }) => void seen.push(principal),
      },
    );
    const server = createServer({ router: () => router }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(async () => server.close());
    const { port } = server.address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect(seen).toEqual([null]);
  });

  it('observes each request once, with its route and never its raw path', async () => {
    const seen: unknown[] = [];
    const { call } = await start(mount, { observe: ({ route }, status) => seen.push([route.path, status]) });
    await call('/v2/things/1', { headers: admin });
    await call('/v2/nothing');
    await call('/v2/things/1', { method: 'PUT' });
    expect(seen).toEqual([
      ['/v2/things/{thing_key}', 200],
      ['unmatched', 404],
      ['/v2/things/{thing_key}', 405],
    ]);
  });

  it('observes a client that leaves during a stream as 499, without a problem', async () => {
    const seen: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { port } = await start(mount, {
      observe: (_context, status, _ms, problem) => {
        seen.push(status, problem);
        resolve();
      },
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /v2/things/endless HTTP/1.1\r\nHost: a\r\nX-API-Key: admin\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await promise;
    expect(seen).toEqual([499, undefined]);
  });

  it('rejects a body over the limit with 413', async () => {
    const { call } = await start(mount, { bodyBytesMax: 32 });
    const body = JSON.stringify({ name: 'x'.repeat(40) });
    expect((await call('/v2/things', { method: 'POST', headers: json, body })).status).toBe(413);
  });

  it.each([
    ['below the limit of the server', 32, 10_000, 413],
    ['above the limit of the server', 10_000, 32, 413],
    ['without a limit of the server', 10_000, undefined, 400],
  ])('applies the body limit of an operation %s', async (_, own, bodyBytesMax, status) => {
    const bounded = structuredClone(document) as { paths: Record<string, { post?: object }> };
    Object.assign(bounded.paths['/things']?.post ?? {}, { 'x-body-bytes-max': own });
    const { call } = await start(mount, { bodyBytesMax }, bounded as unknown as OpenApiDocument);
    const body = JSON.stringify({ name: 'x'.repeat(40) });
    expect((await call('/v2/things', { method: 'POST', headers: json, body })).status).toBe(status);
  });
});

describe('a request that Node’s parser rejects', () => {
  it.each([
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', '400 Bad Request', 'malformed_request'],
    [
      'a header section that is too large',
      `GET /health HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`,
      '431 ',
      'headers_too_large',
    ],
    ['a URL that is too long', `GET /${'a'.repeat(90_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, '414 ', 'uri_too_long'],
    [
      'a URL that is slightly too long',
      `GET /${'a'.repeat(33_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      '414 ',
      'uri_too_long',
    ],
    [
      'a header section far above the limit',
      `GET /health HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(900_000)}\r\n\r\n`,
      '431 ',
      'headers_too_large',
    ],
    [
      'two Host headers',
      'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
      '400 ',
      'malformed_request',
    ],
    [
      'an unknown path with an unknown expectation',
      'GET /none HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      '404 ',
      'route_not_found',
    ],
    ['a missing Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', '400 ', 'malformed_request'],
  ])('gets a problem+json response: %s', async (_case, bytes, status, code) => {
    const { port } = await start(mounts['in front of Express']);
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        text += chunk;
      });
    socket.write(bytes);
    await once(socket, 'close');
    expect(text).toContain(`HTTP/1.1 ${status}`);
    expect(text).toContain('application/problem+json');
    expect(text).toContain(`"code":"${code}"`);
  });
});

describe('createRouter', () => {
  it('rejects a contract that it cannot serve completely', () => {
    expect(() => createRouter({ document, handlers: { getHealth: () => ({ status: 200 }) } })).toThrow(
      /listThings has no handler[\s\S]*listThings is secured, which requires authenticate/,
    );
    const open = { ...document, paths: { '/open': { get: { operationId: 'getOpen', responses: {} } } } };
    expect(() => createRouter({ document: open, handlers: { getOpen: () => ({ status: 200 }) } })).toThrow(
      'declares no security',
    );
  });
});

describe('a body', () => {
  const status = (text: string) => Number(text.split(' ', 2)[1]);
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  it.each(Object.keys(mounts))(
    'is rejected where the operation declares none, unless it is empty: %s',
    async (name) => {
      const { port } = await start(mounts[name as keyof typeof mounts]);
      for (const type of ['application/json', 'text/plain']) {
        const head = `GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n`;
        for (const body of ['{"a":1}', '{bad', 'x']) {
          const announced = await exchange(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
          const inChunks = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunked(body)}`);
          expect([status(announced), status(inChunks)]).toEqual([400, 400]);
        }
        expect(status(await exchange(port, `${head}Content-Length: 0\r\n\r\n`))).toBe(200);
      }
      const empty =
        'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
      expect(status(await exchange(port, empty))).toBe(200);
    },
  );

  it.each([
    ['express.raw()', express.raw({ type: () => true })],
    ['express.text()', express.text({ type: () => true })],
    ['express.json()', express.json()],
  ])('is parsed and validated after %s', async (_name, parser) => {
    const { call } = await start((router) => {
      const app = express().use(parser, router);
      app.use((error: unknown, req: express.Request, res: express.Response, _next: express.NextFunction) =>
        router.fail(error, req, res),
      );
      return http.createServer(app);
    });
    const post = (body: string) => call('/v2/things', { method: 'POST', headers: json, body });
    expect((await post('{"name":"a"}')).status).toBe(201);
    const faults = (await (await post('{"name":1,"colour":"red"}')).json()) as { errors: { pointer: string }[] };
    expect(faults.errors.map(({ pointer }) => pointer).sort()).toEqual(['/colour', '/name']);
    expect((await post('{"name":')).status).toBe(400);
  });
});
