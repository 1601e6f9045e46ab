import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { whenAllEnd } from '../at-end.ts';
import { runRostergate } from '../run-rostergate.ts';
import { bearer, corp, createSigningKey, signToken } from '../stand-in-issuer.ts';
import { goodKey, withKey } from '../start-gateway.ts';
import { startOrigin, startRawOrigin } from '../start-origin.ts';
import { renameOver } from './edit-styles.ts';
import { type GatewayProcess, makeFolder, put, startGateway, until } from './gateway-process.ts';

const settings = { rate_limit_enabled: false, service_timeout_ms: 500 };
const settingsOf = (more: object) => ({ ...settings, ...more });

const policy = (text: string) => `import { definePolicy, Problem, z } from 'rostergate';
export default definePolicy({ ${text} });
`;

/** Returns an endpoint with this policy, at its name. */
const forwardingTo = (target: string, name: string) => ({
  path: `/${name}`,
  service: 'http',
  upstream: { targets: [target], retries: 0 },
  policies: [name],
});

/** Starts a gateway with one forwarding endpoint per policy, at the name of the policy. */
async function startPolicies(
  target: string,
  policies: Readonly<Record<string, object>>,
  modules: Readonly<Record<string, string>>,
  more: object = {},
): Promise<GatewayProcess> {
  const files = Object.fromEntries(Object.entries(modules).map(([name, text]) => [`services/${name}`, text]));
  const endpoints = Object.keys(policies).map((name) => forwardingTo(target, name));
  return startGateway(
    await makeFolder({ 'settings.json': settingsOf(more), 'endpoints.json': { policies, endpoints }, ...files }),
  );
}

const code = (module: string, options?: object) => ({ type: 'code', module, ...(options && { options }) });
const express = (module: string) => ({ type: 'express', module });

/** Each as a `before` that fails, with the status of its response. */
const stopping: readonly [what: string, text: string, status: number][] = [
  ['throws', "before() { throw new Error('secret-of-the-policy'); }", 500],
  ['rejects', "async before() { throw new Error('secret-of-the-policy'); }", 500],
  ['throws nothing', 'before() { throw undefined; }', 500],
  ['hangs', 'before: () => new Promise(() => {})', 503],
  ['throws an undeclared problem', "before() { throw new Problem('not_found', 'x'); }", 500],
  ['answers an undeclared status', 'before: () => ({ status: 201 })', 500],
  ['answers no status', 'before: () => ({ status: "200" })', 500],
  ['returns true', 'before: () => true', 500],
  ['returns null', 'before: async () => null', 500],
  ['sets a header of the gateway', "before(context) { context.setRequestHeader('Host', 'evil.example'); }", 500],
  ['sets a header with a line break', "before(context) { context.setRequestHeader('X-A', 'a\\nb'); }", 500],
];

const sign = policy(`
  options: z.object({ header: z.string().default('X-Default') }),
  answers: { 202: 'It is announced.', 403: 'It is not allowed.' },
  before(context, { header }) {
    context.state.started = true;
    const { wanted } = Object.fromEntries(new URL(context.req.url ?? '', 'http://a').searchParams);
    if (wanted === 'answer') return { status: 202, body: { operation: context.operation, address: context.address } };
    if (wanted === 'problem') throw new Problem('operation_forbidden', 'Not you.');
    context.setRequestHeader(header, context.requestId);
    context.setRequestHeader('cookie', undefined);
  },
  async after(reply, context, { header }) {
    const headers = { ...reply.headers, [header]: String(context.state.started) };
    return reply.status === 200 ? { ...reply, headers } : undefined;
  },`);

