import { describe, expect, it } from 'vitest';
import { greet, quote, services } from '../test/services.ts';
import { parseEndpoints } from './parse-endpoints.ts';

const parse = (...endpoints: unknown[]) => parseEndpoints({ endpoints }, services);
const faultsOf = (...endpoints: unknown[]) =>
  parse(...endpoints).faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
const good = { path: '/api/quote', service: 'quote' };

it('reports objects that have no text, anywhere in an entry', () => {
  const hostile = JSON.parse('{ "toString": "text", "valueOf": 1, "__proto__": 2, "constructor": 3 }');
  const names = [
    ...['path', 'method', 'methods', 'service', 'enabled', 'requires_auth', 'api_keys', 'auth', 'description', 'tags'],
    ...[
      'scopes',
      'rate_limit_per_minute',
      'rate_limit',
      'cache_seconds',
      'cache',
      'parameters',
      'upstream',
      'policies',
    ],
    ...[
      'contract',
      'plans',
      'timeout_ms',
      'body',
      'response',
      'responses',
      'claims',
      'streams',
      'summary',
      'operation_id',
    ],
  ];
  const nested = { targets: [hostile], path: hostile, document: hostile, operation_id: hostile, source: hostile };
  for (const name of names) {
    for (const value of [hostile, [hostile], { symbol: hostile }, nested, [nested], { symbol: nested }]) {
      expect(faultsOf({ ...good, [name]: value }).length, name).toBeGreaterThan(0);
    }
  }
  for (const other of [{ policies: { a: hostile } }, { policies_for_all: [hostile] }, { mcp: hostile }, hostile]) {
    expect(parseEndpoints({ endpoints: [good], ...other }, services).faults.length).toBeGreaterThan(0);
  }
  expect(faultsOf(hostile).length).toBeGreaterThan(0);
});

