import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { defineService, z } from '@rostergate/endpoints';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfiguration } from '../src/configuration-reader.ts';
import { describeBuiltInServices } from '../src/services/index.ts';
import { startForwarding } from './start-forwarding.ts';
import { configure, goodKey, startGateway } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

/** Sends a message as a client of 2025 does, and returns the result, the error or the problem. */
async function send(url: string, method: string, params: object, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    ...init,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...init.headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return message.result ?? message.error ?? message;
}

const call = (url: string, name: string, args: object = {}, init?: RequestInit) =>
  send(url, 'tools/call', { name, arguments: args }, init);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;
const toolsOf = (...ids: string[]) => ({ tools: ids.map((operation_id) => ({ operation_id })) });

/** Starts an upstream that begins a response to `/drip`, ends none, and counts the responses that were given up. */
async function startEndless() {
  let givenUp = 0;
  const server = createServer(({ url }, res) => {
    if (url === '/drip') res.writeHead(200, { 'Content-Type': 'text/plain' }).write('x');
    res.on('close', () => {
      givenUp++;
      server.emit('given-up');
    });
    server.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, upstream: { targets: [`http://127.0.0.1:${port}`] }, givenUp: () => givenUp };
}

describe('the arguments of a call', () => {
  const inQuery = (name: string, type: string, more: object = {}) => {
    const inner = type === 'array' ? { items: { type: 'string' } } : { properties: { a: { type: 'string' } } };
    return { name, in: 'query', schema: { type, ...inner }, ...more };
  };
  const inHeader = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });
  const contract = {
    openapi: '3.0.3',
    info: { title: 'People', version: '1' },
    paths: {
      '/people/{id}': {
        get: {
          operationId: 'find',
          parameters: [
            ...['Host', 'X-Forwarded-For', 'Forwarded', 'Content-Length', 'Transfer-Encoding', 'X-Tenant'].map(
              inHeader,
            ),
            inQuery('flat', 'object'),
            inQuery('deep', 'object', { style: 'deepObject', explode: true }),
            inQuery('pipes', 'array', { style: 'pipeDelimited', explode: false }),
          ],
          responses: { 200: { description: 'Found.' } },
        },
      },
    },
  };

  it('become the parameters of the contract in their styles, and no field that identifies the caller', async () => {
    const origin = await startOrigin();
    const upstream = { targets: [origin.url] };
    const { url } = await startForwarding({
      endpoints: [
        { path: '/people/{id}', service: 'http', upstream, contract: { document: 'p.json', operation_id: 'find' } },
      ],
      files: { 'p.json': JSON.stringify(contract) },
      settings: { mcp: toolsOf('getPeopleById') },
    });
    const { tools } = (await send(url, 'tools/list', {})) as { tools: { inputSchema: { properties: object } }[] };
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['id', 'X-Tenant', 'flat', 'deep', 'pipes']);
    const args = { id: 'x y', flat: { a: '1&' }, deep: { a: '2' }, pipes: ['3', '4|'], 'X-Tenant': 't' };
    await call(url, 'getPeopleById', args);
    expect(origin.seen).toMatchObject([
      { url: '/people/x%20y?a=1%26&deep%5Ba%5D=2&pipes=3%7C4%7C', headers: { 'x-tenant': 't' } },
    ]);
    expect(textOf(await call(url, 'getPeopleById', { id: '1', 'X-Forwarded-For': '203.0.113.9' }))).toBe(
      'There is no argument X-Forwarded-For.',
    );
  });

  it.each(['me', '', '..', '../people'])('reach no other operation: %j', async (id) => {
    const origin = await startOrigin();
    const upstream = { targets: [origin.url] };
    const { url } = await startForwarding({
      endpoints: ['/people/{id}', '/people/me'].map((path) => ({ path, service: 'http', upstream })),
      settings: { mcp: toolsOf('getPeopleById') },
    });
    expect(await call(url, 'getPeopleById', { id })).toMatchObject({ isError: true });
    expect(origin.seen).toEqual([]);
  });
});

