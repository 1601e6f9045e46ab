import { defineService, z } from '@rostergate/endpoints';
import { Problem } from '@rostergate/server/problem';
import { expect, it } from 'vitest';
import { exchange } from '../../../packages/server/test/raw-exchange.ts';
import { startForwarding } from './start-forwarding.ts';
import { startGateway } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const tenants = defineService({
  name: 'tenants',
  summary: 'The tenant and session of the request',
  parameters: z.object({
    tenant: z.string().min(2).meta({ in: 'header', key: 'X-Tenant', description: 'The tenant.' }),
    page: z.number().int().min(1).default(1).meta({ in: 'header', key: 'X-Page' }),
    sid: z.number().int().optional().meta({ in: 'cookie' }),
    tags: z.array(z.string()).optional().meta({ in: 'header', key: 'X-Tags' }),
  }),
  response: z.object({ tenant: z.string(), page: z.number(), sid: z.number().nullable(), tags: z.array(z.string()) }),
  handle: ({ sid, tags, ...rest }) => ({ ...rest, sid: sid ?? null, tags: tags ?? [] }),
});
const entry = { path: '/t', service: 'tenants' };

it('validates and coerces header and cookie parameters like those of the query', async () => {
  const { fetch } = await startGateway({ services: [tenants], endpoints: [entry] });
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch('/t', { headers });
    return [response.status, await response.json()];
  };
  expect(await ask({ 'X-Tenant': 'acme' })).toEqual([200, { tenant: 'acme', page: 1, sid: null, tags: [] }]);
  expect(await ask({ 'x-tenant': 'acme', 'X-Page': '3', 'X-Tags': 'a,b', Cookie: 'a=b; sid=7' })).toEqual([
    200,
    { tenant: 'acme', page: 3, sid: 7, tags: ['a', 'b'] },
  ]);
  const faults = [
    [{}, { header: 'X-Tenant', detail: expect.stringContaining('required') }],
    [{ 'X-Tenant': 'a' }, { header: 'X-Tenant', detail: expect.stringContaining('fewer than 2') }],
    [
      { 'X-Tenant': 'acme', 'X-Page': 'x' },
      { header: 'X-Page', detail: 'must be integer' },
    ],
    [
      { 'X-Tenant': 'acme', 'X-Page': '0' },
      { header: 'X-Page', detail: 'must be >= 1' },
    ],
    [
      { 'X-Tenant': 'acme', Cookie: 'sid=x' },
      { cookie: 'sid', detail: 'must be integer' },
    ],
  ] as const;
  for (const [headers, fault] of faults) {
    expect(await ask(headers)).toEqual([400, expect.objectContaining({ code: 'validation_failed', errors: [fault] })]);
  }
});

