import { createHash } from 'node:crypto';
import type { Settings } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { configure, goodKey, type StartOptions } from '../../test/start-gateway.ts';
import type { Configuration } from '../sources/read-sources.ts';
import { diffConfigurations } from './diff-configurations.ts';
import { type Rule, rules } from './rules.ts';

interface Given {
  readonly settings?: StartOptions['settings'];
  readonly endpoints?: readonly object[];
  readonly policies?: object;
  readonly change?: (configuration: Configuration) => Partial<Configuration>;
}

async function load({
  settings = {},
  endpoints = [],
  policies = {},
  change = () => ({}),
}: Given): Promise<Configuration> {
  const configuration = await configure({
    settings: { rate_limit_enabled: true, ...settings },
    files: { 'endpoints.json': JSON.stringify({ endpoints, policies }) },
  });
  return { ...configuration, ...change(configuration) };
}

const echo = { path: '/echo', method: 'POST', service: 'echo', requires_auth: true };
const http = (upstream: object, more: object = {}) => ({ path: '/h/{id}', service: 'http', upstream, ...more });
const files = { path: '/files/{rest*}', methods: ['GET'], service: 'http', upstream: { targets: ['http://a'] } };
const key = (name: string, scopes: string[] = [], more: object = {}) => ({
  name,
  owner: name,
  scopes,
  sha256: createHash('sha256').update(name).digest('hex'),
  ...more,
});
const free = (perMinute: number, perHour: number): Settings['plans'][string] => ({
  limits: [
    { requests: perMinute, per: 'minute' },
    { requests: perHour, per: 'hour' },
  ],
});
const lister = { operation_id: 'listEndpoints', name: 'endpoints' };
const hourly: Settings['plans'][string] = { limits: [{ requests: 9, per: 'hour' }] };
const office = (block: string) => ({ office: { type: 'addresses', allow: [block] } });
const tidy = (value: string) => ({ tidy: { type: 'headers', request: { set: { 'X-A': value } } } });
const keys = (...list: ReturnType<typeof key>[]): Given => ({ change: () => ({ keys: list }) });
const endpointKeys = (...list: ReturnType<typeof key>[]): Given => ({
  endpoints: [echo],
  change: ({ endpoints }) => ({ endpointKeys: new Map(endpoints.map(({ operationId }) => [operationId, list])) }),
});
const tls: Given = { change: () => ({ tls: { certificate: 'c', key: 'k' } }) };

const portal = (more: object): Given => ({
  settings: {
    plans: { free: hourly },
    jwt_issuers: ['corp', 'other'].map((name) => ({ name, issuer: `https://${name}.example`, audiences: ['a'] })),
    portal: { issuer: 'corp', client_id: 'portal', base_url: 'https://api.example', ...more },
    portal_client_secret: 'a-secret-of-the-developer-portal',
  },
});
const usage = (more: object): Given => ({
  settings: { usage: { file: '/tmp/a.sqlite', flush_seconds: 10, keep_days: 400, ...more } },
});
const corp = { name: 'corp', issuer: 'https://id.example', audiences: ['a'] };

/** A change of each field of an issuer. */
function issuerCases(): (typeof cases)[number][] {
  const wider: readonly (readonly [object, Rule, Rule])[] = [
    [{ owner_claim: 'client_id' }, 'issuer-replaced', 'issuer-replaced'],
    [{ scopes_claim: 'scp' }, 'issuer-replaced', 'issuer-replaced'],
    [{ audiences: ['a', 'b'] }, 'issuer-relaxed', 'issuer-tightened'],
    [{ algorithms: ['RS256', 'ES256', 'PS256'] }, 'issuer-relaxed', 'issuer-tightened'],
    [{ token_types: ['at+jwt', 'JWT'] }, 'issuer-relaxed', 'issuer-tightened'],
    [{ clock_tolerance_seconds: 60 }, 'issuer-relaxed', 'issuer-tightened'],
    [{ jwks_url: 'https://id.example/keys' }, 'issuer-keys-changed', 'issuer-keys-changed'],
    [{ keys_refresh_seconds: 60 }, 'issuer-keys-changed', 'issuer-keys-changed'],
    [{ keys_stale_seconds_max: 3600 }, 'issuer-keys-changed', 'issuer-keys-changed'],
  ];
  const other = { settings: { jwt_issuers: [{ ...corp, issuer: 'https://other.example' }] } };
  const ways: Rule[] = ['issuer-replaced', 'key-way-added', 'key-way-removed'];
  return [
    ['issuer of an issuer', ways, ways, { settings: { jwt_issuers: [corp] } }, other],
    ...wider.map(([field, there, back]): (typeof cases)[number] => [
      `${Object.keys(field)[0]} of an issuer`,
      [there],
      [back],
      { settings: { jwt_issuers: [corp] } },
      { settings: { jwt_issuers: [{ ...corp, ...field }] } },
    ]),
  ];
}

