import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { keyDigest } from '@rostergate/access/keys';
import { defineService, z } from '@rostergate/endpoints';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { goodKey, problemOf, startGateway, withKey } from './start-gateway.ts';
import { waitFor } from './wait-for.ts';

const common = { summary: 'x', parameters: z.object({}) };
const order = z.object({ id: z.string() });

const orders = defineService({
  name: 'orders',
  summary: 'Places an order',
  parameters: z.object({ what: z.enum(['new', 'none', 'problem', 'own', 'undeclared', 'split', 'body']) }),
  responses: {
    201: { body: order, headers: { Location: z.string() }, description: 'The order.', example: { id: '7' } },
    204: {},
    422: { body: z.object({ why: z.string() }) },
  },
  problems: {
    out_of_stock: { status: 409, title: 'Out of stock' },
    gone_for_good: { status: 410, title: 'Gone' },
  },
  handle({ what }, _context, problems) {
    const created = { status: 201, body: { id: '7' }, headers: { Location: '/orders/7' } } as const;
    switch (what) {
      case 'none':
        return { status: 204 };
      case 'own':
        return { status: 422, body: { why: 'because' } };
      case 'problem':
        throw problems.out_of_stock('Order at most 3.', { extensions: { left: 3 } });
      case 'undeclared':
        return { status: 203 } as never;
      case 'split':
        return { ...created, headers: { Location: '/\r\nX-Forged: 1' } };
      case 'body':
        return { status: 204, body: {} } as never;
      default:
        return created;
    }
  },
});
const entry = { path: '/orders', service: 'orders' };

