import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { importOpenApi } from '../../src/import/import-openapi.ts';
import { type AtEnd, whenAllEnd } from '../at-end.ts';
import { type GatewayProcess, makeFolder, startGateway } from './gateway-process.ts';

const tree = { $ref: '#/components/schemas/Tree' };
const tagged = (op: string, more: object) => ({
  type: 'object',
  required: ['op', ...Object.keys(more)],
  properties: { op: { enum: [op] }, ...more },
});
const filters = (name: string, more: object) => {
  const list = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
  const branches = { And: { args: list }, Or: { args: list }, Leaf: { value: {} } };
  return {
    [name]: { oneOf: Object.keys(branches).map((b) => ({ $ref: `#/components/schemas/${name}${b}` })), ...more },
    ...Object.fromEntries(Object.entries(branches).map(([b, fields]) => [name + b, tagged(b.toLowerCase(), fields)])),
  };
};
const schemas = {
  Tree: {
    anyOf: [
      { type: 'object', required: ['a'], properties: { a: tree, kind: { enum: ['x'] } } },
      { type: 'object', required: ['a'], properties: { a: tree } },
      { type: 'object', required: ['a'], properties: { a: tree, size: { type: 'integer' } } },
      { type: 'integer' },
    ],
  },
  ...filters('Filter', {}),
  ...filters('NamedFilter', { discriminator: { propertyName: 'op' } }),
  Unique: { type: 'array', uniqueItems: true },
  Pattern: { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } },
  ShortPattern: { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$', maxLength: 10 } } },
  Looking: { type: 'object', properties: { name: { type: 'string', pattern: '^(?=a)(a+)+$' } } },
};

/** Starts an upstream that accepts every request, and returns its URL. */
async function startUpstream(atEnd: AtEnd): Promise<string> {
  const server = createServer((req, res) => {
    req.resume().on('end', () => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(atEnd: AtEnd): Promise<GatewayProcess> {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Costly', version: '1' },
    paths: Object.fromEntries([
      ...Object.keys(schemas).map((name) => [
        `/${name}`,
        {
          post: {
            operationId: `post${name}`,
            requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
            responses: { 200: { description: 'x' } },
          },
        },
      ]),
      [
        '/search',
        {
          get: {
            operationId: 'search',
            parameters: [{ name: 'name', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } }],
            responses: { 200: { description: 'x' } },
          },
        },
      ],
    ]),
    components: { schemas },
  };
  const imported = importOpenApi(
    { text: JSON.stringify(document), name: 'costly.json' },
    { documentPath: 'costly.openapi.json', targets: [await startUpstream(atEnd)], requiresAuth: false },
  );
  const files = {
    'settings.json': { crypto_upstream_url: 'http://127.0.0.1:9/' },
    'endpoints.json': imported.endpointsText,
    [imported.documentPath]: imported.documentText,
  };
  return startGateway(await makeFolder(files, atEnd), { atEnd });
}

const atEnd = whenAllEnd();
let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await start(atEnd);
});

/** Returns the CPU time of the process, independent of other processes. */
function threadMs({ child }: GatewayProcess): number {
  const file = `/proc/${child.pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : performance.now();
}

/** Returns the response, and the longest delay of other requests. */
async function send(path: string, body?: string) {
  // Excludes code that is compiled and loaded with the first request.
  const init = (text: string) => ({ method: 'POST', body: text, headers: { 'Content-Type': 'application/json' } });
  await (await gateway.fetch(path, body === undefined ? {} : init('{"name":"ab","op":"leaf"}'))).text();
  const before = threadMs(gateway);
  const response = await gateway.fetch(path, body === undefined ? {} : init(body));
  const ms = threadMs(gateway) - before;
  return { status: response.status, text: await response.text(), ms };
}

const nest = (depth: number, inner: string, around: (inside: string) => string) =>
  Array.from({ length: depth }).reduce<string>((inside) => around(inside), inner);

describe('a schema that refers to itself among alternatives', () => {
  it('is checked in bounded time for a body of 113 bytes, 16 deep', async () => {
    const body = nest(16, '"wrong"', (inside) => `{"a":${inside}}`).padEnd(113);
    expect(body.length).toBe(113);
    const { status, text, ms } = await send('/Tree', body);
    expect([status, text.length < 16_384]).toEqual([400, true]);
    expect(ms).toBeLessThan(1_000);
  });

  it('returns 400 if a check takes too many steps', async () => {
    const { status, text, ms } = await send(
      '/Tree',
      nest(60, '"wrong"', (inside) => `{"a":${inside}}`),
    );
    expect(status).toBe(400);
    expect(JSON.parse(text).detail).toContain('too many steps');
    expect(ms).toBeLessThan(1_000);
  });

  it.each(['/Filter', '/NamedFilter'])('is checked by its tag: %s', async (path) => {
    const filter = nest(24, '{"op":"leaf","value":1}', (inside) => `{"op":"and","args":[${inside}]}`);
    const { status, ms } = await send(path, filter);
    expect(status).toBe(200);
    expect(ms).toBeLessThan(1_000);
    const wrong = await send(path, filter.replace('"leaf"', '"leave"'));
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.text).errors).toEqual([
      { pointer: `${'/args/0'.repeat(24)}/op`, detail: 'must be equal to one of the allowed values: and, or, leaf' },
    ]);
  });
});

it('takes linear time for uniqueItems over objects', async () => {
  const items = Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `item number ${i}` }));
  const { status, ms } = await send('/Unique', JSON.stringify(items));
  expect(status).toBe(200);
  expect(ms).toBeLessThan(1_000);
  const repeated = await send('/Unique', JSON.stringify([...items, { name: 'item number 7', id: 7.0 }]));
  expect(JSON.parse(repeated.text).errors).toEqual([
    { pointer: '', detail: 'must NOT have duplicate items (items ## 7 and 20000 are identical)' },
  ]);
});

describe('a pattern that backtracks', () => {
  // No reserved characters of a query, which would be rejected before the pattern is checked.
  const text = `${'a'.repeat(34)}-`;

  it.each([
    ['in a body', '/Pattern', JSON.stringify({ name: text })],
    ['in a body, beside a maxLength of 10', '/ShortPattern', JSON.stringify({ name: text })],
    ['in a body, looking around', '/Looking', JSON.stringify({ name: text })],
    ['in a query', `/search?name=${encodeURIComponent(text)}`, undefined],
  ])('ends in bounded time %s', async (_, path, body) => {
    const { status, ms } = await send(path, body);
    expect(status).toBe(400);
    expect(ms).toBeLessThan(1_000);
  });
});