it('names every tool of an operation in the contract that it serves', async () => {
  const tools = ['prices', 'costs'].map((name) => ({ operation_id: 'getPrices', name }));
  const { fetch } = await startGateway({
    endpoints: [{ path: '/prices', service: 'static', parameters: { answer: {} } }],
    settings: { mcp: { tools } },
  });
  const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, { get: object }> };
  expect(paths['/prices']?.get).toMatchObject({ 'x-mcp-tools': ['prices', 'costs'] });
});

it('checks the address that the proxy of an agent reports', async () => {
  const policies = { office: { type: 'addresses', deny: ['2001:db8::/32'] } };
  const files = {
    'endpoints.json': JSON.stringify({
      policies,
      endpoints: [{ path: '/inside', service: 'static', policies: ['office'], parameters: { answer: { in: 1 } } }],
    }),
  };
  const settings = {
    trusted_proxies: ['127.0.0.1'],
    rate_limit_enabled: true,
    rate_limit_per_minute: 1,
    mcp: toolsOf('getInside'),
  };
  const { url, fetch } = await startGateway({ files, settings });
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  expect(await send(url, 'tools/list', {}, from('2001:db8::1'))).toEqual({ tools: [] });
  expect(await call(url, 'getInside', {}, from('2001:db8::1'))).toMatchObject({
    message: expect.stringContaining('There is no tool getInside.'),
  });
  for (const address of ['192.0.2.1', '2001:db9::1']) {
    expect(await call(url, 'getInside', {}, from(address))).toMatchObject({ structuredContent: { in: 1 } });
    expect(textOf(await call(url, 'getInside', {}, from(address)))).toContain('limit_exceeded');
  }
  // Asking whether a caller may call a tool rejects no request.
  expect(await (await fetch('/metrics')).text()).not.toContain('policy_rejections_total{');
});

it('sends a call over TLS as a request over TLS', async () => {
  const pem = (name: string) => readFileSync(new URL(`./tls/first.${name}.pem`, import.meta.url), 'utf8');
  const origin = await startOrigin();
  const { url } = await startForwarding({
    endpoints: [{ path: '/stock', service: 'http', upstream: { targets: [origin.url] } }],
    files: { 'server.pem': pem('certificate'), 'server.key': pem('key') },
    settings: { tls_certificate_file: 'server.pem', tls_key_file: 'server.key', mcp: toolsOf('getStock') },
  });
  const request = https.request(`${url.replace('http:', 'https:')}/mcp`, {
    ...{ method: 'POST', ca: pem('certificate'), servername: 'localhost', agent: false },
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  });
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getStock' } }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(await text(response)).toContain('/stock');
  expect(origin.seen).toMatchObject([{ headers: { 'x-forwarded-proto': 'https' } }]);
});

it('accepts a key of an endpoint, which calls the tools of that endpoint', async () => {
  const { url } = await startGateway({
    endpoints: [
      {
        path: '/own',
        service: 'static',
        requires_auth: true,
        api_keys: 'key-of-one-endpoint',
        parameters: { answer: {} },
      },
      { path: '/other', service: 'static', requires_auth: true, parameters: { answer: {} } },
    ],
    settings: { mcp: { auth: ['key'], ...toolsOf('getOwn', 'getOther') } },
  });
  const namesFor = async (key: string) => {
    const { tools } = (await send(url, 'tools/list', {}, { headers: { 'X-API-Key': key } })) as {
      tools: { name: string }[];
    };
    return tools.map(({ name }) => name);
  };
  expect(await namesFor('key-of-one-endpoint')).toEqual(['getOwn']);
  expect(await namesFor(goodKey)).toEqual(['getOther']);
  expect(await send(url, 'tools/list', {}, { headers: { 'X-API-Key': 'wrong' } })).toMatchObject({ status: 401 });
});

