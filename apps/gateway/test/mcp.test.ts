import { createHash } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defineService, z } from '@rostergate/endpoints';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeBuiltInServices } from '../src/services/index.ts';
import { audience, corp, createSigningKey, createStandInIssuer, signToken } from './stand-in-issuer.ts';
import { startForwarding } from './start-forwarding.ts';
import { configure, goodKey, type StartOptions, startGateway } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const price = defineService({
  name: 'price',
  summary: 'Price of a product',
  parameters: z.object({
    id: z.string().describe('Number of the product.').meta({ in: 'path' }),
    currency: z.enum(['EUR', 'USD']).default('EUR'),
  }),
  response: z.object({ id: z.string(), currency: z.string(), owner: z.string() }),
  handle: ({ id, currency }, { principal }) => ({ id, currency, owner: principal?.owner ?? '' }),
});
const order = defineService({
  name: 'order',
  summary: 'Place an order',
  parameters: z.object({}),
  body: z.object({ id: z.string(), count: z.number().int().min(1) }),
  response: z.object({ ordered: z.number() }),
  handle: ({ body }) => ({ ordered: body.count }),
});

const endpoints = [
  { path: '/api/prices/{id}', service: 'price', summary: 'Price of a product' },
  { path: '/api/orders', method: 'POST', service: 'order', requires_auth: true, scopes: ['orders'] },
];
const tools = [
  { operation_id: 'getApiPricesById', name: 'price', description: 'The price of a product.' },
  { operation_id: 'postApiOrders' },
];
const entry = (name: string, scopes: readonly string[] = []) => ({
  ...{ name, owner: name, scopes },
  sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
});
const files = { 'keys.json': JSON.stringify({ keys: [entry('buyer', ['orders']), entry('reader')] }) };
const services = [...describeBuiltInServices(), price, order];
const shop = (mcp: object = {}, more: StartOptions = {}): StartOptions => ({
  ...{ endpoints, services, files },
  ...more,
  settings: { ...more.settings, mcp: { tools, ...mcp } },
});

/** Connects the official client, by the newest revision or as a client of 2025. */
async function connect(url: string, headers: Record<string, string> = {}, mode: 'auto' | 'legacy' = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

const keyOf = (name: string) => ({ 'X-API-Key': `key-of-${name}` });
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe.each(['auto', 'legacy'] as const)('with the version negotiation %s', (mode) => {
  it('lists the tools that a caller may call, with the schemas of the contract', async () => {
    const { url } = await startGateway(shop());
    const { tools: listed } = await (await connect(url, keyOf('buyer'), mode)).listTools();
    expect(listed).toEqual([
      {
        name: 'price',
        title: 'Price of a product',
        description: 'The price of a product.',
        annotations: { readOnlyHint: true, destructiveHint: false },
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Number of the product.' },
            currency: { type: 'string', enum: ['EUR', 'USD'], default: 'EUR' },
          },
          required: ['id'],
          additionalProperties: false,
        },
      },
      expect.objectContaining({
        name: 'postApiOrders',
        annotations: { readOnlyHint: false, destructiveHint: true },
        inputSchema: expect.objectContaining({ required: ['body'] }),
      }),
    ]);
    expect(await namesOf(await connect(url, keyOf('reader'), mode))).toEqual(['price']);
    expect(await namesOf(await connect(url, {}, mode))).toEqual(['price']);
  });

  it('runs the endpoint with the principal of the caller', async () => {
    const { url } = await startGateway(shop());
    const client = await connect(url, keyOf('buyer'), mode);
    const result = await client.callTool({ name: 'price', arguments: { id: 'a/b c', currency: 'USD' } });
    expect(result).toMatchObject({ structuredContent: { id: 'a/b c', currency: 'USD', owner: 'buyer' } });
    const ordered = await client.callTool({ name: 'postApiOrders', arguments: { body: { id: 'x', count: 3 } } });
    expect(ordered.content).toEqual([{ type: 'text', text: '{"ordered":3}' }]);
    expect(ordered.isError).not.toBe(true);
  });
});

it('reports what the endpoint rejects as an error of the call', async () => {
  const { url } = await startGateway(shop());
  const client = await connect(url, keyOf('buyer'));
  const textOf = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return [isError, (content as { text: string }[])[0]?.text];
  };
  expect(await textOf('price', { id: '1', currency: 'GBP' })).toEqual([true, expect.stringContaining('"currency"')]);
  expect(await textOf('price', { id: '1', color: 'red' })).toEqual([true, 'There is no argument color.']);
  expect(await textOf('price', {})).toEqual([true, 'The argument id is required.']);
  expect(await textOf('postApiOrders', { body: { id: 'x', count: 0 } })).toEqual([
    true,
    expect.stringContaining('"/count"'),
  ]);
});

it('hides a tool that a key may not call, and calls it for none', async () => {
  const { url } = await startGateway(shop());
  for (const headers of [keyOf('reader'), {}]) {
    const client = await connect(url, headers);
    const call = (name: string) => client.callTool({ name, arguments: { body: { id: 'x', count: 1 } } });
    await expect(call('postApiOrders')).rejects.toThrow('There is no tool postApiOrders.');
    await expect(call('nothing')).rejects.toThrow('There is no tool nothing.');
  }
});

