import { describe, expect, it } from 'vitest';
import { quote } from '../test/services.ts';
import { defineRawService } from './define-raw-service.ts';
import { fillTemplate } from './endpoint-upstream.ts';
import { endpointsToOpenApi } from './endpoints-to-openapi.ts';
import { parseEndpoints } from './parse-endpoints.ts';

const open = () => ({ handle: () => ({ status: 200, raw: '', contentType: 'text/plain' }) });
const forwarder = defineRawService({
  name: 'forwarder',
  summary: 'The response of an upstream',
  errors: { 502: 'It failed.' },
  upstream: { check: ({ retries }) => (retries > 5 ? [{ path: ['retries'], detail: 'is too often' }] : []) },
  open,
});
const http = defineRawService({ name: 'http', summary: 'A', upstream: { takesWebSockets: true }, open });
const raw = defineRawService({ name: 'raw', summary: 'Bytes', open });
const read = (...endpoints: object[]) => parseEndpoints({ endpoints }, [forwarder, http, raw, quote]);
const faultsOf = (...endpoints: object[]) =>
  read(...endpoints).faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
const upstream = { targets: ['http://a:1/v1'] };
const login = { type: 'login', token_url: 'https://id/login', fields: { password: '${PASSWORD}' } };

describe('the upstream of an endpoint', () => {
  it('is read with its defaults and unreplaced variables', () => {
    const headers = { 'X-Key': '${KEY}' };
    const { endpoints, faults } = read({
      path: '/a/{id}',
      service: 'forwarder',
      upstream: { targets: ['http://${HOST:-a}/v1'], path: '/b/{id}', headers },
    });
    expect(faults).toEqual([]);
    expect(endpoints[0]?.upstream).toEqual({
      targets: ['http://${HOST:-a}/v1'],
      path: '/b/{id}',
      headers,
      timeoutMs: 20_000,
      retries: 2,
    });
  });

  it('is required by a service that forwards and rejected for any other', () => {
    expect(faultsOf({ path: '/a', service: 'forwarder' })).toEqual([
      expect.stringContaining('/endpoints/0/upstream is missing'),
    ]);
    for (const service of ['raw', 'quote']) {
      expect(faultsOf({ path: '/a', service, upstream })).toEqual([
        expect.stringContaining('/upstream is not used by the service'),
      ]);
    }
  });

  it('has weights where targets differ, checks and a breaker with the defaults of the rest', () => {
    const { endpoints, faults } = read({
      path: '/a',
      service: 'forwarder',
      upstream: {
        targets: [{ url: 'https://a', weight: 3 }, 'https://b', { url: 'https://c' }],
        health: { path: '/up' },
        breaker: { failure_percent: 80 },
      },
    });
    expect(faults).toEqual([]);
    expect(endpoints[0]?.upstream).toMatchObject({
      targets: ['https://a', 'https://b', 'https://c'],
      weights: [3, 1, 1],
      health: { path: '/up', intervalMs: 5_000, timeoutMs: 1_000, unhealthyAfter: 3, healthyAfter: 2 },
      breaker: { window: 20, requestsMin: 5, failureShare: 0.8, openMs: 1_000, openMsMax: 30_000 },
    });
  });

  it('reports a fault in a weighted target as one of its field', () => {
    const targets = [{ url: 'http://a' }, { url: 'http://b', weight: 0 }, { url: 'http://c', weigth: 2 }];
    expect(faultsOf({ path: '/a', service: 'forwarder', upstream: { targets } })).toEqual([
      '/endpoints/0/upstream/targets/2/weigth There is no such field. Did you mean weight?',
      expect.stringMatching(/^\/endpoints\/0\/upstream\/targets\/1\/weight .*>=1\. Given: 0\. Share of the/),
    ]);
    const secrets = ['ftp://secret', { url: 'ftp://secret' }];
    expect(faultsOf({ path: '/a', service: 'forwarder', upstream: { targets: secrets } })).toEqual([
      expect.stringMatching(/targets\/0 It must be an address that begins with http:\/\/ or https:\/\/, (?!.*secret)/),
      expect.stringMatching(
        /targets\/1\/url It must be an address that begins with http:\/\/ or https:\/\/, (?!.*secret)/,
      ),
    ]);
  });

  it('is checked by its service', () => {
    expect(faultsOf({ path: '/a', service: 'forwarder', upstream: { ...upstream, retries: 6 } })).toEqual([
      '/endpoints/0/upstream/retries is too often',
    ]);
  });

  it.each([
    [{ path: '/b/{x}' }, '/upstream/path names {x}'],
    [{ breaker: { window: 4 } }, '/upstream/breaker/requests_min exceeds window (4)'],
    [{ breaker: { open_ms: 50_000 } }, '/upstream/breaker/open_ms exceeds open_ms_max (30000)'],
    [{ health: {} }, '/upstream/health/path It is required.'],
    [{ tls: { ca_file: 'ca.pem' } }, '/upstream/tls is used only with https addresses'],
    [
      { targets: ['https://a'], tls: { key_file: 'a.key' } },
      '/upstream/tls/certificate_file is missing: key_file needs it',
    ],
    [{ tls: { verify: false } }, '/upstream/tls/verify There is no such field.'],
    [{ auth: login, headers: { authorization: 'x' } }, '/upstream/headers/authorization is set by auth'],
    [{ auth: { ...login, client_id: 'a' } }, '/upstream/auth/client_id is used only by the type "client_credentials"'],
    [{ auth: { ...login, fields: {} } }, '/upstream/auth/fields is missing'],
    [{ auth: { ...login, fields: { a: '${' } } }, '/upstream/auth/fields/a has a ${ that is not'],
    [{ auth: { ...login, token_url: 'http://id', tls: {} } }, '/upstream/auth/tls is used only with https addresses'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, '/upstream/headers/x-a is the same header as X-A'],
    [{ path: '/b?x=1' }, '/upstream/path has the segment'],
    [{ path: '/../b' }, '/upstream/path has the segment'],
    [{ targets: ['ftp://a'] }, '/upstream/targets/0'],
    [{ targets: ['http://user:secret@a'] }, '/upstream/targets/0'],
    [{ targets: ['http://${a b}'] }, '/upstream/targets/0'],
    [{ targets: [] }, '/upstream/targets'],
    [{ targets: ['http://a', 'http://b', 'http://a'] }, '/upstream/targets/2 repeats targets[0]'],
    [{ targets: ['http://a', { url: 'http://A:80/', weight: 2 }] }, '/upstream/targets/1 repeats targets[0]'],
    [{ targets: ['http://${A}', 'http://${A}'] }, '/upstream/targets/1 repeats targets[0]'],
    [{ headers: { 'a b': '' } }, '/upstream/headers/a b is not a valid header name'],
    [{ headers: { 'Content-Length': '1' } }, '/upstream/headers/Content-Length is set by the gateway'],
    [{ headers: { a: 'b\r\nc: d' } }, '/upstream/headers/a contains characters'],
    [{ headers: { a: '${' } }, '/upstream/headers/a has a ${'],
    [{ retrys: 1 }, '/upstream'],
  ])('with %j is reported at its path', (change, fault) => {
    const faults = faultsOf({ path: '/a', service: 'forwarder', upstream: { ...upstream, ...change } });
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults.join()).not.toContain('secret');
  });
});

