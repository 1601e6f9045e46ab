import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { defineService } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importOpenApi } from '../src/import/import-openapi.ts';
import { startForwarding } from './start-forwarding.ts';
import { goodKey } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const parameter = (name: string, place: string, schema: object) => ({
  name,
  in: place,
  ...(place === 'path' ? { required: true } : {}),
  schema,
});
const inPath = (schema: object, more: readonly object[] = []) => ({
  delete: { parameters: [parameter('id', 'path', schema), ...more], responses: { 204: { description: 'Deleted' } } },
});

const document = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/o/{id}': inPath({ type: 'integer', format: 'int64' }),
    '/n/{id}': inPath({ type: 'number', minimum: 0, maximum: 1e30 }),
    '/s/{id}': inPath({ type: 'string' }),
    '/l/{id}': inPath({ type: 'array', items: { type: 'integer' } }),
  },
};

/** Starts a gateway with the operations of the document in front of an upstream; requests are sent as bytes. */
async function startOrders(paths: object = document.paths) {
  const origin = await startOrigin((_seen, _req, res) => res.writeHead(204).end());
  const imported = importOpenApi(
    { text: JSON.stringify({ ...document, paths }), name: 'orders.json' },
    { documentPath: 'orders.openapi.json', prefix: '/', targets: [origin.url] },
  );
  const gateway = await startForwarding({
    endpoints: JSON.parse(imported.endpointsText).endpoints,
    files: { [imported.documentPath]: imported.documentText },
  });
  const send = async (method: string, target: string, headers: readonly string[] = []) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const head = [`${method} ${target} HTTP/1.1`, 'Host: a', `X-API-Key: ${goodKey}`, 'Connection: close', ...headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
    return Number((await text(socket)).split(' ', 2)[1]);
  };
  return { ...gateway, send, seen: origin.seen, sent: () => origin.seen.map(({ url }) => url) };
}

describe('a path parameter of an imported operation', () => {
  it.each([
    '/o/1234567890123456789',
    '/o/-9007199254740993',
    '/o/007',
    '/o/%31%32',
    '/n/1.10',
    '/n/1e2',
    '/n/12345678901234567890.5',
    '/l/1,2',
    '/l/1%2C2',
    "/s/a,b;c=d:e@f!$&'()*+",
    '/s/a%2Cb%20c%2f%C3%A9',
    '/s/caf%c3%a9',
  ])('reaches the upstream as the client wrote it: %s', async (target) => {
    const { send, sent } = await startOrders();
    expect(await send('DELETE', target)).toBe(204);
    expect(sent()).toEqual([target]);
  });

  it('is percent-encoded if it contains bytes that are invalid in a URI', async () => {
    const { send, sent } = await startOrders();
    expect(await send('DELETE', '/s/a"b<c>^`{|}')).toBe(204);
    expect(sent()).toEqual(['/s/a%22b%3Cc%3E%5E%60%7B%7C%7D']);
  });
});

const notNumbers = ['Infinity', '1e400', '0x10', '0b11', '%205', '%20', '%2B5'];

describe('a text that is not a JSON number', () => {
  it.each([...notNumbers, ''])('400: is rejected as an integer of a built-in operation: %j', async (text) => {
    const { send } = await startOrders();
    expect(await send('GET', `/metrics?routes=${text}`)).toBe(400);
    expect(await send('GET', '/metrics?routes=10')).toBe(200);
  });

  it.each(notNumbers)('400: is rejected as a number of an imported operation: %s', async (text) => {
    const numbers = [parameter('q', 'query', { type: 'integer' }), parameter('X-N', 'header', { type: 'number' })];
    const { send, sent } = await startOrders({ '/o/{id}': inPath({ type: 'integer' }, numbers) });
    expect(await send('DELETE', `/o/${text}`)).toBe(400);
    expect(await send('DELETE', `/o/1?q=${text}`)).toBe(400);
    // Spaces around a field value are not part of it (RFC 9110 §5.5).
    const value = decodeURIComponent(text).trim();
    if (value !== '5') expect(await send('DELETE', '/o/1', [`X-N: ${value}`])).toBe(400);
    expect(sent()).toEqual([]);
  });

  it('400: is rejected as a number of a service, and a large integer is not rounded', async () => {
    const seen: unknown[] = [];
    const service = defineService({
      name: 'count',
      summary: 'Counts',
      parameters: z.object({ id: z.number(), q: z.int().optional() }),
      response: z.object({}),
      handle: (input) => {
        seen.push(input);
        return {};
      },
    });
    const { fetch } = await startForwarding({
      endpoints: [{ path: '/c/{id}', service: 'count' }],
      services: [service],
    });
    for (const text of [...notNumbers, '007', '9007199254740993']) {
      expect((await fetch(`/c/${text}`)).status, text).toBe(400);
      expect((await fetch(`/c/1?q=${text}`)).status, text).toBe(400);
    }
    expect((await fetch('/c/1.5e1?q=9007199254740991')).status).toBe(200);
    expect(seen).toEqual([{ id: 15, q: 9007199254740991 }]);
  });
});