describe('parseEndpoints', () => {
  it('reads an entry with every field', () => {
    const { endpoints, faults } = parse({
      path: '/api/quotes/{coin}',
      method: 'get',
      service: 'QUOTE',
      enabled: true,
      requires_auth: true,
      api_keys: 'a,b',
      description: 'Long text.',
      summary: 'Short text',
      tags: ['coins'],
      scopes: ['quotes'],
      rate_limit_per_minute: 10,
      cache_seconds: 30,
      parameters: { symbol: { source: 'path', key: 'coin' }, days: 7 },
    });
    expect(faults).toEqual([]);
    expect(endpoints).toEqual([
      {
        operationId: 'getApiQuotesByCoin',
        method: 'get',
        path: '/api/quotes/{coin}',
        service: quote,
        requiresAuth: true,
        acceptsKeys: true,
        issuers: [],
        apiKeys: 'a,b',
        scopes: ['quotes'],
        rateLimitPerMinute: 10,
        policies: [],
        cacheSeconds: 30,
        cacheDefaultSeconds: 30,
        upstream: undefined,
        contract: undefined,
        operation: undefined,
        description: 'Long text.',
        summary: 'Short text',
        tags: ['coins'],
        arguments: [
          { name: 'symbol', source: 'path', key: 'coin' },
          { name: 'days', source: 'configuration', value: 7 },
        ],
      },
    ]);
  });

  it('fills in a minimal entry from its service', () => {
    expect(parse(good).endpoints[0]).toMatchObject({
      method: 'get',
      requiresAuth: false,
      summary: 'Price of a coin',
      description: 'Price of a coin',
      tags: [],
      arguments: [
        { name: 'symbol', source: 'query', key: 'symbol' },
        { name: 'days', source: 'query', key: 'days' },
      ],
    });
  });

  it('reads a parameter from the path if the path names it', () => {
    expect(parse({ ...good, path: '/api/{symbol}' }).endpoints[0]?.arguments[0]).toEqual({
      name: 'symbol',
      source: 'path',
      key: 'symbol',
    });
  });

  it('ignores notes, and checks only the form of disabled entries', () => {
    const { endpoints, faults } = parseEndpoints(
      {
        $schema: './x.json',
        _comment: 'ours',
        endpoints: [
          { ...good, _note: 1 },
          { path: '/api/later', service: 'not written yet', enabled: false },
          { ...good, path: '/api/noted', upstream: { _why: 'tests', targets: ['http://127.0.0.1:1'] }, enabled: false },
        ],
      },
      services,
    );
    expect(faults).toEqual([]);
    expect(endpoints).toHaveLength(1);
  });

  it('returns no endpoints and no faults for an empty file', () => {
    expect(parseEndpoints({}, services)).toEqual({ endpoints: [], faults: [] });
  });

  it('reports all faults of all entries at once', () => {
    expect(
      faultsOf(
        { path: 'x', service: 'qoute' },
        good,
        { path: '/b', service: 7, methode: 'GET' },
        { ...good, method: 'FETCH' },
      ),
    ).toEqual([
      expect.stringMatching(/^\/endpoints\/0\/path It must begin with \/\. Given: "x"\. /),
      '/endpoints/2/methode There is no such field. Did you mean methods or method?',
      expect.stringMatching(/^\/endpoints\/2\/service Expected string, received number\. Given: 7\. /),
      expect.stringMatching(/^\/endpoints\/3\/method /),
    ]);
  });

  it.each([
    ['an unknown service', { service: 'qoute' }, '/service "qoute" does not exist. Did you mean Quote?'],
    [
      'a service without a similar name',
      { service: 'weather' },
      '/service "weather" does not exist. Known services: Quote, greet.',
    ],
    ['an invalid path', { path: '/api//x' }, '/path has an empty segment: write no // and no / at the end'],
    ['a built-in path', { path: '/health' }, '/path collides with the built-in /health'],
    ['a path under a built-in one', { path: '/docs/mine' }, '/path collides with the built-in /docs/{asset}'],
    ['a path that matches built-in ones', { path: '/{symbol}' }, '/path collides with the built-in /endpoints'],
    ['keys on an open endpoint', { api_keys: 'k' }, '/requires_auth must be true when api_keys are set'],
    [
      'an unknown parameter',
      { parameters: { symbl: 'BTC' } },
      '/parameters/symbl is not a parameter of the service Quote. Did you mean symbol?',
    ],
    ['a value that its schema rejects', { parameters: { days: 99 } }, '/parameters/days Too big'],
    [
      'a mapping to a missing path parameter',
      { parameters: { symbol: { source: 'path', key: 'coin' } } },
      '/parameters/symbol/key is not a {parameter} of the path.',
    ],
    ['an unused path parameter', { path: '/api/{smybol}' }, '/path {smybol} is not used by the service'],
    [
      'an invalid source',
      { parameters: { symbol: { source: 'body', key: 'x' } } },
      '/parameters/symbol/source Expected one of "query"|"path"|"header"|"cookie"',
    ],
    [
      'a header that OpenAPI ignores',
      { parameters: { symbol: { source: 'header', key: 'accept' } } },
      '/parameters/symbol/key cannot be a parameter: OpenAPI ignores it as a parameter',
    ],
    [
      'a header with the key of the gateway',
      { parameters: { symbol: { source: 'header', key: 'X-API-Key' } } },
      "/parameters/symbol/key cannot be a parameter: it is the gateway's own key",
    ],
    [
      'a hop-by-hop header',
      { parameters: { symbol: { source: 'header', key: 'Transfer-Encoding' } } },
      '/parameters/symbol/key cannot be a parameter: it belongs to the connection',
    ],
    [
      'an invalid name of a cookie',
      { parameters: { symbol: { source: 'cookie', key: 'a=b' } } },
      '/parameters/symbol/key is not a valid name of a cookie',
    ],
    [
      'one header for two arguments',
      { parameters: { symbol: { source: 'header', key: 'X-A' }, days: { source: 'header', key: 'x-a' } } },
      '/parameters maps "symbol" and "days" to the same header parameter "x-a"',
    ],
    [
      'one query parameter for two arguments',
      { parameters: { symbol: { source: 'query', key: 'days' } } },
      '/parameters maps "symbol" and "days" to the same query parameter "days"',
    ],
  ])('reports %s', (_, change, fault) => {
    const { endpoints, faults } = parse({ ...good, ...change });
    expect(endpoints).toEqual([]);
    expect(faults.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
      expect.stringContaining(`/endpoints/0${fault}`),
    ]);
  });

  it('requires configuration parameters, and a method with a body if the service requires one', () => {
    expect(faultsOf({ path: '/hi', service: 'greet' })).toEqual([
      '/endpoints/0/method must be POST, PUT or PATCH: the service greet requires a body',
      '/endpoints/0/parameters must contain "greeting", which the service greet requires',
    ]);
    const taken = {
      path: '/hi',
      method: 'POST',
      service: 'greet',
      parameters: { greeting: { source: 'query', key: 'g' } },
    };
    expect(faultsOf(taken)).toEqual([
      '/endpoints/0/parameters/greeting must be a value: this parameter is never read from the request',
    ]);
    expect(parse({ ...taken, parameters: { greeting: 'Hello' } }).endpoints[0]?.service).toBe(greet);
  });

  it('reports the second of two entries for one route, with any parameter names', () => {
    const mapped = (coin: string) => ({
      path: `/q/{${coin}}`,
      service: 'quote',
      parameters: { symbol: { source: 'path', key: coin } },
    });
    expect(faultsOf(good, good)).toEqual(['/endpoints/1 repeats GET /api/quote of endpoints[0]']);
    expect(faultsOf(mapped('a'), { ...mapped('b'), method: 'POST' })).toEqual([
      '/endpoints/1/path matches the same requests as /q/{a}: use the same parameter names',
    ]);
    expect(faultsOf(good, { ...good, method: 'POST' }, { ...good, enabled: false })).toEqual([]);
  });

  it('reads an entry with several methods as one endpoint for each', () => {
    const { endpoints, faults } = parse({ ...good, methods: ['get', 'DELETE'], cache_seconds: 30 });
    expect(faults).toEqual([]);
    expect(endpoints).toMatchObject([
      { operationId: 'getApiQuote', method: 'get', cacheSeconds: 30, cacheDefaultSeconds: 30 },
      { operationId: 'deleteApiQuote', method: 'delete', cacheSeconds: 0, cacheDefaultSeconds: 0 },
    ]);
    const contract = { document: 'x.json', operation_id: 'a' };
    expect(faultsOf({ ...good, methods: ['GET'], method: 'GET' })).toEqual([
      '/endpoints/0/method is set beside methods: write one of them',
    ]);
    expect(faultsOf({ ...good, methods: ['GET', 'GET'] })).toEqual(['/endpoints/0/methods names a method twice']);
    expect(faultsOf({ ...good, methods: ['PUT', 'DELETE'], cache_seconds: 1 })).toEqual([
      '/endpoints/0/cache_seconds must be 0 unless the methods contain GET: only responses to GET are cached',
    ]);
    expect(faultsOf({ ...good, methods: ['GET', 'PUT'], contract })[0]).toBe(
      '/endpoints/0/contract describes one operation: write one entry for each method',
    );
    expect(faultsOf({ ...good, methods: [] })).toEqual([expect.stringContaining('/endpoints/0/methods ')]);
    expect(faultsOf({ ...good, methods: ['GET', 'PUT'] }, { ...good, method: 'PUT' })).toEqual([
      '/endpoints/1 repeats PUT /api/quote of endpoints[0]',
    ]);
  });

  it('reports a fault of several methods once', () => {
    expect(faultsOf({ path: '/x', service: 'qoute', methods: ['GET', 'PUT'] })).toHaveLength(1);
    expect(faultsOf({ path: '/hi', service: 'greet', methods: ['GET', 'DELETE', 'POST'] })).toEqual([
      '/endpoints/0/methods must be POST, PUT or PATCH: the service greet requires a body',
      '/endpoints/0/parameters must contain "greeting", which the service greet requires',
    ]);
  });

  it('reports a prefix with the OpenAPI path of another entry, or over a built-in path', () => {
    const prefix = { path: '/q/{symbol*}', service: 'quote' };
    expect(faultsOf(prefix, { path: '/q/{symbol}', service: 'quote', method: 'POST' })).toEqual([
      '/endpoints/1/path is the same OpenAPI path as /q/{symbol*}: /q/{symbol*} also matches the requests for /q/{symbol}. Remove one of them, or add a literal segment to one',
    ]);
    expect(faultsOf({ path: '/docs/{symbol*}', service: 'quote' })).toEqual([
      '/endpoints/0/path collides with the built-in /docs/{asset}: begin it with a segment of its own, as in /api/{symbol*}',
    ]);
    expect(faultsOf(prefix, { path: '/q/now', service: 'quote' }, { ...prefix, path: '/q/all/{symbol*}' })).toEqual([]);
  });

  it('reports two services with one name', () => {
    expect(parseEndpoints({}, [quote, { ...quote, name: 'quote' }]).faults).toEqual([
      { pointer: '', detail: 'Two services have the name Quote: rename one.' },
    ]);
  });

  it.each([null, [], 'x', { endpoints: {} }, { endpoints: [null] }, { endpoint: [] }])(
    'rejects %j without throwing',
    (value) => {
      expect(parseEndpoints(value, services).faults.length).toBeGreaterThan(0);
    },
  );
});