describe('a service with responses', () => {
  it('returns any declared status, body and headers', async () => {
    const { fetch } = await startGateway({ services: [orders], endpoints: [entry] });
    const created = await fetch('/orders?what=new');
    expect([created.status, created.headers.get('location'), await created.json()]).toEqual([
      201,
      '/orders/7',
      { id: '7' },
    ]);
    const none = await fetch('/orders?what=none');
    expect([none.status, none.headers.get('content-length'), await none.text()]).toEqual([204, null, '']);
    const own = await fetch('/orders?what=own');
    expect([own.status, own.headers.get('content-type'), await own.json()]).toEqual([
      422,
      'application/json',
      { why: 'because' },
    ]);
    const head = await fetch('/orders?what=new', { method: 'HEAD' });
    expect([head.status, head.headers.get('location'), head.headers.get('content-length')]).toEqual([
      201,
      '/orders/7',
      '10',
    ]);
  });

  it('throws its own problems', async () => {
    const { fetch } = await startGateway({ services: [orders], endpoints: [entry] });
    const response = await fetch('/orders?what=problem');
    const { type, title } = (await response.clone().json()) as Record<string, unknown>;
    expect([type, title]).toEqual(['urn:rostergate:problem:out_of_stock', 'Out of stock']);
    expect(await problemOf(response)).toMatchObject({
      ...{ answered: 409, mediaType: 'application/problem+json', status: 409, code: 'out_of_stock' },
      ...{ kind: 'ConflictError', detail: 'Order at most 3.', left: 3 },
    });
  });

  it.each([
    ['X-API-Key', ''],
    ['Authorization', 'Bearer '],
  ])('never returns or logs the credential of its caller in an error: %s', async (name, scheme) => {
    const credential = 'credential "of" the-caller';
    const indiscreet = defineService({
      ...common,
      name: 'indiscreet',
      parameters: z.object({ what: z.enum(['problem', 'error', 'long']) }),
      response: z.object({}),
      problems: { partner_failed: { status: 502, title: 'The partner failed' } },
      handle({ what }, { req }, problems) {
        const given = String(req.headers[name.toLowerCase()]);
        const cause = new AggregateError([new Error(`It sent ${given} twice: ${given}`)], given, { cause: given });
        const options = { cause, extensions: { sent: [{ given }], attempts: 3 }, errors: [{ detail: given }] };
        if (what === 'problem') throw problems.partner_failed(`The partner rejected ${given}.`, options);
        throw what === 'long' ? new Error('x'.repeat(490) + given) : cause;
      },
    });
    const open = { path: '/indiscreet', service: 'indiscreet' };
    const settings = { api_keys: `sha256:${keyDigest(credential)}` };
    const { fetch, log } = await startGateway({ settings, services: [indiscreet], endpoints: [open] });
    const sent = (what: string) => fetch(`/indiscreet?what=${what}`, { headers: { [name]: scheme + credential } });
    const problem = await sent('problem');
    expect(await problem.json()).toMatchObject({
      ...{ code: 'partner_failed', detail: `The partner rejected ${scheme}[credential].`, attempts: 3 },
      ...{ sent: [{ given: `${scheme}[credential]` }], errors: [{ detail: `${scheme}[credential]` }] },
    });
    for (const what of ['error', 'long']) expect((await sent(what)).status).toBe(500);
    await waitFor(() => expect(log().match(/"status":50[02]/g)).toHaveLength(3));
    expect(log()).toContain(`It sent ${scheme}[credential] twice: ${scheme}[credential]`);
    expect(log()).not.toMatch(/credential \\?"of|crede[^\]]*"$/m);
    expect(log()).not.toContain('the-caller');
  });

  it.each(['undeclared', 'split', 'body'])('responds with 500 to an undeclared reply: %s', async (what) => {
    const { fetch, log } = await startGateway({ services: [orders], endpoints: [entry] });
    const response = await fetch(`/orders?what=${what}`);
    expect([response.status, response.headers.get('x-forged')]).toEqual([500, null]);
    expect(log()).toMatch(
      /The service orders returned (the undeclared status 203|201 with the header|204 with a body)/,
    );
  });

  it('describes every status, header and problem in the contract', async () => {
    const { fetch } = await startGateway({ services: [orders], endpoints: [entry] });
    const document = (await (await fetch('/openapi.json')).json()) as {
      paths: Record<string, { get: { responses: Record<string, object> } }>;
      components: { schemas: Record<string, object> };
    };
    const responses = document.paths['/orders']?.get.responses ?? {};
    expect(Object.keys(responses)).toEqual(['201', '204', '400', '401', '409', '410', '422', '429', '500', 'default']);
    expect(responses[201]).toMatchObject({
      description: 'The order.',
      headers: { Location: { required: true, schema: { $ref: '#/components/schemas/OrdersHeader201_Location' } } },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/OrdersAnswer201' }, example: { id: '7' } },
      },
    });
    expect(responses[204]).not.toHaveProperty('content');
    expect(responses[409]).toMatchObject({
      description: 'Out of stock (`out_of_stock`).',
      content: {
        'application/problem+json': { schema: { allOf: [{}, { properties: { code: { enum: ['out_of_stock'] } } }] } },
      },
    });
    expect(document.components.schemas.OrdersAnswer201).toMatchObject({ properties: { id: { type: 'string' } } });
  });

  it('caches only statuses with default freshness, and those with a Cache-Control of their own', async () => {
    let calls = 0;
    const counting = defineService({
      name: 'counting',
      ...common,
      parameters: z.object({ status: z.number() }),
      responses: {
        200: { body: z.number() },
        202: { body: z.number() },
        404: { body: z.number() },
        410: { body: z.number(), headers: { 'Cache-Control': z.string() } },
      },
      handle: ({ status }) =>
        status === 410
          ? { status, body: ++calls, headers: { 'Cache-Control': 'max-age=60' } }
          : ({ status, body: ++calls } as { status: 200; body: number }),
    });
    const { fetch } = await startGateway({
      services: [counting],
      endpoints: [{ path: '/c', service: 'counting', cache_seconds: 60 }],
    });
    const twice = async (status: number) => {
      const first = await (await fetch(`/c?status=${status}`)).json();
      return first === (await (await fetch(`/c?status=${status}`)).json());
    };
    expect([await twice(200), await twice(202), await twice(404), await twice(410)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('sends what it declares, for any status, body and headers', async () => {
    const reply = { current: undefined as unknown };
    const statuses = [200, 201, 202, 203, 204, 205, 206, 300, 307, 400, 404, 409, 418, 422, 499, 500, 503, 599];
    const any = defineService({
      name: 'any',
      ...common,
      responses: Object.fromEntries(
        statuses.map((status) => [
          status,
          {
            ...(status === 204 || status === 205 ? {} : { body: z.object({ n: z.number(), text: z.string() }) }),
            headers: { 'X-Text': z.string().optional(), 'X-Number': z.number().optional() },
          },
        ]),
      ),
      handle: () => reply.current as never,
    });
    const { fetch } = await startGateway({ services: [any], endpoints: [{ path: '/any', service: 'any' }] });
    const headers = fc.record(
      { 'X-Text': fc.string({ minLength: 1 }), 'X-Number': fc.integer(), 'X-Other': fc.constant('x') },
      { requiredKeys: [] },
    );
    const replies = fc.record(
      {
        status: fc.oneof(fc.constantFrom(...statuses), fc.integer({ min: 100, max: 700 })),
        body: fc.oneof(fc.record({ n: fc.integer(), text: fc.string() }), fc.constant({ n: 'x' })),
        headers,
      },
      { requiredKeys: ['status'] },
    );
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(replies, async ({ status, body, headers: given = {} }) => {
        reply.current = { status, body, headers: given };
        const isEmpty = status === 204 || status === 205;
        const isBody = isEmpty ? body === undefined : typeof body?.n === 'number';
        const isSafe = /^[\t\x20-\x7e]*$/.test(given['X-Text'] ?? '') && given['X-Other'] === undefined;
        const isDeclared = statuses.includes(status) && isBody && isSafe;
        const response = await fetch('/any', { redirect: 'manual' });
        const text = await response.text();
        outcomes.add(`${isDeclared}`);
        if (!isDeclared) {
          expect([response.status, JSON.parse(text).code]).toEqual([500, 'internal_error']);
          return;
        }
        expect([response.status, text]).toEqual([status, isEmpty ? '' : JSON.stringify(body)]);
        // Space around a value is no part of it (RFC 9110 §5.5); `fetch` keeps the space at its end.
        expect(response.headers.get('x-text')?.trim() ?? null).toBe(given['X-Text']?.trim() ?? null);
        expect(response.headers.get('x-number')).toBe(given['X-Number'] === undefined ? null : `${given['X-Number']}`);
      }),
      { numRuns: 300 },
    );
    expect(outcomes.size).toBe(2);
  });
});

/** Sends a request and returns the response as it arrives. */
function open(url: string, headers: Record<string, string> = {}) {
  const sent = request(url, { headers });
  sent.end();
  const response = once(sent, 'response').then(([res]) =>
    (res as import('node:http').IncomingMessage).setEncoding('utf8'),
  );
  return { sent, response };
}

describe('a stream of a service', () => {
  it('is sent as it is produced, with the declared type', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const csv = defineService({
      name: 'csv',
      ...common,
      responses: { 200: { stream: 'text/csv', headers: { 'X-Rows': z.number() } } },
      handle: () => ({
        status: 200,
        headers: { 'X-Rows': 2 },
        body: (async function* () {
          yield 'a,b\n';
          await released;
          yield Buffer.from('1,2\n');
        })(),
      }),
    });
    const { url } = await startGateway({ services: [csv], endpoints: [{ path: '/csv', service: 'csv' }] });
    const response = await open(`${url}/csv`).response;
    expect([response.statusCode, response.headers['content-type'], response.headers['x-rows']]).toEqual([
      200,
      'text/csv',
      '2',
    ]);
    const [first] = await once(response, 'data');
    release();
    const [second] = await once(response, 'data');
    expect([first, second]).toEqual(['a,b\n', '1,2\n']);
  });

  it.each([
    [
      'a generator',
      () =>
        (function* () {
          yield 'a';
          yield 'b';
        })(),
    ],
    [
      'a generator of promises',
      () =>
        (function* () {
          yield Promise.resolve('a');
          yield Promise.resolve('b');
        })(),
    ],
    [
      'an asynchronous generator',
      () =>
        (async function* () {
          yield 'a';
          yield '';
          yield 'b';
        })(),
    ],
    ['a list', () => ['a', 'b']],
    ['a Node stream', () => Readable.from(['a', 'b'])],
    ['an empty list after text', () => ['ab', '']],
  ])('may be %s', async (_, body) => {
    const any = defineService({
      name: 'any',
      ...common,
      responses: { 200: { stream: 'text/plain' } },
      handle: async () => ({ status: 200, body: body() as Iterable<string> }),
    });
    const { fetch } = await startGateway({ services: [any], endpoints: [{ path: '/a', service: 'any' }] });
    expect(await (await fetch('/a')).text()).toBe('ab');
    const head = await fetch('/a', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/plain']);
  });

  it('may be empty', async () => {
    const empty = defineService({
      name: 'empty',
      ...common,
      responses: { 200: { stream: 'text/csv' }, 203: { stream: 'text/event-stream' } },
      parameters: z.object({ events: z.boolean() }),
      handle: ({ events }) => ({ status: events ? 203 : 200, body: [] }),
    });
    const { fetch } = await startGateway({ services: [empty], endpoints: [{ path: '/a', service: 'empty' }] });
    const texts = ['true', 'false'].map(async (events) => (await fetch(`/a?events=${events}`)).text());
    expect(await Promise.all(texts)).toEqual(['', '']);
  });

  it('becomes a problem when it fails before its first item, and is cut when it fails later', async () => {
    let received = Promise.withResolvers<void>();
    const failing = defineService({
      name: 'failing',
      ...common,
      parameters: z.object({ after: z.number(), events: z.boolean().default(false) }),
      responses: { 200: { stream: 'text/plain' }, 203: { stream: 'text/event-stream' } },
      problems: { dry: { status: 409, title: 'Dry' } },
      handle({ after, events }, _context, problems) {
        async function* items<T>(item: T) {
          for (let i = 0; i < after; i++) yield item;
          if (after > 0) await received.promise;
          throw problems.dry('Wait for rain.');
        }
        return events ? { status: 203, body: items({ data: 'x' }) } : { status: 200, body: items('x') };
      },
    });
    const { fetch } = await startGateway({ services: [failing], endpoints: [{ path: '/f', service: 'failing' }] });
    for (const query of ['', '&events=true']) {
      expect(await problemOf(await fetch(`/f?after=0${query}`))).toMatchObject({ answered: 409, code: 'dry' });
      const cut = await fetch(`/f?after=1${query}`);
      expect(cut.ok).toBe(true);
      const rest = cut.text();
      received.resolve();
      await expect(rest).rejects.toThrow();
      received = Promise.withResolvers();
    }
  });

  it('must produce its first item within service_timeout_ms, and may take longer for the others', async () => {
    const ended = vi.fn();
    const slow = defineService({
      name: 'slow',
      ...common,
      parameters: z.object({ first: z.number() }),
      responses: { 200: { stream: 'text/plain' } },
      handle: ({ first }, { signal }) => ({
        status: 200,
        body: (async function* () {
          try {
            await wait(first, undefined, { signal });
            yield 'a';
            await wait(600, undefined, { signal });
            yield 'b';
          } finally {
            ended();
          }
        })(),
      }),
    });
    const { fetch } = await startGateway({
      settings: { service_timeout_ms: 300 },
      services: [slow],
      endpoints: [{ path: '/s', service: 'slow' }],
    });
    expect(await (await fetch('/s?first=0')).text()).toBe('ab');
    expect(await problemOf(await fetch('/s?first=60000'))).toMatchObject({ answered: 503, code: 'unavailable' });
    await waitFor(() => expect(ended).toHaveBeenCalledTimes(2));
  });

  it('ends its generator when the caller leaves, and pauses it while the caller does not read', async () => {
    let produced = 0;
    const ended = vi.fn();
    const endless = defineService({
      name: 'endless',
      ...common,
      responses: { 200: { stream: 'application/octet-stream' } },
      handle: () => ({
        status: 200,
        body: (async function* () {
          try {
            for (;;) {
              produced++;
              yield Buffer.alloc(64 * 1024);
            }
          } finally {
            ended();
          }
        })(),
      }),
    });
    const { url } = await startGateway({ services: [endless], endpoints: [{ path: '/e', service: 'endless' }] });
    const { sent, response } = open(`${url}/e`);
    (await response).pause();
    let before = -1;
    await waitFor(() => {
      const now = produced;
      const isStill = now === before;
      before = now;
      expect(isStill).toBe(true);
    }, 200);
    // What the system buffers for a connection, and little more.
    expect(produced).toBeLessThan(400);
    expect(ended).not.toHaveBeenCalled();
    sent.destroy();
    await waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });
});

describe('server-sent events of a service', () => {
  it('never log the credential of their caller when they break off', async () => {
    const breaking = defineService({
      name: 'breaking',
      ...common,
      responses: { 200: { stream: 'text/event-stream', data: z.string() } },
      handle: (_, { req }) => ({
        status: 200,
        body: (async function* () {
          yield { data: 'begun' };
          throw new Error(`The partner rejected ${String(req.headers['x-api-key'])}.`);
        })(),
      }),
    });
    const { fetch, log } = await startGateway({
      services: [breaking],
      endpoints: [{ path: '/x', service: 'breaking' }],
    });
    const response = await fetch('/x', withKey);
    await expect(response.text()).rejects.toThrow('terminated');
    await waitFor(() => expect(log()).toContain('"message":"The partner rejected [credential]."'));
    expect(log()).not.toContain(goodKey);
  });

  const startTicks = async (more: object = {}) => {
    const ended = vi.fn();
    const { promise: next, resolve: release } = Promise.withResolvers<void>();
    const ticks = defineService({
      name: 'ticks',
      ...common,
      parameters: z.object({
        lastEventId: z.string().optional().meta({ in: 'header', key: 'Last-Event-ID' }),
        silent: z.boolean().default(false),
      }),
      responses: {
        200: { stream: 'text/event-stream', data: z.object({ n: z.number() }), heartbeatMs: 50 },
      },
      handle: ({ lastEventId, silent }, { signal }) => ({
        status: 200,
        body: (async function* () {
          try {
            let n = Number(lastEventId ?? 0);
            if (!silent) yield { event: 'tick', id: `${++n}`, data: { n } };
            await Promise.race([next, once(signal, 'abort')]);
            if (!signal.aborted) yield { id: `${++n}`, data: { n } };
          } finally {
            ended(signal.aborted);
          }
        })(),
      }),
    });
    const gateway = await startGateway({
      services: [ticks],
      endpoints: [{ path: '/ticks', service: 'ticks', ...more }],
    });
    return { ...gateway, ended, release };
  };

  it('are sent at once, also compressed, and resume after Last-Event-ID', async () => {
    const { url, release } = await startTicks();
    const response = await open(`${url}/ticks`, { 'Last-Event-ID': '41' }).response;
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    expect((await once(response, 'data'))[0]).toBe('event: tick\nid: 42\ndata: {"n":42}\n\n');
    const compressed = await fetch(`${url}/ticks`, { headers: { 'Accept-Encoding': 'br' } });
    const reader = compressed.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('id: 1\n');
    release();
    let rest = '';
    for await (const text of response) rest += text;
    expect(rest.replaceAll(':\n\n', '')).toBe('id: 43\ndata: {"n":43}\n\n');
  });

  it('have comments between them while nothing happens', async () => {
    const { url } = await startTicks();
    const response = await open(`${url}/ticks`).response;
    let text = '';
    for await (const chunk of response) {
      text += chunk;
      if (text.endsWith(':\n\n:\n\n')) break;
    }
    expect(text).toMatch(/^event: tick\n.*\n.*\n\n(:\n\n)+$/);
  });

  it('begin with a comment when the first one is late', async () => {
    const { url } = await startTicks();
    const response = await open(`${url}/ticks?silent=true`).response;
    expect(response.statusCode).toBe(200);
    expect((await once(response, 'data'))[0]).toMatch(/^(:\n\n)+$/);
  });

  it('end with their generator when the caller leaves', async () => {
    const { url, ended } = await startTicks();
    const { sent, response } = open(`${url}/ticks`);
    await once(await response, 'data');
    sent.destroy();
    await waitFor(() => expect(ended).toHaveBeenCalledWith(true));
  });

  it('end completely when the server begins to drain, also those that are opened later', async () => {
    const { url, ended, app } = await startTicks();
    const response = await open(`${url}/ticks`).response;
    await once(response, 'data');
    app.beginDrain();
    for await (const _ of response);
    expect(response.complete).toBe(true);
    await waitFor(() => expect(ended).toHaveBeenCalledWith(true));
    const later = await open(`${url}/ticks`).response;
    for await (const _ of later);
    expect([later.statusCode, later.complete]).toEqual([200, true]);
  });

  it('are described with their data, and are never cached', async () => {
    const { url } = await startTicks();
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
    };
    expect(document.paths['/ticks']?.get.responses[200]?.content).toEqual({
      'text/event-stream': { schema: { type: 'string' }, 'x-event-data': { $ref: '#/components/schemas/TicksEvent' } },
    });
    await expect(startTicks({ cache_seconds: 5 })).rejects.toThrow('returns event streams, which are never cached');
  });
});