it('204: accepts the characters that RFC 3986 §3.4 allows in a query, and forwards them unchanged', async () => {
  const { send, sent } = await startOrders({
    '/s/{id}': inPath({ type: 'string' }, [parameter('t', 'query', { type: 'string' })]),
  });
  for (const query of ['t=10:30', 't=a@b.co', 't=a/b', 't=a?b'])
    expect(await send('DELETE', `/s/1?${query}`)).toBe(204);
  expect(sent()).toEqual(['/s/1?t=10:30', '/s/1?t=a@b.co', '/s/1?t=a/b', '/s/1?t=a?b']);
});

const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];

describe('a name that every object inherits', () => {
  it('200: may be the name of a parameter of a service, required or not', async () => {
    const shape = Object.fromEntries(inherited.map((name) => [name, z.string().optional()]));
    const service = defineService({
      name: 'names',
      summary: 'Names',
      parameters: z.object({ ...shape, valueOf: z.string() }),
      response: z.record(z.string(), z.string()),
      handle: (input) => ({ ...input }) as Record<string, string>,
    });
    const endpoints = [
      { path: '/q', service: 'names' },
      {
        path: '/p/{constructor}',
        service: 'names',
        parameters: { toString: { source: 'query', key: 'hasOwnProperty2' } },
      },
    ];
    const { fetch } = await startForwarding({ endpoints, services: [service] });
    expect((await fetch('/q')).status).toBe(400);
    expect((await fetch('/q?toString=1')).status).toBe(400);
    expect(await (await fetch('/q?valueOf=1')).json()).toEqual({ valueOf: '1' });
    expect(await (await fetch('/p/a?valueOf=1&hasOwnProperty2=b')).json()).toEqual({
      constructor: 'a',
      valueOf: '1',
      toString: 'b',
    });
  });

  it('204: may be the name of a parameter or operation of an imported contract', async () => {
    const named = (place: string, isRequired: boolean) =>
      inherited.map((name) => ({ ...parameter(name, place, { type: 'string' }), required: isRequired }));
    const response = { responses: { 204: { description: 'Done' } } };
    const operation = (operationId: string, parameters: object[]) => ({
      delete: { operationId, parameters, ...response },
    });
    const { send, sent } = await startOrders({
      '/optional': operation('constructor', [...named('query', false), ...named('header', false)]),
      '/required': operation('toString', named('query', true)),
      '/headers': operation('valueOf', named('header', true)),
      '/path/{constructor}': operation('hasOwnProperty', [parameter('constructor', 'path', { type: 'integer' })]),
      '/object': operation('__proto__', [
        {
          ...parameter('constructor', 'query', { type: 'object', properties: { toString: { type: 'integer' } } }),
          style: 'deepObject',
        },
      ]),
    });
    expect(await send('DELETE', '/optional')).toBe(204);
    expect(await send('DELETE', '/optional?constructor=1&valueOf=2')).toBe(204);
    expect(await send('DELETE', '/required')).toBe(400);
    expect(await send('DELETE', `/required?${inherited.map((name) => `${name}=1`).join('&')}`)).toBe(204);
    expect(await send('DELETE', '/headers')).toBe(400);
    expect(
      await send(
        'DELETE',
        '/headers',
        inherited.map((name) => `${name}: 1`),
      ),
    ).toBe(204);
    expect(await send('DELETE', '/path/12')).toBe(204);
    expect(await send('DELETE', '/object?constructor%5BtoString%5D=x')).toBe(400);
    expect(await send('DELETE', '/object?constructor%5BtoString%5D=1')).toBe(204);
    expect(sent()).toHaveLength(6);
  });
});

it.each([
  ['image/*', 'image/png', 204],
  ['image/*', 'IMAGE/SVG+xml; charset=latin1', 204],
  ['application/*', 'application/zip', 204],
  ['application/*', 'application/json', 204],
  ['image/*', 'application/zip', 415],
  ['image/*', '', 415],
  ['text/*', 'text/csv', 204],
])(
  'forwards a body that is declared as %s and sent as "%s" unchecked, or rejects it: %i',
  async (range, type, status) => {
    const put = { requestBody: { content: { [range]: {} } }, responses: { 204: { description: 'Stored' } } };
    const { fetch, seen } = await startOrders({ '/i': { put } });
    const body = Buffer.from('{not json');
    const response = await fetch('/i', {
      method: 'PUT',
      headers: { 'X-API-Key': goodKey, 'Content-Type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(seen.map((request) => [request.headers['content-type'], request.body])).toEqual(
      status === 204 ? [[type, '{not json']] : [],
    );
  },
);
