import type { Context, LocalRequest } from '@rostergate/server';
import { expect, it } from 'vitest';
import { createMcpHandler } from './mcp-handler.ts';
import { createTools } from './tools.ts';

const { tools } = createTools(
  {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    security: [],
    paths: { '/prices': { get: { operationId: 'getPrices', responses: {} } } },
  },
  [{ operation_id: 'getPrices' }],
);

it.each([
  ['a response', async () => ({ status: 404, headers: {}, body: Buffer.of(), isWhole: true }), { status: 404 }],
  ['a failure', () => Promise.reject(new Error('gone')), { error: new Error('gone') }],
])('ends the span of a call with %s', async (_case, respond, outcome) => {
  const sent: LocalRequest[] = [];
  const ended: unknown[] = [];
  const handle = createMcpHandler({
    info: { name: 'shop', title: 'Shop', version: '1' },
    tools: () => tools,
    router: () => ({ mayCall: () => true, operationAt: () => 'getPrices' }),
    send(request) {
      sent.push(request);
      return respond();
    },
    origins: [],
    timeoutMs: 60_000,
    resultBytesMax: 1_000,
    onError: () => {},
  });
  const context = {
    req: {
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      socket: { remoteAddress: '192.0.2.1' },
    },
    call: new AbortController().signal,
    trace: { startCall: () => ({ headers: { traceparent: 'of the call' }, end: (end: unknown) => ended.push(end) }) },
  } as unknown as Context;
  await handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getPrices' } }, context);
  expect(sent).toMatchObject([{ headers: { traceparent: 'of the call' }, client: { remoteAddress: '192.0.2.1' } }]);
  expect(ended).toEqual([outcome]);
});