describe('WebSockets', () => {
  const faults = (more: object, websocket: object = {}) =>
    faultsOf({ path: '/a', service: 'http', upstream: { ...upstream, websocket }, ...more });

  it('are read with their defaults, and described', () => {
    const { endpoints } = read({ path: '/a', service: 'http', upstream: { ...upstream, websocket: {} } });
    expect(endpoints[0]?.upstream?.webSocket).toEqual({ origins: [], connectionsMax: 1_000, idleMs: 60_000 });
    const operation = endpointsToOpenApi(endpoints).paths['/a']?.get;
    expect(operation).toMatchObject({ 'x-websocket': true, responses: { 101: {}, 426: {} } });
  });

  it.each([
    [{ method: 'POST' }, {}, '/method must be GET'],
    [{ cache_seconds: 1 }, {}, '/cache_seconds must be 0'],
    [{ service: 'forwarder' }, {}, '/upstream/websocket is not used by the service forwarder'],
    [{}, { origins: ['app.example'] }, '/upstream/websocket/origins/0 It must be * or an origin'],
    [{}, { origins: ['https://app.example:443'] }, '/upstream/websocket/origins/0 Browsers never send'],
    [{}, { connections_max: 0 }, '/upstream/websocket/connections_max'],
    [{}, { idle_ms: -1 }, '/upstream/websocket/idle_ms'],
    [{}, { ping: 1 }, '/upstream/websocket'],
  ])('with %j and %j are reported at their path', (more, websocket, fault) => {
    expect(faults(more, websocket)).toEqual([expect.stringContaining(fault)]);
  });
});