describe.each([1, 2])('with workers: %i, a policy in TypeScript', (workers) => {
  const atEnd = whenAllEnd();
  const authorizations: string[] = [];
  let origin: Awaited<ReturnType<typeof startOrigin>>;
  let piped: Awaited<ReturnType<typeof startRawOrigin>>;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    origin = await startOrigin(undefined, atEnd);
    piped = await startRawOrigin((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n');
      // The gateway notices at a write that a client has left.
      const timer = setInterval(() => socket.write('5\r\nhello\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    }, atEnd);
    const authorized = await startOrigin(({ url }, { rawHeaders }, res) => {
      if (url !== '/token')
        authorizations.push(...rawHeaders.filter((_, i) => /^authorization$/i.test(rawHeaders[i - 1] ?? '')));
      res.setHeader('Content-Type', 'application/json').end('{"access_token":"issued","token_type":"bearer"}');
    }, atEnd);
    const token_url = `${authorized.url}/token`;
    const auth = { type: 'client_credentials', token_url, client_id: 'a', client_secret: 'b' };
    const names = stopping.map((_, i) => `x${i}`);
    const toOrigin = ['sign', 'plain', ...names].map((name) => forwardingTo(origin.url, name));
    gateway = await startGateway(
      await makeFolder(
        {
          'settings.json': settingsOf({ workers }),
          'endpoints.json': {
            policies: {
              ...{ sign: code('sign.ts', { header: 'X-Signed' }), plain: code('sign.ts') },
              ...{ authorize: code('authorize.ts'), pipe: code('pipe.ts') },
              ...Object.fromEntries(names.map((name) => [name, code(`${name}.ts`)])),
            },
            endpoints: [
              ...toOrigin,
              forwardingTo(piped.url, 'pipe'),
              { ...forwardingTo(authorized.url, 'authorize'), upstream: { targets: [authorized.url], auth } },
            ],
          },
          'services/sign.ts': sign,
          'services/authorize.ts': policy(
            "before(context) { context.setRequestHeader('Authorization', 'Basic own'); }",
          ),
          'services/pipe.ts': `import { PassThrough } from 'node:stream';
${policy("after: (reply) => ('raw' in reply ? { ...reply, raw: reply.raw.pipe(new PassThrough()) } : reply),")}`,
          ...Object.fromEntries(stopping.map(([, text], i) => [`services/x${i}.ts`, policy(text)])),
        },
        atEnd,
      ),
      { atEnd },
    );
  });

  it('lets pass, answers or rejects, changes the request and the response, and its options have defaults', async () => {
    const { fetch } = gateway;
    const response = await fetch('/sign', { headers: { 'X-Signed': 'forged', Cookie: 'a=1' } });
    expect([response.status, response.headers.get('x-signed')]).toEqual([200, 'true']);
    expect(origin.seen[0]?.headers).toMatchObject({ 'x-signed': response.headers.get('x-request-id') });
    expect(origin.seen[0]?.headers).not.toHaveProperty('cookie');
    expect((await fetch('/plain')).headers.get('x-default')).toBe('true');
    const answered = await fetch('/sign?wanted=answer');
    expect([answered.status, await answered.json()]).toEqual([
      202,
      { operation: { operationId: 'getSign', method: 'GET', path: '/sign' }, address: '127.0.0.1' },
    ]);
    const rejected = await fetch('/sign?wanted=problem');
    expect([rejected.status, await rejected.json()]).toMatchObject([403, { code: 'operation_forbidden' }]);
    expect(origin.seen).toHaveLength(2);
    const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(paths['/sign']).toMatchObject({
      get: {
        responses: {
          202: { description: 'It is announced.' },
          403: { description: expect.stringContaining('It is not allowed.') },
        },
      },
    });
    // Metrics leave out a worker that is late.
    for (const outcome of ['answered', 'rejected']) {
      await expect
        .poll(async () => (await fetch('/metrics')).text())
        .toContain(`policy_rejections_total{policy="sign",outcome="${outcome}"} 1`);
    }
  });

  it('that sets Authorization does not add to the credentials of the upstream', async () => {
    expect((await gateway.fetch('/authorize')).status).toBe(200);
    expect(authorizations).toEqual(['Bearer issued']);
  });

  it('that pipes the body through another stream passes on that either side breaks off', async () => {
    const broken = await gateway.fetch('/pipe');
    expect(broken.status).toBe(200);
    for (const socket of piped.sockets) socket.destroy();
    await expect(broken.text()).rejects.toThrow('terminated');
    const leaving = new AbortController();
    expect((await gateway.fetch('/pipe', { signal: leaving.signal })).status).toBe(200);
    leaving.abort();
    await until(() => piped.sockets.size === 0, 'the end of the connection to the upstream');
    expect((await gateway.fetch('/health')).status).toBe(200);
  });

  it('that fails before the request never lets it through', async () => {
    const before = origin.seen.length;
    await Promise.all(
      stopping.map(async ([what, , status], i) => {
        const response = await gateway.fetch(`/x${i}`);
        const body = await response.text();
        const code = status === 503 ? 'unavailable' : 'internal_error';
        expect([response.status, JSON.parse(body).code], what).toEqual([status, code]);
        expect(body, what).not.toContain('secret-of-the-policy');
        await until(() => gateway.output().includes(`The policy \\"x${i}\\"`), `the cause in the log: ${what}`);
      }),
    );
    expect(origin.seen).toHaveLength(before);
    expect((await gateway.fetch('/health')).status).toBe(200);
  });
});

describe('a policy in TypeScript', () => {
  it('gets the claims of a verified token, and none for a key or without a credential', async () => {
    const origin = await startOrigin();
    const key = createSigningKey('first');
    const keys = createServer((_req, res) => res.end(JSON.stringify({ keys: [key.jwk] }))).listen(0, '127.0.0.1');
    await once(keys, 'listening');
    onTestFinished(() => void keys.close());
    const jwks_url = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`;
    const upstream = { targets: [origin.url], retries: 0 };
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': settingsOf({ api_keys: goodKey, jwt_issuers: [{ ...corp, jwks_url }] }),
        'endpoints.json': {
          policies: { tenant: code('tenant.ts') },
          endpoints: [
            { path: '/in', service: 'http', auth: ['key', 'jwt:corp'], policies: ['tenant'], upstream },
            { path: '/open', service: 'http', policies: ['tenant'], upstream },
          ],
        },
        'services/tenant.ts': policy(`
  before(context) {
    const { claims, principal } = context;
    context.setRequestHeader('X-Seen', JSON.stringify([principal?.owner, claims.tenant, claims.roles]));
  },`),
      }),
    );
    const claims = { tenant: 'acme', roles: ['buyer'] };
    expect((await gateway.fetch('/in', bearer(await signToken(key, { claims })))).status).toBe(200);
    expect((await gateway.fetch('/in', withKey)).status).toBe(200);
    expect((await gateway.fetch('/open')).status).toBe(200);
    expect(origin.seen.map(({ headers }) => JSON.parse(String(headers['x-seen'])))).toEqual([
      ['corp:client-1', 'acme', ['buyer']],
      [expect.any(String), null, null],
      [null, null, null],
    ]);
  });

  /** Starts an upstream that sends a head and an endless body, and records the end of its connection. */
  async function startEndless() {
    const closed: string[] = [];
    const server = createServer((req: IncomingMessage, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain' });
      const timer = setInterval(() => res.write('x'.repeat(10_000)), 10);
      res.on('close', () => {
        clearInterval(timer);
        closed.push(req.url ?? '');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, closed };
  }

  const endings: readonly [what: string, text: string, status: number][] = [
    ['throws', "after() { throw new Error('no'); }", 500],
    ['hangs', 'after: () => new Promise(() => {})', 503],
    ['returns nonsense', 'after: () => 7', 500],
    ['answers an undeclared status', 'after: (reply) => ({ ...reply, status: 299 })', 500],
    ['replaces the response', "answers: { 410: 'Gone.' }, after: () => ({ status: 410, body: {} })", 410],
  ];
  it('that fails after the response ends the exchange with the upstream', async () => {
    const origin = await startEndless();
    const names = endings.map((_, i) => `x${i}`);
    const { fetch } = await startPolicies(
      origin.url,
      Object.fromEntries(names.map((name) => [name, code(`${name}.ts`)])),
      Object.fromEntries(endings.map(([, text], i) => [`x${i}.ts`, policy(text)])),
    );
    for (const [i, [what, , status]] of endings.entries()) {
      expect((await fetch(`/x${i}`)).status, what).toBe(status);
      await until(() => origin.closed.includes(`/x${i}`), `the end of the exchange: ${what}`);
    }
  });

  it('is replaced while the gateway serves; a broken edit is rejected with file and line', async () => {
    const origin = await startOrigin();
    const answering = (text: string) =>
      policy(`answers: { 202: 'x' }, before: () => ({ status: 202, body: '${text}' })`);
    const gateway = await startPolicies(origin.url, { x: code('x.ts') }, { 'x.ts': answering('first') });
    const ask = async () => (await gateway.fetch('/x')).json();
    expect(await ask()).toBe('first');
    // Each edit in one step: half of it would be rejected for another reason.
    await renameOver(join(gateway.folder, 'services/x.ts'), answering('second'));
    await until(async () => (await ask()) === 'second');
    const rejections = () => gateway.log.filter(({ msg }) => msg?.startsWith('configuration rejected'));
    for (const [text, fault] of [
      ['const a = 1;\nconst b = ;\n', /services\/x\.ts:2:11 {2}It does not load/],
      [policy("before: 'text', answers: { 99: 'x' }"), /services\/x\.ts:2:\d+ .*(before|answers)/],
      [policy('options: z.object({ a: z.string() }), before() {}'), /endpoints\.json:\d+:\d+ .*options/],
      ['export const a = 1;', /endpoints\.json:\d+:\d+ .*exports no policy/],
    ] as const) {
      const before = rejections().length;
      await renameOver(join(gateway.folder, 'services/x.ts'), text);
      await until(() => rejections().length > before, 'a rejection');
      expect(rejections().at(-1)?.faults?.join('\n')).toMatch(fault);
      expect(await ask()).toBe('second');
    }
    await put(join(gateway.folder, 'services/x.ts'), answering('third'));
    await until(async () => (await ask()) === 'third');
  });

  const faulty: readonly [what: string, text: string, options: string, fault: RegExp][] = [
    ['does not load', 'const b = ;', '{}', /x0\.ts:1:11/],
    ['has a fault in its definition', policy("before: 'text'"), '{}', /x1\.ts:2:\d+ .*before: It is not a function/],
    ['has neither function', policy(''), '{}', /x2\.ts:2:.*Write one of them/],
    [
      'gets wrong options',
      policy('options: z.object({ n: z.int() }), before() {}'),
      '{"n":"1"}',
      /endpoints\.json:4:\d+ .*n/,
    ],
    [
      'gets options that it does not declare',
      policy('before() {}'),
      '{"n":1}',
      /endpoints\.json:5:\d+ .*declares no options/,
    ],
  ];
  it('with a fault is named by validate', async () => {
    const policies = faulty.map(
      ([, , options], i) => `"x${i}":{"type":"code","module":"x${i}.ts","options":${options}}`,
    );
    const folder = await makeFolder({
      'endpoints.json': `{"policies":{${policies.join(',\n')}}}`,
      ...Object.fromEntries(faulty.map(([, text], i) => [`services/x${i}.ts`, text])),
    });
    const { code: exit, stderr, stdout } = await runRostergate(['validate', '--config', folder]);
    expect(exit).toBe(1);
    for (const [what, , , fault] of faulty) expect.soft(stderr + stdout, what).toMatch(fault);
  });
});

describe('a middleware of Express as a policy', () => {
  /** Starts a gateway with an endpoint `/x0`, `/x1` and so on for each middleware. */
  const start = async (middleware: readonly string[]) => {
    const origin = await startOrigin();
    const gateway = await startPolicies(
      origin.url,
      Object.fromEntries(middleware.map((_, i) => [`x${i}`, express(`x${i}.mjs`)])),
      Object.fromEntries(middleware.map((text, i) => [`x${i}.mjs`, `export default ${text};`])),
    );
    return { origin, gateway };
  };

  const stopping: readonly [what: string, middleware: string, status: number, body: RegExp][] = [
    [
      'ends the response',
      "(req, res) => { res.statusCode = 418; res.setHeader('X-Own', '1'); res.end('tea'); }",
      418,
      /^tea$/,
    ],
    [
      'ends it later',
      '(req, res) => void setTimeout(() => res.status(402).json({ pay: true }), 10)',
      402,
      /"pay":true/,
    ],
    ['streams it', "(req, res) => { res.write('a'); setTimeout(() => res.end('b'), 10); }", 200, /^ab$/],
    ['redirects', "(req, res) => res.redirect('/elsewhere')", 302, /elsewhere/],
    ['ends it and calls next', "(req, res, next) => { res.status(403).end('no'); next(); }", 403, /^no$/],
    ['calls next with an error', "(req, res, next) => next(new Error('secret-text'))", 500, /internal_error/],
    [
      'calls next with an error and again without',
      "(req, res, next) => { next(new Error('x')); next(); }",
      500,
      /internal_error/,
    ],
    ['calls next for another route', "(req, res, next) => next('route')", 500, /internal_error/],
    [
      'calls next with the error of a package',
      "(req, res, next) => next(Object.assign(new Error('Bad token'), { status: 401, expose: true }))",
      401,
      /"detail":"Bad token"/,
    ],
    ['throws', "() => { throw new Error('secret-text'); }", 500, /internal_error/],
    ['rejects', "async () => { throw new Error('secret-text'); }", 500, /internal_error/],
    ['rejects without an error', 'async () => { throw undefined; }', 500, /internal_error/],
    ['does nothing', '() => {}', 503, /unavailable/],
    [
      'responds too late',
      "(req, res) => void setTimeout(() => { res.json('late'); console.error('late call done'); }, 900)",
      503,
      /unavailable/,
    ],
  ];
  it('that does not call next never lets a request through, and its late calls change nothing', async () => {
    const { origin, gateway } = await start(stopping.map(([, middleware]) => middleware));
    await Promise.all(
      stopping.map(async ([what, , status, body], i) => {
        const response = await gateway.fetch(`/x${i}`, { redirect: 'manual' });
        const text = await response.text();
        expect([response.status, text], what).toEqual([status, expect.stringMatching(body)]);
        expect(text, what).not.toContain('secret-text');
        expect(response.headers.get('x-request-id'), what).not.toBeNull();
        expect(response.headers.get('x-content-type-options'), what).toBe('nosniff');
      }),
    );
    await until(() => gateway.output().includes('late call done'), 'the late call');
    expect(origin.seen).toEqual([]);
    expect(gateway.child.exitCode).toBeNull();
    expect(gateway.output()).not.toContain('ERR_HTTP_HEADERS_SENT');
  });

  const passing: readonly [what: string, middleware: string][] = [
    ['calls next', "(req, res, next) => { res.setHeader('X-Own', req.ip); next(); }"],
    ['is async', "async (req, res, next) => { await null; res.set('X-Own', req.ip); next(); }"],
    [
      'calls next twice',
      "(req, res, next) => { res.setHeader('X-Own', req.ip); next(); next(); next(new Error('x')); }",
    ],
    [
      'ends the response after next',
      "(req, res, next) => { res.setHeader('X-Own', req.ip); next(); res.end('twice'); }",
    ],
    [
      'rewrites the URL',
      "(req, res, next) => { res.setHeader('X-Own', req.ip); req.url = '/admin'; req.method = 'DELETE'; next(); }",
    ],
    [
      'sets headers at the last moment',
      "(req, res, next) => { const { writeHead } = res; res.writeHead = (...a) => { res.setHeader('X-Own', req.ip); return writeHead.apply(res, a); }; next(); }",
    ],
  ];
  it('that calls next lets the request pass once, unchanged, with its response headers', async () => {
    const { origin, gateway } = await start(passing.map(([, middleware]) => middleware));
    for (const [i, [what]] of passing.entries()) {
      const response = await gateway.fetch(`/x${i}`);
      expect([response.status, response.headers.get('x-own')], what).toEqual([200, '127.0.0.1']);
      expect(await response.json(), what).toMatchObject({ url: `/x${i}`, method: 'GET' });
    }
    expect(origin.seen).toHaveLength(passing.length);
  });

  it('that replaces the methods of the response changes its body', async () => {
    const { gateway } = await start([
      `(req, res, next) => {
      const { write, end } = res;
      const parts = [];
      res.write = (chunk) => { parts.push(chunk); return true; };
      res.end = (chunk) => { if (chunk) parts.push(chunk); setTimeout(() => end.call(res, Buffer.concat(parts).toString().toUpperCase()), 5); return res; };
      next();
    }`,
    ]);
    const response = await gateway.fetch('/x0');
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"METHOD":"GET"')]);
  });

  const hooking =
    "(req, res, next) => { const { writeHead } = res; res.writeHead = (...a) => { res.setHeader('X-Own', '1'); return writeHead.apply(res, a); }; next(); }";

  it('that replaces the methods of the response passes on that the upstream breaks off', async () => {
    const origin = await startRawOrigin((socket, head) => {
      const begun = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';
      if (head.includes('?begun')) socket.write(`${begun}5\r\nhello\r\n`);
      else socket.end(begun);
    });
    const gateway = await startPolicies(origin.url, { x: express('x.mjs') }, { 'x.mjs': `export default ${hooking};` });
    const begun = await gateway.fetch('/x?begun');
    expect([begun.status, begun.headers.get('x-own')]).toEqual([200, '1']);
    for (const socket of origin.sockets) socket.destroy();
    await expect(begun.text()).rejects.toThrow('terminated');
    const head = await gateway.fetch('/x', { method: 'HEAD' });
    expect([head.status, head.headers.get('x-own'), head.headers.get('content-length')]).toEqual([200, '1', null]);
    const failed = await gateway.fetch('/x');
    expect([failed.status, await failed.json()]).toMatchObject([502, { code: 'upstream_failed' }]);
    expect((await gateway.fetch('/health')).status).toBe(200);
  });

  it('that replaces the methods of the response leaves an event stream one that ends at once when the server stops', async () => {
    const origin = await startOrigin((_request, _req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const folder = await makeFolder({
      'settings.json': settingsOf({ drain_ms: 20_000 }),
      'endpoints.json': {
        policies: { x: express('x.mjs') },
        endpoints: [
          { path: '/x', service: 'http', policies: ['x'], upstream: { targets: [origin.url], stream_idle_ms: 0 } },
        ],
      },
      'services/x.mjs': `export default ${hooking};`,
    });
    const gateway = await startGateway(folder);
    const response = await gateway.fetch('/x');
    expect(response.headers.get('x-own')).toBe('1');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: 1\n\n');
    const stoppedMs = performance.now();
    expect(await gateway.stop()).toBe(0);
    expect((await reader.read()).done).toBe(true);
    expect(performance.now() - stoppedMs).toBeLessThan(10_000);
  });

  it('that replaces the methods of the response does not run an event stream for HEAD', async () => {
    const folder = await makeFolder({
      'settings.json': settingsOf({}),
      'endpoints.json': {
        policies: { x: express('x.mjs') },
        endpoints: [{ path: '/x', service: 'silent', policies: ['x'] }],
      },
      'services/x.mjs': `export default ${hooking};`,
      'services/silent.ts': `import { defineService, z } from 'rostergate';
export default defineService({
  name: 'silent',
  summary: 'Nothing',
  parameters: z.object({}),
  responses: { 200: { stream: 'text/event-stream', data: z.string() } },
  handle: () => ({
    status: 200,
    body: (async function* () {
      console.error('the generator runs');
      await new Promise(() => {});
      yield { data: 'never' };
    })(),
  }),
});
`,
    });
    const gateway = await startGateway(folder);
    const { status, headers } = await gateway.fetch('/x', { method: 'HEAD' });
    expect([status, headers.get('x-own'), headers.get('content-type')]).toEqual([200, '1', 'text/event-stream']);
    expect(gateway.output()).not.toContain('the generator runs');
  });

  it('that exports no function is named by validate, and a router of Express is one', async () => {
    const folder = await makeFolder({
      'endpoints.json':
        '{"policies":{"x":{"type":"express","module":"x.mjs"},"y":{"type":"express","module":"y.mjs"}}}',
      'services/x.mjs': 'export const other = 1;',
      'services/y.mjs': 'export default (error, req, res, next) => next();',
      'services/unused.mjs': 'export default () => {};',
    });
    const { code: exit, stderr, stdout } = await runRostergate(['validate', '--config', folder]);
    expect(exit).toBe(1);
    expect(stderr + stdout).toMatch(/endpoints\.json:1:\d+ .*exports no function "default"/);
    expect(stderr + stdout).toMatch(/takes an error as its first argument/);
    expect(stderr + stdout).toMatch(/unused\.mjs:1:1 {2}It exports no service/);
    expect(stderr + stdout).not.toMatch(/x\.mjs:1:1/);
  });
});