it('gives the pages of origins the CORS headers that they need', async () => {
  const origins = ['https://app.example'];
  const { url } = await startGateway({
    settings: { mcp: { ...toolsOf('listEndpoints'), origins, resource: 'https://a.example/mcp' } },
  });
  for (const [path, method] of [
    ['/mcp', 'POST'],
    ['/.well-known/oauth-protected-resource/mcp', 'GET'],
  ]) {
    const preflight = await fetch(url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': method as string,
        'Access-Control-Request-Headers': 'content-type,mcp-method,x-api-key',
      },
    });
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('content-type,mcp-method,x-api-key');
    const rejected = await fetch(url + path, { method: method as string, headers: { Origin: 'https://evil.example' } });
    expect(rejected.headers.get('Access-Control-Allow-Origin')).toBeNull();
  }
});

it('finishes a call when the server begins to stop', async () => {
  let [begin, finish] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = defineService({
    name: 'slow',
    summary: 'Slow',
    parameters: z.object({}),
    response: z.object({ done: z.boolean() }),
    async handle() {
      begin();
      await finished;
      return { done: true };
    },
  });
  const { url, app } = await startGateway({
    endpoints: [{ path: '/slow', service: 'slow' }],
    services: [...describeBuiltInServices(), slow],
    settings: { mcp: toolsOf('getSlow') },
  });
  const result = call(url, 'getSlow');
  await begun;
  app.beginDrain();
  app.server.close();
  finish();
  expect(await result).toMatchObject({ structuredContent: { done: true } });
});

it('gives up a request to an upstream at the deadline of a call, and when the agent leaves', async () => {
  const { server, upstream, givenUp } = await startEndless();
  const { url, log } = await startForwarding({
    endpoints: ['/drip', '/never'].map((path) => ({ path, service: 'http', upstream })),
    settings: { mcp: { ...toolsOf('getDrip', 'getNever'), timeout_ms: 2_000 } },
  });
  for (const [i, name] of ['getDrip', 'getNever'].entries()) {
    expect(textOf(await call(url, name))).toBe('The call took longer than 2000 ms.');
    if (givenUp() === i) await once(server, 'given-up');
  }
  const leaving = new AbortController();
  const asked = once(server, 'asked');
  const left = call(url, 'getNever', {}, { signal: leaving.signal }).catch(() => 'left');
  await asked;
  leaving.abort();
  expect(await left).toBe('left');
  if (givenUp() === 2) await once(server, 'given-up');
  expect(log()).not.toContain('a call of a tool failed');
});

it('ends a subscription at once, since tools never change during one', async () => {
  const { url } = await startGateway({ settings: { mcp: toolsOf('listEndpoints') } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const headers = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
  const params = { notifications: { toolsListChanged: true }, _meta };
  expect(await send(url, 'subscriptions/listen', params, { headers })).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
  });
});

it.each(['GET', 'POST'])('reports an endpoint %s /mcp beside the setting at its place', async (method) => {
  const endpoints = [{ path: '/mcp', method, service: 'echo' }];
  await expect(configure({ endpoints, settings: { mcp: toolsOf('listEndpoints') } })).rejects.toThrow(
    /endpoints\.json:1:\d+ {2}endpoints\[0\]\.path: collides with the built-in \/mcp/,
  );
});

it('reports a fault of ROSTERGATE_MCP there, also when the file has the setting', async () => {
  const settings = JSON.stringify({ mcp: toolsOf('listEndpoints') });
  const reading = loadConfiguration({
    settingsFile: '/config/settings.json',
    env: { ROSTERGATE_MCP: JSON.stringify(toolsOf('getNothing')) },
    readText: (path) => (path === '/config/settings.json' ? settings : undefined),
    createServices: describeBuiltInServices,
  });
  await expect(reading).rejects.toThrow('environment ROSTERGATE_MCP  mcp.tools[0].operation_id');
});
