import { defineService, type Service, z } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { goodKey, problemOf, startGateway, withKey } from './start-gateway.ts';

const add: Service = defineService({
  name: 'add',
  summary: 'A sum',
  parameters: z.object({
    a: z.int(),
    b: z.int().max(100).default(1),
    even: z
      .string()
      .refine((text) => text.length % 2 === 0, 'must have an even length')
      .optional(),
  }),
  response: z.object({ sum: z.number() }),
  handle: ({ a, b }) => ({ sum: a + b }),
});
const broken: Service = defineService({
  name: 'broken',
  summary: 'A failure',
  parameters: z.object({}),
  response: z.object({}),
  handle: () => {
    throw new Error('secret inside');
  },
});
const untrue = defineService({
  name: 'untrue',
  summary: 'An answer of another shape',
  parameters: z.object({}),
  response: z.object({ n: z.number() }),
  handle: () => ({ n: 'secret inside' }) as never,
});
const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'X-API-Key': goodKey, 'Content-Type': 'application/json', ...headers },
});

describe('an endpoint', () => {
  it('200: gets typed arguments with the defaults of its service', async () => {
    const { fetch } = await startGateway({
      services: [add],
      endpoints: [
        { path: '/sum', service: 'add' },
        { path: '/sum/{left}', service: 'add', parameters: { a: { source: 'path', key: 'left' }, b: 10 } },
      ],
    });
    expect(await (await fetch('/sum?a=1&b=2')).json()).toEqual({ sum: 3 });
    expect(await (await fetch('/sum?a=1')).json()).toEqual({ sum: 2 });
    expect(await (await fetch('/sum/5')).json()).toEqual({ sum: 15 });
    expect((await fetch('/sum/5?b=1')).status).toBe(400);
  });

  it('400: reports every fault of the query, by the contract and by the service', async () => {
    const { fetch } = await startGateway({ services: [add], endpoints: [{ path: '/sum', service: 'add' }] });
    expect(await problemOf(await fetch('/sum?b=101&c=1'))).toMatchObject({
      answered: 400,
      errors: expect.arrayContaining([
        expect.objectContaining({ parameter: 'a' }),
        expect.objectContaining({ parameter: 'b' }),
        expect.objectContaining({ parameter: 'c' }),
      ]),
    });
    expect(await problemOf(await fetch('/sum?a=1&even=abc'))).toMatchObject({
      answered: 400,
      errors: [{ parameter: 'even', detail: 'must have an even length' }],
    });
  });

  it('401: a secured one needs a key, a public one does not', async () => {
    const { fetch } = await startGateway();
    expect(await problemOf(await fetch('/api/crypto/ETH'))).toMatchObject({ answered: 401, code: 'key_missing' });
    expect((await fetch('/api/crypto/ETH', withKey)).status).toBe(200);
    expect((await fetch('/api/crypto')).status).toBe(200);
  });

  it('401: its own keys replace the global ones only there', async () => {
    const { fetch } = await startGateway({
      endpoints: [
        { path: '/own', service: 'crypto', requires_auth: true, api_keys: 'own-key' },
        { path: '/global', service: 'crypto', requires_auth: true },
      ],
    });
    const own = { headers: { 'X-API-Key': 'own-key' } };
    const statuses = [];
    for (const [path, init] of [
      ['/own', own],
      ['/own', withKey],
      ['/global', withKey],
      ['/global', own],
    ] as const) {
      statuses.push((await fetch(path, init)).status);
    }
    expect(statuses).toEqual([200, 401, 200, 401]);
  });

  it('413: rejects a body above the limit', async () => {
    const { fetch } = await startGateway({ settings: { body_bytes_max: 32 } });
    expect((await fetch('/api/echo', post(JSON.stringify({ a: 'x'.repeat(24) })))).status).toBe(200);
    const response = await fetch('/api/echo', post(JSON.stringify({ a: 'x'.repeat(25) })));
    expect(await problemOf(response)).toMatchObject({ answered: 413, code: 'body_too_large' });
  });

  it('415: rejects an undeclared media type', async () => {
    const { fetch } = await startGateway();
    const response = await fetch('/api/echo', post('a=1', { 'Content-Type': 'text/plain' }));
    expect(await problemOf(response)).toMatchObject({ answered: 415, code: 'media_type_unsupported' });
  });

  it('400: rejects a body that is not JSON or does not match the schema', async () => {
    const { fetch } = await startGateway();
    expect(await problemOf(await fetch('/api/echo', post('{"a":')))).toMatchObject({
      answered: 400,
      code: 'malformed_request',
    });
    expect(await problemOf(await fetch('/api/echo', post('[1]')))).toMatchObject({
      answered: 400,
      errors: [{ pointer: '' }],
    });
  });

  it('500: reveals nothing about an internal error', async () => {
    const { fetch } = await startGateway({ services: [broken], endpoints: [{ path: '/b', service: 'broken' }] });
    const response = await fetch('/b');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ answered: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it('500: never returns a response that violates its contract', async () => {
    const { fetch } = await startGateway({ services: [untrue], endpoints: [{ path: '/u', service: 'untrue' }] });
    const problem = await problemOf(await fetch('/u'));
    expect(problem).toMatchObject({ answered: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });
});

describe('the service static', () => {
  it('200: returns the configured value', async () => {
    const endpoints = [null, 0, 'text', ['a'], { b: { c: 1 } }].map((answer, i) => ({ answer, path: `/s/${i}` }));
    const { fetch } = await startGateway({
      endpoints: endpoints
        .filter(({ answer }) => answer !== null)
        .map(({ answer, path }) => ({ path, service: 'static', parameters: { answer } })),
    });
    for (const { path, answer } of endpoints) {
      if (answer === null) expect((await fetch(path)).status).toBe(404);
      else expect(await (await fetch(path)).json()).toEqual(answer);
    }
  });
});

describe('the service echo', () => {
  it('200: returns message, body and the name of the key, never the key', async () => {
    const { fetch } = await startGateway();
    const echoed = await (await fetch('/api/echo?message=hi', post('{"n":1}'))).json();
    expect(echoed).toEqual({ message: 'hi', body: { n: 1 }, caller: expect.stringMatching(/^[0-9a-f]{8}$/) });
    const bare = await fetch('/api/echo', { method: 'POST', headers: withKey.headers });
    expect(await bare.json()).toMatchObject({ message: '', body: null });
  });
});