it('counts each call against the limits of the caller, and no message of the protocol', async () => {
  const settings = { rate_limit_enabled: true, rate_limit_per_minute_authenticated: 3 };
  const { url, fetch } = await startGateway(shop({}, { settings }));
  const client = await connect(url, keyOf('reader'));
  await client.listTools();
  const call = () => client.callTool({ name: 'price', arguments: { id: '1' } });
  for (let i = 0; i < 3; i++) expect((await call()).isError).not.toBe(true);
  const rejected = await call();
  expect(rejected.isError).toBe(true);
  expect(JSON.stringify(rejected.content)).toMatch(/limit_exceeded.*Try again in \d+ seconds/);
  expect((await fetch('/api/prices/1', { headers: keyOf('reader') })).status).toBe(429);
  expect((await fetch('/api/prices/1', { headers: keyOf('buyer') })).status).toBe(200);
});

it('sends the credential of the caller to no upstream', async () => {
  const origin = await startOrigin();
  const upstream = { targets: [origin.url] };
  const forwarding = { path: '/stock', service: 'http', requires_auth: true, upstream };
  const { url } = await startForwarding({
    endpoints: [forwarding],
    settings: { mcp: { tools: [{ operation_id: 'getStock' }] } },
  });
  for (const headers of [{ 'X-API-Key': goodKey }, { Authorization: `Bearer ${goodKey}` }]) {
    const client = await connect(url, headers);
    expect((await client.callTool({ name: 'getStock', arguments: {} })).isError).not.toBe(true);
  }
  expect(origin.seen.map(({ url: path }) => path)).toEqual(['/stock', '/stock']);
  expect(JSON.stringify(origin.seen)).not.toContain(goodKey);
});

describe('auth', () => {
  const key = createSigningKey('k1');
  const resource = 'https://api.example/mcp';
  const issuer = { ...corp, audiences: [audience, resource] };
  const secured = { auth: ['key', 'jwt:corp'], resource };
  const start = () =>
    startGateway(
      shop(secured, {
        endpoints: endpoints.map((one) => ({ ...one, requires_auth: undefined, auth: ['key', 'jwt:corp'] })),
        settings: { jwt_issuers: [issuer] },
        loadKeys: createStandInIssuer(key).loadKeys,
      }),
    );
  const post = (fetch: (path: string, init?: RequestInit) => Promise<Response>, headers: Record<string, string>) =>
    fetch('/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  it('names the metadata in the 401 of a missing and of a wrong credential', async () => {
    const { fetch } = await start();
    const metadata = 'https://api.example/.well-known/oauth-protected-resource/mcp';
    const forOther = await signToken(key);
    for (const headers of [{}, { 'X-API-Key': 'wrong' }, { Authorization: `Bearer ${forOther}` }]) {
      const response = await post(fetch, headers as Record<string, string>);
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toContain(`resource_metadata="${metadata}"`);
    }
    const response = await fetch('/.well-known/oauth-protected-resource/mcp');
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: [corp.issuer],
      bearer_methods_supported: ['header'],
    });
  });

  it('accepts a token that is meant for /mcp, and a key', async () => {
    const { url } = await start();
    const token = await signToken(key, { claims: { aud: resource } });
    for (const headers of [{ Authorization: `Bearer ${token}` }, keyOf('reader')] as Record<string, string>[]) {
      const client = await connect(url, headers);
      expect(await namesOf(client)).toEqual(['price']);
      expect((await client.callTool({ name: 'price', arguments: { id: '1' } })).isError).not.toBe(true);
    }
  });
});

it.each([
  ['https://evil.example', [], 403],
  ['https://app.example', ['https://app.example'], 200],
  ['https://other.example', ['*'], 200],
  ['http://localhost:1', [], 403],
  ['http://127.0.0.1:80.evil.example', [], 403],
  ['null', [], 403],
])('a page of %s with the origins %j gets %d', async (origin, origins, status) => {
  const { fetch } = await startGateway(shop({ origins }));
  const response = await fetch('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Origin: origin },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(response.status).toBe(status);
});

it('serves pages of this machine under its own address', async () => {
  const { url, fetch } = await startGateway(shop());
  const response = await fetch('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Origin: url },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(response.status).toBe(200);
});

it('is not served without the setting, so that an endpoint may have its path', async () => {
  const { fetch } = await startGateway({ endpoints: [{ path: '/mcp', method: 'POST', service: 'echo' }] });
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };
  expect((await fetch('/mcp', json)).status).toBe(200);
  const { fetch: without } = await startGateway();
  expect((await without('/mcp', json)).status).toBe(404);
});

it.each([
  [{ tools: [{ operation_id: 'getNothing' }] }, 'mcp.tools[0].operation_id: names no operation'],
  [{ tools: [tools[0], { ...tools[1], name: 'price' }] }, 'mcp.tools[1].name: repeats the tool name "price"'],
  [{ tools: [{ ...tools[0], name: 'a b' }] }, 'mcp.tools[0].name'],
  [{ auth: ['jwt:corp'] }, 'mcp.auth[0]: names the issuer "corp"'],
  [{ tools: [{ operation_id: 'callMcp' }] }, 'mcp.tools[0].operation_id: is /mcp itself'],
  [{ origins: ['https://App.example'] }, 'mcp.origins[0]: Browsers never send'],
  [{ more: 1 }, 'mcp.more'],
])('rejects the settings %j', async (mcp, message) => {
  await expect(configure(shop(mcp))).rejects.toThrow(message);
});
