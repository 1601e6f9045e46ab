import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { type GatewayProcess, goodKey, startGateway, withKey } from '../gateway-process.ts';
import { startOidcIssuer } from '../oidc-issuer.ts';
import { whenTestEnds } from '../when-test-ends.ts';

const endpoints = [
  { path: '/api/echo', method: 'POST', service: 'echo', auth: ['key', 'jwt:corp'] },
  { path: '/api/fixed', service: 'static', summary: 'A fixed answer', parameters: { answer: { message: 'hello' } } },
];
const tools = [
  { operation_id: 'getApiFixed', name: 'fixed' },
  { operation_id: 'postApiEcho', name: 'echo' },
];
const resource = 'https://api.example.com';

/** Starts a gateway with tools for keys and for the tokens of a real issuer. */
async function start(settings: object = {}) {
  const issuer = await startOidcIssuer(whenTestEnds);
  const gateway = await startGateway({
    endpoints,
    settings: {
      jwt_issuers: [issuer.settings],
      mcp: { auth: ['key', 'jwt:corp'], resource, tools },
      ...settings,
    },
  });
  return { issuer, gateway };
}

/** Connects the official client. */
async function connect({ url }: Pick<GatewayProcess, 'url'>, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  whenTestEnds(() => client.close());
  return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const acceptsBoth = { Accept: 'application/json, text/event-stream' };
const post = (json: unknown, more: Record<string, string> = {}) => ({
  ...{ method: 'POST', json },
  headers: { ...acceptsBoth, ...more },
});
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
/** What a client of the current revision sends with each message. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const currentFields = { 'MCP-Protocol-Version': '2026-07-28' };

test('setting mcp: an agent lists and calls tools with a key or with a token of a real issuer', async () => {
  const { issuer, gateway } = await start();
  const token = await issuer.token();
  for (const [headers, caller] of [
    [{ 'X-API-Key': goodKey }, expect.any(String)],
    [{ Authorization: `Bearer ${token}` }, 'corp:orders-app'],
  ] as const) {
    const client = await connect(gateway, headers);
    expect(await namesOf(client)).toContain('echo');
    const { structuredContent } = await client.callTool({ name: 'echo', arguments: { body: { a: 1 } } });
    expect(structuredContent).toMatchObject({ caller, body: { a: 1 } });
  }
  await gateway.logged(({ route, method }) => route === '/api/echo' && method === 'POST');
});

test('setting mcp: two workers serve the same tools, and an edit adds one to both', async () => {
  const settings = { workers: 2, jwt_issuers: [], mcp: { tools: tools.slice(0, 1) } };
  const gateway = await startGateway({ endpoints: endpoints.slice(1), settings });
  const tried = await Promise.all(Array.from({ length: 8 }, async () => namesOf(await connect(gateway, {}))));
  expect(tried).toEqual(Array(8).fill(['fixed']));
  await gateway.write('settings.json', {
    ...settings,
    mcp: { tools: [...settings.mcp.tools, { operation_id: 'listEndpoints', name: 'endpoints' }] },
  });
  // The primary may end a worker that applies the edit late, with its connections.
  await expect
    .poll(() => Promise.all(Array.from({ length: 8 }, async () => namesOf(await connect(gateway, {})))))
    .toEqual(Array(8).fill([expect.any(String), expect.any(String)]));
});

test('setting mcp: a tool of no operation is a fault with its place', async () => {
  const { issuer, gateway } = await start();
  const settings = { jwt_issuers: [issuer.settings], mcp: { tools: [{ operation_id: 'getNothing' }] } };
  await gateway.write('settings.json', settings);
  await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
  expect(gateway.output()).toMatch(/settings\.json:\d+:\d+.{0,40}mcp\.tools\[0\]\.operation_id/s);
  expect(await namesOf(await connect(gateway, { 'X-API-Key': goodKey }))).toContain('echo');
});

test('route POST /mcp: responds to each message by the protocol, and rejects what is none', async () => {
  const { gateway } = await start({
    rate_limit_enabled: true,
    mcp: { auth: ['key'], tools, origins: ['https://app.example'] },
  });
  const statusOf = async (options: object) => (await gateway.call('/mcp', options)).status;
  const { headers } = withKey;
  expect(await statusOf(post(list, headers))).toBe(200);
  expect(await statusOf(post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers))).toBe(202);
  const plain = await gateway.call('/mcp', { method: 'POST', json: list, headers });
  expect([plain.status, plain.body.result.tools.length]).toEqual([200, 2]);
  const current = (method: string, named = method) =>
    post({ ...list, method, params: { _meta: envelope } }, { ...headers, ...currentFields, 'Mcp-Method': named });
  expect(await statusOf(current('tools/list'))).toBe(200);
  expect(await statusOf(current('tools/list', 'tools/call'))).toBe(400);
  expect(await statusOf(current('nothing/here'))).toBe(404);
  expect(await statusOf(post(list))).toBe(401);
  expect(await statusOf(post(list, { ...headers, Origin: 'https://evil.example' }))).toBe(403);
  expect(await statusOf(post(list, { ...headers, Origin: 'https://app.example' }))).toBe(200);
  expect(
    await statusOf({
      method: 'POST',
      body: '[',
      headers: { ...acceptsBoth, ...headers, 'Content-Type': 'application/json' },
    }),
  ).toBe(400);
  expect(
    await statusOf({
      method: 'POST',
      body: 'a',
      headers: { ...acceptsBoth, ...headers, 'Content-Type': 'text/plain' },
    }),
  ).toBe(415);
  expect(await statusOf(post({ ...list, more: 'x'.repeat(11_000_000) }, headers))).toBe(413);
  expect((await gateway.call('/mcp', { headers })).status).toBe(405);
});

test('route POST /mcp: counts against the auxiliary quota of the address', async () => {
  const gateway = await startGateway({
    endpoints: endpoints.slice(1),
    settings: { rate_limit_enabled: true, mcp: { tools: tools.slice(0, 1), resource } },
  });
  const statuses = new Set<number>();
  for (let i = 0; i < 76; i++) {
    const eight = Array.from({ length: 8 }, async () => (await gateway.call('/mcp', post(list))).status);
    for (const status of await Promise.all(eight)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200, 429]);
  expect((await gateway.call('/.well-known/oauth-protected-resource/mcp')).status).toBe(429);
});

test('route GET /.well-known/oauth-protected-resource/mcp: names the issuers, and a 401 leads to it', async () => {
  const { issuer, gateway } = await start({ rate_limit_enabled: true });
  const path = '/.well-known/oauth-protected-resource/mcp';
  const rejected = await gateway.call('/mcp', post(list));
  expect(rejected.headers.get('www-authenticate')).toContain(`resource_metadata="${resource}${path}"`);
  expect((await gateway.call(path)).body).toEqual({
    ...{ resource, authorization_servers: [issuer.url], bearer_methods_supported: ['header'] },
  });
  expect((await gateway.call(path, { headers: { 'X-API-Key': 'wrong' } })).status).toBe(401);
  expect((await gateway.call(`${path}?more=1`)).status).toBe(400);
});
