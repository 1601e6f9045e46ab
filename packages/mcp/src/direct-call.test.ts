import type { Context, LocalResponse } from '@rostergate/server';
import { expect, it } from 'vitest';
import { readDirectCall } from './direct-call.ts';
import { createMcpHandler } from './mcp-handler.ts';
import { createTools } from './tools.ts';

const document = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  security: [],
  paths: { '/prices': { get: { operationId: 'getPrices', responses: {} } } },
};
const envelope = (capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});
const currentFields = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'getPrices' };
const message = (params: object, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'getPrices', ...params },
  ...more,
});

async function answer(body: object, headers: Record<string, string>, response: Partial<LocalResponse> = {}) {
  const handle = createMcpHandler({
    info: { name: 'shop', title: 'Shop', version: '1' },
    tools: () => createTools(document, [{ operation_id: 'getPrices' }]).tools,
    router: () => ({ mayCall: () => true, operationAt: () => 'getPrices' }),
    send: async () => ({
      ...{
        status: 200,
        headers: { 'content-type': 'application/json' },
        isWhole: true,
        body: Buffer.from('{"a":"é"}'),
      },
      ...response,
    }),
    origins: [],
    timeoutMs: 60_000,
    resultBytesMax: 1_000,
    onError: () => {},
  });
  const context = {
    req: { headers: { 'content-type': 'application/json', accept: 'application/json', ...headers }, socket: {} },
    call: new AbortController().signal,
    signal: new AbortController().signal,
    trace: { startCall: () => ({ headers: {}, end: () => {} }) },
  } as unknown as Context;
  return handle(body, context);
}

// The other form of each message has a member that only the library reads.
it.each([
  ['of 2025', {}, {}, { _meta: {} }],
  ['of 2025 with its version', { 'mcp-protocol-version': '2025-11-25' }, {}, { _meta: {} }],
  [
    'of 2025 that takes events',
    { 'mcp-protocol-version': '2025-06-18', accept: 'application/json, text/event-stream' },
    {},
    { _meta: {} },
  ],
  ['of the current revision', currentFields, { _meta: envelope() }, { _meta: envelope({ roots: {} }) }],
])('answers a usual call %s as the protocol library does', async (_case, headers, usual, other) => {
  for (const response of [{}, { status: 404 }, { body: Buffer.of() }]) {
    for (const more of [{ arguments: {} }, {}, { arguments: { nothing: 1 } }]) {
      const [direct, byLibrary] = [message({ ...usual, ...more }), message({ ...other, ...more }, { id: 1 })];
      expect(readDirectCall(direct, headers)).toBeDefined();
      expect(readDirectCall(byLibrary, headers)).toBeUndefined();
      expect(await answer(direct, headers, response)).toEqual(await answer(byLibrary, headers, response));
    }
  }
});

it.each([
  ['without an id', message({}, { id: undefined }), {}],
  ['with a fractional id', message({}, { id: 1.5 }), {}],
  ['of another version of JSON-RPC', message({}, { jsonrpc: '1.0' }), {}],
  ['with more members', message({}, { more: 1 }), {}],
  ['with more parameters', message({ task: {} }), {}],
  ['with arguments that are no object', message({ arguments: [] }), {}],
  ['of an unknown revision', message({}), { 'mcp-protocol-version': '1999-01-01' }],
  ['whose fields name another tool', message({ _meta: envelope() }), { ...currentFields, 'mcp-name': 'other' }],
  ['whose fields name another method', message({ _meta: envelope() }), { ...currentFields, 'mcp-method': 'ping' }],
  ['without the fields of its revision', message({ _meta: envelope() }), {}],
  ['that asks for progress', message({ _meta: { ...envelope(), progressToken: 1 } }), currentFields],
  ['of another method', message({}, { method: 'tools/list' }), {}],
])('leaves a message %s to the protocol library', (_case, body, headers) => {
  expect(readDirectCall(body, headers)).toBeUndefined();
});