/** The rules of a change, and of its reverse. */
const cases: readonly (readonly [what: string, there: Rule[], back: Rule[], old: Given, next: Given])[] = [
  ['an endpoint', ['endpoint-added'], ['endpoint-removed'], {}, { endpoints: [echo] }],
  [
    'the key of an endpoint',
    ['key-needed'],
    ['key-not-needed'],
    { endpoints: [{ ...echo, requires_auth: false }] },
    { endpoints: [echo] },
  ],
  [
    'scopes and a limit of an endpoint',
    ['scope-added', 'error-added', 'limit-lowered'],
    ['scope-removed', 'error-removed', 'limit-raised'],
    { endpoints: [echo] },
    { endpoints: [{ ...echo, scopes: ['a'], rate_limit_per_minute: 5 }] },
  ],
  [
    'a method',
    ['endpoint-added'],
    ['endpoint-removed'],
    { endpoints: [files] },
    { endpoints: [{ ...files, methods: ['GET', 'PUT'] }] },
  ],
  [
    'a path that becomes a prefix',
    ['path-widened', 'upstream-changed'],
    ['path-narrowed', 'upstream-changed'],
    { endpoints: [{ ...files, path: '/files/{rest}' }] },
    { endpoints: [files] },
  ],
  [
    'an endpoint that a prefix without a key served',
    ['endpoint-added', 'key-needed', 'scope-added'],
    ['endpoint-removed', 'key-not-needed', 'scope-removed'],
    { endpoints: [files] },
    { endpoints: [files, { ...files, path: '/files/admin/{rest*}', requires_auth: true, scopes: ['admin'] }] },
  ],
  [
    'an endpoint within a prefix of more methods',
    ['endpoint-added', 'path-narrowed'],
    ['endpoint-removed', 'path-widened'],
    { endpoints: [{ ...files, methods: ['GET', 'PUT'] }] },
    {
      endpoints: [
        { ...files, methods: ['GET', 'PUT'] },
        { ...files, path: '/files/new' },
      ],
    },
  ],
  [
    'a router',
    ['router-switched-off'],
    ['router-switched-on'],
    {},
    { settings: { enabled_routers: ['health', 'metrics', 'auth'] } },
  ],
  ['a page', ['page-switched-off'], ['page-switched-on'], {}, { settings: { enable_redoc: false } }],
  [
    'the contract and its pages',
    ['page-switched-off', 'page-switched-off', 'page-switched-off'],
    ['page-switched-on', 'page-switched-on', 'page-switched-on'],
    {},
    { settings: { enable_openapi: false } },
  ],
  ['tools of agents', ['router-switched-on'], ['router-switched-off'], {}, { settings: { mcp: { tools: [lister] } } }],
  [
    'a tool',
    ['tool-added'],
    ['tool-removed'],
    { settings: { mcp: { tools: [lister] } } },
    { settings: { mcp: { tools: [lister, { operation_id: 'getHealth' }] } } },
  ],
  [
    'the description of a tool',
    ['tool-changed'],
    ['tool-changed'],
    { settings: { mcp: { tools: [lister] } } },
    { settings: { mcp: { tools: [{ ...lister, description: 'Endpoints.' }] } } },
  ],
  [
    'the operation of a tool',
    ['tool-replaced'],
    ['tool-replaced'],
    { settings: { mcp: { tools: [lister] } } },
    { settings: { mcp: { tools: [{ ...lister, operation_id: 'getHealth' }] } } },
  ],
  [
    'the limits of tools',
    ['setting-tightened', 'setting-tightened', 'setting-relaxed'],
    ['setting-tightened', 'setting-relaxed', 'setting-relaxed'],
    { settings: { mcp: { tools: [lister] } } },
    {
      settings: {
        mcp: { tools: [lister], origins: ['https://a.example'], timeout_ms: 1_000, result_bytes_max: 2_000 },
      },
    },
  ],
  ['a limit', ['setting-tightened'], ['setting-relaxed'], {}, { settings: { rate_limit_per_minute: 30 } }],
  [
    'all limits',
    ['setting-relaxed', 'setting-relaxed'],
    ['setting-tightened', 'setting-tightened'],
    {},
    { settings: { rate_limit_enabled: false } },
  ],
  [
    'a plan',
    ['plan-added'],
    ['plan-removed'],
    {},
    { settings: { plans: { gold: { quota: { requests: 9, per: 'month' } } } } },
  ],
  [
    'the limits of a plan, once for everyone who has it',
    ['setting-tightened', 'setting-relaxed', 'setting-tightened'],
    ['setting-relaxed', 'setting-tightened', 'setting-relaxed'],
    { settings: { plans: { free: free(9, 9) }, default_plan: 'free', anonymous_plan: 'free' } },
    {
      settings: {
        plans: { free: { ...free(8, 10), quota: { requests: 9, per: 'day' } } },
        ...{ default_plan: 'free', anonymous_plan: 'free' },
      },
    },
  ],
  [
    'the plan of addresses and of keys without one',
    ['setting-tightened', 'setting-tightened', 'setting-tightened', 'setting-tightened'],
    ['setting-relaxed', 'setting-relaxed', 'setting-relaxed', 'setting-relaxed'],
    { settings: { plans: { free: free(9, 9) } } },
    { settings: { plans: { free: free(9, 9) }, default_plan: 'free', anonymous_plan: 'free' } },
  ],
  [
    'the plan of a key',
    ['key-plan-tightened', 'key-plan-relaxed'],
    ['key-plan-relaxed', 'key-plan-tightened'],
    { settings: { plans: { hourly } }, change: () => ({ keys: [key('a')] }) },
    {
      settings: { plans: { hourly } },
      change: () => ({ keys: [key('a', [], { plan: 'hourly' })] }),
    },
  ],
  ['the maximum body size', ['setting-tightened'], ['setting-relaxed'], {}, { settings: { body_bytes_max: 1000 } }],
  [
    'an origin',
    ['setting-relaxed'],
    ['setting-tightened'],
    {},
    { settings: { cors_origins: ['https://a.example.com'] } },
  ],
  ['TLS', ['protocol-changed'], ['protocol-changed'], {}, tls],
  ['the admin API', ['address-changed'], ['address-changed'], { settings: {} }, { settings: { admin_port: 9_001 } }],
  ['the port', ['address-changed'], ['address-changed'], { settings: { port: 1 } }, { settings: { port: 2 } }],
  [
    'an issuer',
    ['issuer-added', 'key-way-added'],
    ['issuer-removed', 'key-way-removed'],
    {},
    { settings: { jwt_issuers: [corp] } },
  ],
  [
    'a token as another way in',
    ['key-way-added'],
    ['key-way-removed'],
    { settings: { jwt_issuers: [corp] }, endpoints: [echo] },
    { settings: { jwt_issuers: [corp] }, endpoints: [{ ...echo, auth: ['key', 'jwt:corp'] }] },
  ],
  [
    'a token instead of a key',
    ['key-way-added', 'key-way-removed', 'key-way-removed'],
    ['key-way-added', 'key-way-added', 'key-way-removed'],
    { settings: { jwt_issuers: [corp] }, endpoints: [echo] },
    { settings: { jwt_issuers: [corp] }, endpoints: [{ ...echo, requires_auth: undefined, auth: ['jwt:corp'] }] },
  ],
  ...issuerCases(),
  ['keys', ['keys-added'], ['keys-removed'], keys(key('a')), keys(key('a'), key('b'))],
  ['a key that is revoked', ['keys-removed'], ['keys-added'], keys(key('a')), keys(key('a', [], { revokedAtMs: 1 }))],
  [
    'the expiry of a key',
    ['key-expires-sooner'],
    ['key-expires-later'],
    keys(key('a')),
    keys(key('a', [], { expiresAtMs: 1 })),
  ],
  [
    'the time at which a key of an endpoint expires',
    ['key-expires-later'],
    ['key-expires-sooner'],
    endpointKeys(key('a', [], { expiresAtMs: 1 })),
    endpointKeys(key('a', [], { expiresAtMs: 2 })),
  ],
  [
    'the scopes of a key',
    ['key-scopes-added'],
    ['key-scopes-removed'],
    keys(key('a', ['r'])),
    keys(key('a', ['r', 'w'])),
  ],
  [
    'keys of an endpoint',
    ['keys-added', 'keys-removed'],
    ['keys-added', 'keys-removed'],
    { endpoints: [{ ...echo, api_keys: 'one' }] },
    { endpoints: [{ ...echo, api_keys: 'two' }] },
  ],
  [
    'keys of an endpoint instead of the global ones',
    ['keys-added', 'keys-removed'],
    ['keys-added', 'keys-removed'],
    { endpoints: [echo] },
    { endpoints: [{ ...echo, api_keys: 'own' }] },
  ],
  [
    'an upstream',
    ['upstream-changed'],
    ['upstream-changed'],
    { endpoints: [http({ targets: ['http://a'] })] },
    { endpoints: [http({ targets: ['http://b'] })] },
  ],
  [
    'weights, health checks and breakers',
    ['upstream-handling-changed'],
    ['upstream-handling-changed'],
    { endpoints: [http({ targets: ['http://a', 'http://b'] })] },
    {
      endpoints: [
        http({
          targets: [{ url: 'http://a', weight: 2 }, 'http://b'],
          health: { path: '/up' },
          breaker: { window: 9 },
        }),
      ],
    },
  ],
  [
    'TLS and credentials of an upstream',
    ['upstream-handling-changed'],
    ['upstream-handling-changed'],
    { endpoints: [http({ targets: ['https://a'] })] },
    {
      endpoints: [
        http({
          targets: ['https://a'],
          tls: { server_name: 'b' },
          auth: { type: 'login', token_url: 'https://id/login', fields: { password: 'hush' } },
        }),
      ],
    },
  ],
  [
    'upstream settings that callers do not notice',
    [],
    [],
    { endpoints: [http({ targets: ['http://a'] })] },
    { endpoints: [http({ targets: ['http://a'], path: '/h/{id}', timeout_ms: 5, headers: { 'X-Key': 'hush' } })] },
  ],
  [
    'a limit of silence in streams',
    ['setting-relaxed'],
    ['setting-tightened'],
    { endpoints: [http({ targets: ['http://a'] })] },
    { endpoints: [http({ targets: ['http://a'], stream_idle_ms: 0 })] },
  ],
  [
    'WebSockets',
    ['protocol-changed', 'error-added', 'error-added'],
    ['protocol-changed', 'error-removed', 'error-removed'],
    { endpoints: [http({ targets: ['http://a'] })] },
    { endpoints: [http({ targets: ['http://a'], websocket: {} })] },
  ],
  [
    'the limits of WebSockets',
    ['setting-relaxed', 'setting-relaxed', 'setting-relaxed'],
    ['setting-tightened', 'setting-tightened', 'setting-tightened'],
    { endpoints: [http({ targets: ['http://a'], websocket: { connections_max: 10, idle_ms: 5 } })] },
    { endpoints: [http({ targets: ['http://a'], websocket: { connections_max: 20, idle_ms: 0, origins: ['*'] } })] },
  ],
  [
    'caching',
    ['cache-changed'],
    ['cache-changed'],
    { endpoints: [http({ targets: ['http://a'] })] },
    { endpoints: [http({ targets: ['http://a'] }, { cache_seconds: 5 })] },
  ],
  [
    'a policy that the endpoint lists',
    ['error-added', 'policy-added'],
    ['error-removed', 'policy-removed'],
    { endpoints: [echo], policies: office('10.0.0.0/8') },
    { endpoints: [{ ...echo, policies: ['office'] }], policies: office('10.0.0.0/8') },
  ],
  [
    'the settings of a policy',
    ['policy-changed'],
    ['policy-changed'],
    { endpoints: [{ ...echo, policies: ['office'] }], policies: office('10.0.0.0/8') },
    { endpoints: [{ ...echo, policies: ['office'] }], policies: office('10.0.0.0/9') },
  ],
  [
    'the values of headers',
    ['policy-changed'],
    ['policy-changed'],
    { endpoints: [{ ...echo, policies: ['tidy'] }], policies: tidy('a') },
    { endpoints: [{ ...echo, policies: ['tidy'] }], policies: tidy('b') },
  ],
  [
    'the limit of a body by a policy',
    ['body-limit-lowered'],
    ['body-limit-raised'],
    { endpoints: [{ ...echo, policies: ['small'] }], policies: { small: { type: 'body_size', bytes_max: 9 } } },
    { endpoints: [{ ...echo, policies: ['small'] }], policies: { small: { type: 'body_size', bytes_max: 8 } } },
  ],
  [
    'the portal',
    ['page-switched-on'],
    ['page-switched-off'],
    { settings: { ...portal({}).settings, portal: undefined } },
    portal({}),
  ],
  [
    'what the portal offers',
    ['setting-relaxed', 'setting-relaxed', 'setting-relaxed'],
    ['setting-tightened', 'setting-tightened', 'setting-tightened'],
    portal({}),
    portal({ plans: ['free'], scopes: ['read'], keys_max: 9 }),
  ],
  [
    'the issuer and the address of the portal',
    ['setting-tightened', 'setting-tightened'],
    ['setting-tightened', 'setting-tightened'],
    portal({}),
    portal({ issuer: 'other', base_url: 'https://b.example' }),
  ],
  ['the client of the portal', [], [], portal({}), portal({ client_id: 'b', client_authentication: 'post' })],
  ['usage', ['router-switched-on'], ['router-switched-off'], {}, usage({})],
  ['the age of usage', ['setting-tightened'], ['setting-relaxed'], usage({}), usage({ keep_days: 9 })],
  ['the file of usage', ['usage-store-changed'], ['usage-store-changed'], usage({}), usage({ file: '/tmp/b.sqlite' })],
  [
    'the database of usage',
    ['usage-store-changed'],
    ['usage-store-changed'],
    usage({}),
    { settings: { ...usage({}).settings, usage_store_url: 'postgres://a/b' } },
  ],
  ['the times at which usage is stored', [], [], usage({}), usage({ flush_seconds: 60 })],
  [
    'default freshness',
    ['cache-changed'],
    ['cache-changed'],
    { endpoints: [http({ targets: ['http://a'] }, { cache_seconds: 5 })] },
    { endpoints: [http({ targets: ['http://a'] }, { cache_seconds: 5, cache_default_seconds: 0 })] },
  ],
];