describe('a raw service', () => {
  it('accepts any path parameter, query and body, and returns anything', () => {
    const { endpoints } = read({ path: '/a/{x}/{y}', service: 'forwarder', method: 'DELETE', upstream });
    const operation = endpointsToOpenApi(endpoints).paths['/a/{x}/{y}']?.delete;
    expect(operation?.parameters?.map(({ name, in: place }) => [name, place])).toEqual([
      ['x', 'path'],
      ['y', 'path'],
      ['query', 'query'],
    ]);
    expect(operation?.requestBody).toMatchObject({ content: { '*/*': {} } });
    expect(Object.keys(operation?.responses['502']?.content as object)).toEqual(['*/*', 'application/problem+json']);
    expect(Object.keys(operation?.responses.default?.content as object)).toEqual(['*/*', 'application/problem+json']);
  });

  it('has no body if the method has none', () => {
    const { endpoints } = read({ path: '/a', service: 'raw' });
    expect(endpointsToOpenApi(endpoints).paths['/a']?.get).not.toHaveProperty('requestBody');
  });
});

describe('cache_seconds', () => {
  it('requires GET', () => {
    expect(faultsOf({ path: '/a', service: 'raw', method: 'POST', cache_seconds: 1 })).toEqual([
      expect.stringContaining('/endpoints/0/cache_seconds must be 0 unless the method is GET'),
    ]);
  });

  it('is at least cache_default_seconds', () => {
    const endpoint = { path: '/a', service: 'raw', cache_seconds: 5 };
    expect(read(endpoint).endpoints[0]).toMatchObject({ cacheSeconds: 5, cacheDefaultSeconds: 5 });
    const apart = { ...endpoint, cache_default_seconds: 0 };
    expect(read(apart).endpoints[0]).toMatchObject({ cacheSeconds: 5, cacheDefaultSeconds: 0 });
    expect(faultsOf({ ...endpoint, cache_default_seconds: 6 })).toEqual([
      expect.stringContaining(
        '/endpoints/0/cache_default_seconds exceeds cache_seconds (5). Set cache_seconds to at least 6.',
      ),
    ]);
  });

  it('adds a 304 response', () => {
    const { endpoints } = read({ path: '/a', service: 'quote', cache_seconds: 1 }, { path: '/b', service: 'quote' });
    const { paths } = endpointsToOpenApi(endpoints);
    expect(
      [paths['/a']?.get?.responses, paths['/b']?.get?.responses].map((r) => r !== undefined && '304' in r),
    ).toEqual([true, false]);
  });
});

describe('fillTemplate', () => {
  it.each([
    ['a ${X} b ${X}', { X: '1' }, 'a 1 b 1', []],
    ['${X:-d}', {}, 'd', []],
    ['${X:-d}', { X: '' }, 'd', []],
    ['${X:-}', {}, '', []],
    ['${X:-a:-b/c}', {}, 'a:-b/c', []],
    ['${X}${Y}', { X: '' }, '', ['X', 'Y']],
    ['$X {X} $${X}', { X: '$&${Y}' }, '$X {X} $$&${Y}', []],
  ] as const)('fills %s with %j', (template, env, value, missing) => {
    expect(fillTemplate(template, env)).toEqual({ value, missing });
  });
});
