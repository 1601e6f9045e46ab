import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ConfigError } from '@rostergate/config';
import { describe, expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { configure, problemOf, startGateway, withKey } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const files = (value: object) => ({ 'endpoints.json': JSON.stringify(value) });
const fixed = (more: object = {}) => ({ path: '/a', service: 'static', parameters: { answer: 1 }, ...more });
const forwarded = (target: string, more: object = {}) => ({
  path: '/up',
  service: 'http',
  upstream: { targets: [target] },
  ...more,
});

/** Sends header lines unchanged; fetch would join or reject some of them. */
async function get(url: string, headers: readonly string[] = []) {
  const sent = request(url, { headers: headers as string[] });
  const [response] = await new Promise<[import('node:http').IncomingMessage]>((resolve, reject) =>
    sent
      .once('response', (incoming) => resolve([incoming]))
      .once('error', reject)
      .end(),
  );
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('a policy of the type addresses', () => {
  const denying = { policies: { office: { type: 'addresses', allow: ['10.0.0.0/8'] } } };

  it('rejects an address that is not allowed, and no header changes that', async () => {
    const origin = await startOrigin();
    const { url } = await startForwarding({
      files: files({ ...denying, endpoints: [forwarded(origin.url, { policies: ['office'] })] }),
    });
    const rejected = await fetch(`${url}/up`);
    expect(await problemOf(rejected)).toMatchObject({ answered: 403, code: 'address_denied' });
    for (const claimed of [
      '10.0.0.1',
      '::ffff:10.0.0.1',
      '[::ffff:10.0.0.1]:80',
      '10.0.0.1, 10.0.0.2',
      '127.0.0.1, 10.0.0.1',
    ]) {
      for (const name of ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP']) {
        expect((await fetch(`${url}/up`, { headers: { [name]: claimed } })).status, `${name}: ${claimed}`).toBe(403);
      }
      expect((await fetch(`${url}/up`, { headers: { Forwarded: `for="${claimed}"` } })).status).toBe(403);
    }
    expect(origin.seen).toEqual([]);
  });

  it('checks the address that a trusted proxy reports, in any spelling', async () => {
    const { url } = await startGateway({
      settings: { trusted_proxies: ['127.0.0.0/8'] },
      files: files({
        policies: { office: { type: 'addresses', allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.0.0.66'] } },
        endpoints: [fixed({ policies: ['office'] })],
      }),
    });
    const status = async (list: string) => (await fetch(`${url}/a`, { headers: { 'X-Forwarded-For': list } })).status;
    expect(await status('10.1.2.3')).toBe(200);
    expect(await status('::ffff:10.1.2.3')).toBe(200);
    expect(await status('0:0:0:0:0:FFFF:0a01:0203')).toBe(200);
    expect(await status('2001:DB8::1')).toBe(200);
    expect(await status('10.0.0.66')).toBe(403);
    expect(await status('::ffff:10.0.0.66')).toBe(403);
    expect(await status('10.1.2.3, 192.0.2.1'), 'the client wrote the first entry').toBe(403);
    expect(await status('10.1.2.3, 192.0.2.1, 127.0.0.2')).toBe(403);
    expect((await fetch(`${url}/a`)).status, 'the proxy itself').toBe(403);
  });

  it('rejects before the key is checked and without counting the request', async () => {
    const { fetch } = await startGateway({
      settings: { rate_limit_enabled: true, rate_limit_per_minute: 2 },
      files: files({ ...denying, endpoints: [fixed({ policies: ['office'], requires_auth: true })] }),
    });
    for (let i = 0; i < 5; i++) {
      const rejected = await fetch('/a', { headers: { 'X-API-Key': 'unknown' } });
      expect([rejected.status, rejected.headers.get('ratelimit')]).toEqual([403, null]);
    }
    expect((await fetch('/health')).status).toBe(200);
    expect(await (await fetch('/metrics')).text()).toContain(
      'policy_rejections_total{policy="office",outcome="rejected"} 5',
    );
  });
});

describe('a policy of the type headers', () => {
  const policies = {
    tidy: {
      type: 'headers',
      request: {
        set: { 'X-Owner': '{owner}', 'X-Who': '{key} from {address} for {operation}', 'X-Fixed': 'yes' },
        add: { 'X-List': 'ours' },
        remove: ['Cookie', 'user-agent'],
      },
      response: {
        set: { 'X-Served': '{request_id}', 'Cache-Control': 'no-cache' },
        add: { 'x-up': 'more' },
        remove: ['x-internal'],
      },
    },
  };

  it('that sets Authorization is a fault beside credentials of the upstream', async () => {
    const auth = { type: 'client_credentials', token_url: 'http://a/token', client_id: 'a', client_secret: 'b' };
    const read = configure({
      files: files({
        policies: { own: { type: 'headers', request: { set: { authorization: 'Bearer {owner}' } } } },
        policies_for_all: ['own'],
        endpoints: [forwarded('http://a', { upstream: { targets: ['http://a'], auth } }), fixed()],
      }),
    });
    await expect(read).rejects.toThrow('endpoints[0].upstream.auth: sets Authorization, as the policy "own" does');
  });

  it('changes the request to the upstream: the own copy of a client never arrives', async () => {
    const origin = await startOrigin();
    const { url } = await startForwarding({
      files: files({ policies, endpoints: [forwarded(origin.url, { policies: ['tidy'] })] }),
    });
    const forged = [
      'X-Owner',
      'admin',
      'x-owner',
      'root',
      'X-OWNER',
      '',
      'X-List',
      'theirs',
      'Cookie',
      'a=1',
      'X-Fixed',
      'no',
    ];
    await get(`${url}/up`, ['Host', 'a', ...forged]);
    await get(`${url}/up`, ['Host', 'a', ...forged, 'X-API-Key', String(withKey.headers['X-API-Key'])]);
    await get(`${url}/up`, ['Host', 'a', ...forged, 'Connection', 'close, x-owner, x-fixed']);
    const [anonymous, known, hopping] = origin.seen.map(({ headers }) => headers);
    expect(anonymous).toMatchObject({ 'x-fixed': 'yes', 'x-list': 'theirs, ours' });
    expect(anonymous).not.toHaveProperty('x-owner');
    expect(anonymous).not.toHaveProperty('x-who');
    expect(anonymous).not.toHaveProperty('cookie');
    const { name } = (await (await fetch(`${url}/auth/status`, withKey)).json()) as { name: string };
    expect(known).toMatchObject({ 'x-owner': name, 'x-who': `${name} from 127.0.0.1 for getUp`, 'x-fixed': 'yes' });
    expect(hopping).toMatchObject({ 'x-fixed': 'yes' });
    expect(hopping).not.toHaveProperty('x-owner');
  });

  it('changes the response, cached or not, and leaves errors of the gateway', async () => {
    const origin = await startOrigin((_seen, _req, res) => {
      res.writeHead(200, {
        'Cache-Control': 'max-age=60',
        'X-Up': 'one',
        'X-Internal': 'secret',
        'Content-Type': 'text/plain',
      });
      res.end('ok');
    });
    const { fetch } = await startForwarding({
      files: files({
        policies,
        endpoints: [forwarded(origin.url, { policies: ['tidy'], cache_seconds: 60, requires_auth: true })],
      }),
    });
    for (let i = 0; i < 2; i++) {
      const response = await fetch('/up', withKey);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-up': 'one, more',
        'cache-control': 'no-cache',
        'x-served': response.headers.get('x-request-id'),
      });
      expect(response.headers.get('x-internal')).toBeNull();
    }
    expect(origin.seen).toHaveLength(1);
    expect((await fetch('/up')).headers.get('x-served')).toBeNull();
  });

  it('keeps the cached responses of each value of a request header apart', async () => {
    const origin = await startOrigin((seen, _req, res) => res.end(String(seen.headers['x-client'])));
    const { url } = await startForwarding({
      settings: { trusted_proxies: ['127.0.0.0/8'] },
      files: files({
        policies: { client: { type: 'headers', request: { set: { 'X-Client': '{address}' } } } },
        endpoints: [forwarded(origin.url, { policies: ['client'], cache_seconds: 60 })],
      }),
    });
    const from = async (address: string) =>
      (await fetch(`${url}/up`, { headers: { 'X-Forwarded-For': address } })).text();
    expect([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.1')]).toEqual([
      '192.0.2.1',
      '192.0.2.2',
      '192.0.2.1',
    ]);
    expect(origin.seen).toHaveLength(2);
  });

  it('marks responses that differ by key or address, on a public endpoint too', async () => {
    const origin = await startOrigin((seen, _req, res) => {
      res.writeHead(200, { 'Cache-Control': 'public, max-age=60' });
      res.end(String(seen.headers['x-owner']));
    });
    const policies = {
      owner: { type: 'headers', request: { set: { 'X-Owner': '{owner}' } } },
      echo: { type: 'headers', response: { set: { 'X-Owner': 'of {key}' } } },
      fixed: { type: 'headers', request: { set: { 'X-Owner': 'all' } } },
      here: { type: 'addresses', allow: ['127.0.0.0/8'] },
    };
    const paths = { '/owner': ['owner'], '/echo': ['echo'], '/fixed': ['fixed'], '/here': ['here'] };
    for (const cache_seconds of [0, 60]) {
      const { fetch } = await startForwarding({
        files: files({
          policies,
          endpoints: Object.entries(paths).map(([path, names]) =>
            forwarded(origin.url, { path, policies: names, cache_seconds }),
          ),
        }),
      });
      const cachingOf = async (path: string, init?: RequestInit) => {
        const { headers } = await fetch(path, init);
        return [headers.get('cache-control'), headers.get('vary')];
      };
      for (const path of ['/owner', '/echo']) {
        expect(await cachingOf(path, withKey), path).toEqual(['private, max-age=60', 'Authorization, X-API-Key']);
        expect((await cachingOf(path))[1], path).toBe('Authorization, X-API-Key');
      }
      expect(await cachingOf('/here')).toEqual(['private, max-age=60', null]);
      expect(await cachingOf('/fixed', withKey)).toEqual(['public, max-age=60', null]);
    }
  });

  it('applies the rules of several policies in the order of the list', async () => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({
      files: files({
        policies: {
          one: { type: 'headers', request: { set: { 'X-A': '1', 'X-B': '1' } } },
          two: { type: 'headers', request: { set: { 'x-a': '2' }, add: { 'X-C': '2' } } },
          three: { type: 'headers', request: { remove: ['x-b'] } },
        },
        policies_for_all: ['one'],
        endpoints: [forwarded(origin.url, { policies: ['two', 'three'] })],
      }),
    });
    await fetch('/up', { headers: { 'X-A': '0', 'X-B': '0', 'X-C': '0' } });
    expect(origin.seen[0]?.headers).toMatchObject({ 'x-a': '2', 'x-c': '0, 2' });
    expect(origin.seen[0]?.headers).not.toHaveProperty('x-b');
  });
});

describe('a policy of the type cors', () => {
  it('replaces the origins of the server for its endpoints, in preflights, responses and errors', async () => {
    const { fetch } = await startGateway({
      settings: { cors_origins: ['https://server.example'] },
      files: files({
        policies: {
          app: { type: 'cors', origins: ['https://app.example'], max_age_seconds: 9 },
          none: { type: 'cors', origins: [] },
        },
        endpoints: [
          fixed({ policies: ['app'] }),
          fixed({ method: 'POST', requires_auth: true }),
          fixed({ path: '/none', policies: ['none'] }),
        ],
      }),
    });
    const allowed = async (path: string, method: string, origin: string) =>
      (await fetch(path, { method, headers: { Origin: origin } })).headers.get('access-control-allow-origin');
    expect(await allowed('/a', 'GET', 'https://app.example')).toBe('https://app.example');
    expect(await allowed('/a', 'GET', 'https://server.example')).toBeNull();
    expect(await allowed('/a', 'POST', 'https://app.example')).toBeNull();
    expect(await allowed('/a', 'POST', 'https://server.example')).toBe('https://server.example');
    expect(await allowed('/none', 'GET', 'https://server.example')).toBeNull();
    const preflight = async (path: string, method: string, Origin: string) => {
      const response = await fetch(path, {
        method: 'OPTIONS',
        headers: { Origin, 'Access-Control-Request-Method': method },
      });
      const { headers, status } = response;
      return [status, headers.get('access-control-allow-origin'), headers.get('access-control-max-age')];
    };
    expect(await preflight('/a', 'GET', 'https://app.example')).toEqual([204, 'https://app.example', '9']);
    expect(await preflight('/a', 'GET', 'https://server.example')).toEqual([204, null, null]);
    expect(await preflight('/a', 'POST', 'https://server.example')).toEqual([204, 'https://server.example', '600']);
    expect(await preflight('/none', 'GET', 'https://server.example')).toEqual([204, null, null]);
  });
});

describe('a policy of the type body_size', () => {
  it('413: rejects a longer body, with a length and in chunks', async () => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({
      files: files({
        policies: { small: { type: 'body_size', bytes_max: 10 }, smaller: { type: 'body_size', bytes_max: 5 } },
        endpoints: [
          forwarded(origin.url, { method: 'POST', policies: ['small'] }),
          { path: '/echo', method: 'POST', service: 'echo', policies: ['small', 'smaller'] },
        ],
      }),
    });
    const send = async (path: string, body: string) => {
      const headers = { 'Content-Type': 'application/json' };
      const chunks = new Blob([body]).stream();
      const known = (await fetch(path, { method: 'POST', headers, body })).status;
      const chunked = (await fetch(path, { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit))
        .status;
      return [known, chunked];
    };
    expect(await send('/up', '"12345678"')).toEqual([200, 200]);
    expect(await send('/up', '"123456789"')).toEqual([413, 413]);
    expect(await send('/echo', '{}')).toEqual([200, 200]);
    expect(await send('/echo', '{"a":1}')).toEqual([413, 413]);
  });
});

describe('policies of a configuration', () => {
  it('appear in the document and in the list of endpoints', async () => {
    const { fetch } = await startGateway({
      files: files({
        policies: {
          office: { type: 'addresses', allow: ['127.0.0.1'] },
          tidy: { type: 'headers', response: { set: { 'X-Served': 'yes' } } },
          small: { type: 'body_size', bytes_max: 10 },
        },
        policies_for_all: ['office'],
        endpoints: [fixed({ policies: ['small', 'tidy'] }), fixed({ path: '/b' })],
      }),
    });
    const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(paths['/a']).toMatchObject({
      get: {
        'x-policies': ['office', 'small', 'tidy'],
        'x-body-bytes-max': 10,
        responses: {
          200: { headers: { 'X-Served': { schema: { type: 'string' } } } },
          403: { description: 'The address of the client is not allowed.' },
        },
      },
    });
    expect(paths['/b']).toMatchObject({ get: { 'x-policies': ['office'] } });
    const { endpoints } = (await (await fetch('/endpoints')).json()) as { endpoints: { policies: string[] }[] };
    expect(endpoints.map(({ policies }) => policies)).toEqual([['office', 'small', 'tidy'], ['office']]);
  });

  const office = { type: 'addresses', allow: ['10.0.0.0/8'] };
  const headers = (rules: object) => ({ policies: { x: { type: 'headers', request: rules } } });
  it.each<[string, object, string | RegExp]>([
    ['an unknown name', { endpoints: [fixed({ policies: ['ofice'] })], policies: { office } }, 'Did you mean office?'],
    ['a name without policies', { policies_for_all: ['office'] }, 'The file has no policies'],
    [
      'a repeated name',
      { endpoints: [fixed({ policies: ['office', 'office'] })], policies: { office } },
      'repeats "office"',
    ],
    [
      'a name that is for all already',
      { endpoints: [fixed({ policies: ['office'] })], policies: { office }, policies_for_all: ['office'] },
      'is one of policies_for_all',
    ],
    ['an unknown type', { policies: { x: { type: 'adresses' } } }, 'Did you mean addresses?'],
    ['no type', { policies: { x: {} } }, 'Known types: addresses, headers'],
    ['a wrong field', { policies: { x: { type: 'addresses', alow: [] } } }, 'Did you mean allow?'],
    ['a list instead of policies', { policies: [] }, 'policies'],
    ['a wrong name', { policies: { '1 x': office } }, 'is not a valid name'],
    ['no address at all', { policies: { x: { type: 'addresses' } } }, 'has neither allow nor deny'],
    [
      'an address that is none',
      { policies: { x: { type: 'addresses', deny: ['10.0.0.0/33'] } } },
      '"10.0.0.0/33" is neither',
    ],
    ['a hop-by-hop field', headers({ set: { 'Transfer-Encoding': 'chunked' } }), 'is set by the gateway'],
    ['Host', headers({ set: { host: 'a' } }), 'is set by the gateway'],
    ['Content-Length', headers({ remove: ['CONTENT-LENGTH'] }), 'is set by the gateway'],
    ['a forwarded address', headers({ set: { 'X-Forwarded-For': '{address}' } }), 'is set by the gateway'],
    ['a name with a space', headers({ set: { 'X A': 'a' } }), 'is not a valid header name'],
    ['a value with a line break', headers({ set: { 'X-A': 'a\r\nX-B: b' } }), 'cannot carry'],
    ['an empty value', headers({ set: { 'X-A': ' ' } }), 'list the header in remove'],
    ['an unknown placeholder', headers({ set: { 'X-A': '{ownr}' } }), 'Did you mean owner?'],
    ['an environment variable', headers({ set: { 'X-A': '${KEY}' } }), 'upstream.headers'],
    ['a header in two rules', headers({ set: { 'X-A': 'a' }, remove: ['x-a'] }), 'the same header as in set'],
    [
      'a CORS header',
      { policies: { x: { type: 'headers', response: { set: { 'Access-Control-Allow-Origin': '*' } } } } },
      'use a policy of the type "cors"',
    ],
    ['an origin with a path', { policies: { x: { type: 'cors', origins: ['https://a.example/'] } } }, 'origin'],
    [
      'credentials for any origin',
      { policies: { x: { type: 'cors', origins: ['*'], credentials: true } } },
      'list the origins',
    ],
    [
      'two CORS policies',
      {
        endpoints: [fixed({ policies: ['x', 'y'] })],
        policies: { x: { type: 'cors', origins: [] }, y: { type: 'cors', origins: [] } },
      },
      'the second policy of the type "cors"',
    ],
    ['a size of 0', { policies: { x: { type: 'body_size', bytes_max: 0 } } }, 'bytes_max'],
    [
      'a module that is not there',
      { policies: { x: { type: 'code', module: 'x.ts' } } },
      'is not in the folder of services',
    ],
  ])('are rejected for %s, with the line', async (_case, value, detail) => {
    const error = await configure({ files: { 'endpoints.json': JSON.stringify(value, null, 2) } }).catch(
      (caught) => caught,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(/endpoints\.json:\d+:\d+/);
    expect(error.message).toContain(detail);
  });
});