const rulesOf = (old: Configuration, next: Configuration) =>
  diffConfigurations(old, next).changes.map(({ rule }) => rule);

describe('diffConfigurations', () => {
  it.each(cases)('reports %s and its reverse', async (_, there, back, old, next) => {
    const [before, now] = [await load(old), await load(next)];
    expect(rulesOf(before, now).sort()).toEqual([...there].sort());
    expect(rulesOf(now, before).sort()).toEqual([...back].sort());
    expect(rulesOf(before, await load(old))).toEqual([]);
  });

  it('has a test for every rule of configurations', () => {
    const tested = new Set(cases.flatMap(([, there, back]) => [...there, ...back]));
    const known = (Object.keys(rules) as Rule[]).filter((rule) =>
      /^(router|page|tool|plan|keys|key-scopes|key-expires|key-plan|setting|protocol|address|service|upstream|cache|usage)-|^policy-changed$/.test(
        rule,
      ),
    );
    expect(known.filter((rule) => !tested.has(rule))).toEqual(['service-changed']);
  });

  it('reports another service at the same path', async () => {
    const old = await load({ endpoints: [{ path: '/a', service: 'crypto' }] });
    const next = await load({ endpoints: [{ path: '/a', service: 'static', parameters: { answer: 1 } }] });
    expect(diffConfigurations(old, next).changes).toContainEqual({
      kind: 'note',
      rule: 'service-changed',
      operation: 'GET /a',
      part: '',
      text: 'is handled by static, not by crypto',
    });
  });

  it('shows the names of keys, but no keys and no targets', async () => {
    const old = await load({ endpoints: [echo, http({ targets: ['http://secret-a'], headers: { A: 'hush' } })] });
    const next = await load({
      endpoints: [
        { ...echo, api_keys: 'own-key' },
        http({ targets: ['http://secret-b'], headers: { A: 'hush hush' } }),
      ],
    });
    const text = JSON.stringify(diffConfigurations(old, next));
    for (const secret of [goodKey, 'own-key', 'hush', 'secret-']) expect(text).not.toContain(secret);
    expect(text).toMatch(/a key is no longer accepted: [0-9a-f]{8}/);
  });

  it('reports when a key expires now, and which operation a tool calls now', async () => {
    const [old, next] = [
      await load({ ...keys(key('a')), settings: { mcp: { tools: [lister] } } }),
      await load({
        ...keys(key('a', [], { expiresAtMs: Date.UTC(2026, 10, 28) })),
        settings: { mcp: { tools: [{ ...lister, operation_id: 'getHealth' }] } },
      }),
    ];
    const textsOf = (...sides: [Configuration, Configuration]) =>
      diffConfigurations(...sides).changes.map(({ text }) => text);
    expect(textsOf(old, next)).toEqual([
      'calls getHealth, not listEndpoints',
      'the key a expires at 2026-11-28T00:00:00.000Z, not never',
    ]);
    expect(textsOf(next, old)).toContain('the key a expires never, not at 2026-11-28T00:00:00.000Z');
  });
});
