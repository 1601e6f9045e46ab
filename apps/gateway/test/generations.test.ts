import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { defineRawService } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { configure, startGateway } from './start-gateway.ts';

const hello = (answer: string) => ({ endpoints: [{ path: '/hello', service: 'static', parameters: { answer } }] });

describe('apply', () => {
  it('serves new requests with the new configuration, document and list', async () => {
    const { fetch, app } = await startGateway(hello('old'));
    expect(await (await fetch('/hello')).json()).toBe('old');
    await app.apply(
      await configure({ endpoints: [{ path: '/later', service: 'static', parameters: { answer: 'new' } }] }),
    );
    expect((await fetch('/hello')).status).toBe(404);
    expect(await (await fetch('/later')).json()).toBe('new');
    expect(await (await fetch('/endpoints')).json()).toMatchObject({ total: 1, endpoints: [{ path: '/later' }] });
    expect(await (await fetch('/openapi.json')).json()).toHaveProperty(['paths', '/later']);
    expect(await (await fetch('/')).text()).toContain('/later');
  });

  it('preserves the counts of the limits', async () => {
    const settings = { rate_limit_enabled: true, rate_limit_per_minute: 2 };
    const { fetch, app } = await startGateway({ ...hello('a'), settings });
    await fetch('/hello');
    await app.apply(await configure({ ...hello('b'), settings }));
    expect([(await fetch('/hello')).status, (await fetch('/hello')).status]).toEqual([200, 429]);
  });

  it('changes nothing if the new configuration cannot be served', async () => {
    const { fetch, app } = await startGateway(hello('old'));
    const bad = {
      ...(await configure(hello('new'))),
      endpointKeys: new Map([['x', [{ name: 'x', owner: 'x', sha256: 'short', scopes: [] }]]]),
    };
    await expect(app.apply(bad)).rejects.toThrow('SHA-256');
    expect(await (await fetch('/hello')).json()).toBe('old');
  });

  it('builds one configuration at a time, and only the newest waiting one', async () => {
    const { fetch, app } = await startGateway(hello('a'));
    const configurations = await Promise.all(['b', 'c', 'd'].map((answer) => configure(hello(answer))));
    expect(await Promise.all(configurations.map((next) => app.apply(next)))).toEqual([false, false, true]);
    expect(await (await fetch('/hello')).json()).toBe('d');
  });

  it('closes a raw service after its last request, whose body may still stream', async () => {
    const events: string[] = [];
    const bodies: PassThrough[] = [];
    const streaming = defineRawService({
      name: 'streaming',
      summary: 'Streams',
      open: () => ({
        handle() {
          const body = new PassThrough();
          body.write('begun, ');
          bodies.push(body);
          return { status: 200, raw: body, contentType: 'text/plain' };
        },
        close: () => void events.push('closed'),
      }),
    });
    const endpoints = [{ path: '/stream', service: 'streaming', method: 'POST' }];
    const { fetch, app } = await startGateway({ services: [streaming], endpoints });
    const whole = (await fetch('/stream', { method: 'POST' })).text();
    await app.apply(await configure({ endpoints: [] }));
    expect(events).toEqual([]);
    bodies[0]?.end('done');
    expect(await whole).toBe('begun, done');
    await expect.poll(() => events).toEqual(['closed']);
  });

  it('closes a raw service after a request that reaches it only after the swap', async () => {
    const events: string[] = [];
    const raw = defineRawService({
      name: 'raw',
      summary: 'Raw',
      open: () => ({
        handle: () => {
          events.push('used');
          return { status: 200, raw: 'done', contentType: 'text/plain' };
        },
        close: () => void events.push('closed'),
      }),
    });
    const petstore = readFileSync(new URL('documents/petstore.yaml', import.meta.url), 'utf8');
    const contract = { document: 'pets.yaml', operation_id: 'placeOrder' };
    const { app, url } = await startGateway({
      services: [raw],
      endpoints: [{ path: '/orders', method: 'POST', service: 'raw', contract }],
      files: { 'pets.yaml': petstore },
    });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': 10 };
    const sent = request(`${url}/orders`, { method: 'POST', headers });
    sent.flushHeaders();
    await once(app.server, 'request');
    await app.apply(await configure({ endpoints: [] }));
    expect(events).toEqual([]);
    sent.end('quantity=3');
    const [response] = await once(sent, 'response');
    expect(await text(response)).toBe('done');
    await expect.poll(() => events).toEqual(['used', 'closed']);
  });

  it('closes a raw service only after a revalidation in the background', async () => {
    const events: string[] = [];
    const fetched = Promise.withResolvers<void>();
    const raw = defineRawService({
      name: 'raw',
      summary: 'Raw',
      open: () => ({
        async handle() {
          events.push('used');
          if (events.length > 1) await fetched.promise;
          const headers = { 'Cache-Control': 'max-age=0, stale-while-revalidate=60' };
          return { status: 200, raw: 'a', contentType: 'text/plain', headers };
        },
        close: () => void events.push('closed'),
      }),
    });
    const endpoints = [{ path: '/up', service: 'raw', cache_seconds: 60 }];
    const { app, fetch } = await startGateway({ services: [raw], endpoints });
    for (let i = 0; i < 2; i++) expect(await (await fetch('/up')).text()).toBe('a');
    expect(events).toEqual(['used', 'used']);
    await app.apply(await configure({ endpoints: [] }));
    await new Promise(setImmediate);
    expect(events).toEqual(['used', 'used']);
    fetched.resolve();
    await expect.poll(() => events).toEqual(['used', 'used', 'closed']);
  });

  it('swaps one frozen object', async () => {
    const { app } = await startGateway();
    expect(Object.isFrozen(app.generation())).toBe(true);
  });
});
