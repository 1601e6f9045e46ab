import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createSpecText } from '../src/command/spec-command.ts';
import { importOpenApi } from '../src/import/import-openapi.ts';
import { createHttpService } from '../src/services/http.ts';
import { startUpstreams } from './start-forwarding.ts';
import { problemOf, startGateway, withKey } from './start-gateway.ts';

const petstore = readFileSync(new URL('documents/petstore.yaml', import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at in many places
type Json = Record<string, any>;

interface Seen {
  readonly line: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** Starts a server that records its requests and responds with a pet. */
async function startPetServer(): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req.setEncoding('latin1')) body += chunk;
    seen.push({ line: `${req.method} ${req.url}`, body, headers: req.headers });
    res.writeHead(req.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json', 'X-Next': '2' });
    res.end('{"id":1,"name":"Rex"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function startImported(text = petstore) {
  const upstream = await startPetServer();
  const { endpointsText, documentPath, documentText } = importOpenApi(
    { text, name: 'petstore.yaml' },
    { documentPath: 'petstore.openapi.json', prefix: '/shop', targets: [`${upstream.url}/v1`] },
  );
  const gateway = await startGateway({
    endpoints: JSON.parse(endpointsText).endpoints,
    files: { [documentPath]: documentText },
    services: [createHttpService({ env: {}, upstreams: startUpstreams() })],
  });
  const call = (method: string, path: string, body?: string, contentType = 'application/json') =>
    gateway.fetch(path, {
      method,
      headers: { ...withKey.headers, ...(body === undefined ? {} : { 'Content-Type': contentType }) },
      ...(body === undefined ? {} : { body }),
    });
  return { ...gateway, seen: upstream.seen, call };
}

describe('an imported operation', () => {
  it('200: is forwarded unchanged, without the key', async () => {
    const { call, seen } = await startImported();
    const response = await call('GET', '/shop/pets?limit=5&status=available,sold&filter%5Bcolor%5D=red');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-next')).toBe('2');
    expect(await response.json()).toEqual({ id: 1, name: 'Rex' });
    expect((await call('GET', '/shop/pets/7')).status).toBe(200);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/pets?limit=5&status=available,sold&filter%5Bcolor%5D=red',
      'GET /v1/pets/7',
    ]);
    expect(JSON.stringify(seen)).not.toContain(withKey.headers['X-API-Key']);
  });

  it('200: accepts query parameters whose names match the pattern of its contract, and no others', async () => {
    const { call, seen } = await startImported(
      petstore.replace('operationId: listPets\n', "operationId: listPets\n      x-query-names: '^@'\n"),
    );
    expect((await call('GET', '/shop/pets?limit=5&@p=7')).status).toBe(200);
    expect((await call('GET', '/shop/pets?limit=5&p=7')).status).toBe(400);
    expect(seen.map(({ line }) => line)).toEqual(['GET /v1/pets?limit=5&@p=7']);
  });

  it('201: forwards a valid body with unchanged numbers', async () => {
    const { call, seen } = await startImported();
    const bodies = ['{"name":"Rex","tag":null,"weight":0.50}', '{"id":9,"name":"A","mother":{"id":1,"name":"B"}}'];
    for (const body of bodies) expect((await call('POST', '/shop/pets', body)).status).toBe(201);
    expect((await call('PUT', '/shop/pets/1/photo', 'not really', 'image/png')).status).toBe(200);
    expect((await call('POST', '/shop/store/orders', 'quantity=3', 'application/x-www-form-urlencoded')).status).toBe(
      201,
    );
    expect(seen.map(({ body }) => body)).toEqual([...bodies, 'not really', 'quantity=3']);
    expect(seen.map(({ line }) => line).slice(2)).toEqual(['PUT /v1/pets/1/photo', 'POST /v1/store/orders/']);
  });

  it.each([
    ['a number that is none', 'GET', '/shop/pets?limit=many', undefined, { parameter: 'limit' }],
    ['a number beyond its bounds', 'GET', '/shop/pets?limit=101', undefined, { parameter: 'limit' }],
    ['a value that is not in the list', 'GET', '/shop/pets?status=sold,gone', undefined, { parameter: 'status' }],
    ['an unknown parameter', 'GET', '/shop/pets?x=1', undefined, { parameter: 'x' }],
    ['a path parameter of another type', 'GET', '/shop/pets/rex', undefined, { parameter: 'petId' }],
    ['a member that is missing', 'POST', '/shop/pets', '{"tag":"a"}', { pointer: '/name' }],
    ['a pattern that does not match', 'POST', '/shop/pets', '{"name":"A","tag":"B!"}', { pointer: '/tag' }],
    ['a constant that is another', 'POST', '/shop/pets', '{"name":"A","kind":"car"}', { pointer: '/kind' }],
    ['an exclusive bound that is met', 'POST', '/shop/pets', '{"name":"A","weight":0}', { pointer: '/weight' }],
    ['a body within a body', 'POST', '/shop/pets', '{"name":"A","mother":{"name":""}}', { pointer: '/mother/name' }],
    ['a body that is absent', 'POST', '/shop/pets', undefined, { pointer: '' }],
  ])('400: rejects %s without an upstream request', async (_, method, path, body, fault) => {
    const { call, seen } = await startImported();
    expect(await problemOf(await call(method, path, body))).toMatchObject({
      answered: 400,
      mediaType: 'application/problem+json',
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining(fault)]),
    });
    expect(seen).toEqual([]);
  });

  it('400: rejects a header of another type', async () => {
    const { fetch, seen } = await startImported();
    const response = await fetch('/shop/pets', { headers: { ...withKey.headers, 'X-Trace-Depth': 'deep' } });
    expect(await problemOf(response)).toMatchObject({ answered: 400, errors: [{ header: 'X-Trace-Depth' }] });
    expect(seen).toEqual([]);
  });

  it('401: requires a key of the gateway, and 415: accepts only declared media types', async () => {
    const { fetch, call, seen } = await startImported();
    expect((await fetch('/shop/pets')).status).toBe(401);
    expect((await call('POST', '/shop/pets', 'name=A', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect(seen).toEqual([]);
  });

  it('201: forwards a validated body byte for byte, so that digests and signatures stay valid', async () => {
    const { fetch, seen } = await startImported();
    const text = '{ "name": "R\\u0065x",\n  "tag":"x" , "weight": 1.50 }';
    const digest = createHash('sha256').update(text).digest('base64');
    const headers = {
      ...withKey.headers,
      'Content-Type': 'Application/JSON; charset="UTF-8"',
      'Content-Digest': `sha-256=:${digest}:`,
    };
    const plain = await fetch('/shop/pets', { method: 'POST', headers, body: text });
    expect([plain.status, await plain.text()]).toEqual([201, expect.any(String)]);
    const coded = gzipSync(text);
    await fetch('/shop/pets', { method: 'POST', headers: { ...headers, 'Content-Encoding': 'gzip' }, body: coded });
    expect(seen.map(({ body }) => body)).toEqual([text, coded.toString('latin1')]);
    for (const { headers: sent } of seen) {
      expect(sent).toMatchObject({
        'content-type': headers['Content-Type'],
        'content-digest': headers['Content-Digest'],
      });
    }
    expect(seen[1]?.headers['content-encoding']).toBe('gzip');
  });

  it('400: rejects a body with a duplicate name, of which the upstream might read the other value', async () => {
    const { call, seen } = await startImported();
    const twice = await call('POST', '/shop/pets', '{"name":5,"n\\u0061me":"Rex"}');
    expect(await problemOf(twice)).toMatchObject({ answered: 400, code: 'malformed_request' });
    expect(seen).toEqual([]);
  });

  it.each([
    ['UTF-7 behind a quoted UTF-8', '; x="; charset=utf-8"; charset=utf-7'],
    ['UTF-16 behind a quoted UTF-8', '; x="; charset=utf-8"; charset=utf-16le'],
    ['UTF-7 after UTF-8', '; charset=utf-8; charset=utf-7'],
    ['a quote that is never closed', '; x="; charset=utf-8'],
  ])('415: rejects %s without an upstream request', async (_, parameters) => {
    const { call, seen } = await startImported();
    // In UTF-7 its name is the required one; in UTF-8 it is another.
    const json = await call('POST', '/shop/pets', '{"+AG4-ame":"Rex"}', `application/json${parameters}`);
    expect(await problemOf(json)).toMatchObject({ answered: 415, code: 'media_type_unsupported' });
    const form = await call(
      'POST',
      '/shop/store/orders',
      'quantity=3',
      `application/x-www-form-urlencoded${parameters}`,
    );
    expect(form.status).toBe(415);
    expect(seen).toEqual([]);
  });

  it('200: accepts bytes with any media type parameters', async () => {
    const { call, seen } = await startImported();
    expect((await call('PUT', '/shop/pets/1/photo', 'not really', 'image/png; charset=utf-16')).status).toBe(200);
    expect(seen.map(({ body }) => body)).toEqual(['not really']);
  });

  it('is in the served document with its responses and those of the gateway', async () => {
    const { fetch } = await startImported();
    const document = (await (await fetch('/openapi.json')).json()) as { paths: Json; components: Json };
    expect(document.paths['/shop/pets']?.get).toMatchObject({ summary: 'List all pets', tags: ['pets'] });
    expect(Object.keys(document.paths['/shop/pets'].get.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '429', '502', '503', '504', 'default']),
    );
    expect(document.components.schemas['Petstore.Pet'].properties.kind).toEqual({ enum: ['pet'] });
  });
});

describe('a contract in front of another service', () => {
  it('400: mocks an API and validates requests', async () => {
    const entry = {
      path: '/pets',
      service: 'static',
      parameters: { answer: [{ id: 1, name: 'Rex' }] },
      contract: { document: 'pets.yaml', operation_id: 'listPets' },
    };
    const { fetch } = await startGateway({ endpoints: [entry], files: { 'pets.yaml': petstore } });
    expect(await (await fetch('/pets?limit=1')).json()).toEqual([{ id: 1, name: 'Rex' }]);
    expect(await problemOf(await fetch('/pets?limit=0'))).toMatchObject({ answered: 400 });
  });
});

describe('createSpecText', () => {
  it('returns the document of /openapi.json, in both formats', async () => {
    const { fetch, app, configure } = await startGateway();
    const served = await (await fetch('/openapi.json')).json();
    const configuration = await configure({});
    expect(JSON.parse(await createSpecText(configuration, 'json'))).toEqual(served);
    const yaml = await createSpecText(configuration, 'yaml');
    expect(parse(yaml)).toEqual(served);
    expect(yaml).not.toMatch(/[&*]a\d+\b/);
    expect(app.generation().document).toEqual(served);
  });
});