it('rejects a repeated header or cookie with 400', async () => {
  const { url } = await startGateway({ services: [tenants], endpoints: [entry] });
  const ask = (...lines: string[]) =>
    exchange(
      Number(new URL(url).port),
      `GET /t HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
  expect(await ask('X-Tenant: acme')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('X-Tenant: acme', 'x-tenant: acme')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"header":"X-Tenant"/);
  expect(await ask('X-Tenant: acme', 'Cookie: sid=1; sid=2')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"cookie":"sid"/);
  expect(await ask('X-Tenant: acme', 'Cookie: sid=1', 'Cookie: sid=1')).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*"cookie":"sid"/,
  );
});

it('describes them in the contract', async () => {
  const { fetch } = await startGateway({ services: [tenants], endpoints: [entry] });
  const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, { get: object }> };
  expect(paths['/t']?.get).toMatchObject({
    parameters: [
      {
        name: 'X-Tenant',
        in: 'header',
        required: true,
        description: 'The tenant.',
        schema: { type: 'string', minLength: 2 },
      },
      { name: 'X-Page', in: 'header', schema: { type: 'integer', default: 1 } },
      { name: 'sid', in: 'cookie', schema: { type: 'integer' } },
      { name: 'X-Tags', in: 'header', style: 'simple', schema: { type: 'array' } },
    ],
  });
});

it('takes arguments from where endpoints.json maps them', async () => {
  const plain = defineService({
    name: 'plain',
    summary: 'One argument',
    parameters: z.object({ tenant: z.string() }),
    response: z.string(),
    handle: ({ tenant }) => tenant,
  });
  const { fetch } = await startGateway({
    services: [plain],
    endpoints: [
      { path: '/h', service: 'plain', parameters: { tenant: { source: 'header', key: 'X-Tenant' } } },
      { path: '/c', service: 'plain', parameters: { tenant: { source: 'cookie', key: 'sid' } } },
    ],
  });
  expect(await (await fetch('/h', { headers: { 'X-Tenant': 'acme' } })).json()).toBe('acme');
  expect(await (await fetch('/c', { headers: { Cookie: 'sid="a%20b"' } })).json()).toBe('a b');
});

it('never shares a cached response, or an error, between values of a header or cookie', async () => {
  let calls = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow = defineService({
    name: 'slow',
    summary: 'The tenant, late',
    parameters: z.object({
      tenant: z.string().meta({ in: 'header', key: 'X-Tenant' }),
      sid: z.string().optional().meta({ in: 'cookie' }),
    }),
    response: z.string(),
    async handle({ tenant, sid = 'none' }) {
      calls++;
      await released;
      if (tenant === 'bad') throw new Problem('not_found', 'This tenant is unknown.');
      return `${tenant} ${sid}`;
    },
  });
  const { fetch } = await startGateway({
    services: [slow],
    endpoints: [{ path: '/t', service: 'slow', cache_seconds: 60 }],
  });
  const ask = async (tenant: string, cookie?: string) => {
    const response = await fetch('/t', {
      headers: { 'X-Tenant': tenant, ...(cookie === undefined ? {} : { Cookie: cookie }) },
    });
    return [response.status, response.status === 200 ? await response.json() : '', response.headers.get('vary')];
  };
  const together = ['bad', 'a', 'b', 'a', 'b', 'bad'].map((tenant) => ask(tenant));
  const withCookie = [ask('a', 'sid=1'), ask('a', 'sid=2')];
  release();
  const vary = 'X-Tenant, Cookie';
  expect((await Promise.all(together)).map(([status, text]) => `${status} ${text}`)).toEqual([
    ...['404 ', '200 a none', '200 b none', '200 a none', '200 b none', '404 '],
  ]);
  expect(await Promise.all(withCookie)).toEqual([
    [200, 'a 1', expect.stringContaining(vary)],
    [200, 'a 2', expect.stringContaining(vary)],
  ]);
  const before = calls;
  expect((await ask('a'))[1]).toBe('a none');
  expect((await ask('a', 'sid=2'))[1]).toBe('a 2');
  expect(calls).toBe(before);
});

it('validates the cookies of a contract before a request is forwarded', async () => {
  const origin = await startOrigin((_seen, _req, res) => res.end('ok'));
  const cookie = { name: 'sid', in: 'cookie', required: true, schema: { type: 'integer' } };
  const list = { name: 'list', in: 'cookie', schema: { type: 'array', items: { type: 'string' } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/up': { get: { operationId: 'up', parameters: [cookie, list], responses: { 200: { description: 'OK' } } } },
    },
  };
  const { fetch } = await startForwarding({
    files: { 'up.json': JSON.stringify(document) },
    endpoints: [
      {
        ...{ path: '/up', service: 'http', upstream: { targets: [origin.url] } },
        contract: { document: 'up.json', operation_id: 'up' },
      },
    ],
  });
  const status = async (value: string) => (await fetch('/up', { headers: { Cookie: value } })).status;
  expect([await status('sid=7; list=a'), await status('sid=x'), await status('other=1')]).toEqual([200, 400, 400]);
  expect(origin.seen.map(({ headers }) => headers.cookie)).toEqual(['sid=7; list=a']);
});
