import { defineService, z } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { configure, startGateway } from './start-gateway.ts';

const hello = (answer: string) => ({ endpoints: [{ path: '/hello', service: 'static', parameters: { answer } }] });

describe('apply', () => {
  it('gives new requests the new configuration, document and list included', async () => {
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

  it('lets a request in flight end with the configuration that it began with', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const slow = defineService({
      name: 'slow',
      summary: 'Slow',
      parameters: z.object({}),
      response: z.string(),
      async handle() {
        enter();
        await released;
        return 'old';
      },
    });
    const { fetch, app } = await startGateway({ services: [slow], endpoints: [{ path: '/slow', service: 'slow' }] });
    const answer = fetch('/slow');
    await entered;
    await app.apply(await configure({ endpoints: [] }));
    release();
    expect(await (await answer).json()).toBe('old');
    expect((await fetch('/slow')).status).toBe(404);
  });

  it('keeps the counts of the limits', async () => {
    const settings = { rate_limit_enabled: true, rate_limit_per_minute: 2 };
    const { fetch, app } = await startGateway({ ...hello('a'), settings });
    await fetch('/hello');
    await app.apply(await configure({ ...hello('b'), settings }));
    expect([(await fetch('/hello')).status, (await fetch('/hello')).status]).toEqual([200, 429]);
  });

  it('changes nothing when the new configuration cannot be served', async () => {
    const { fetch, app } = await startGateway(hello('old'));
    const bad = {
      ...(await configure(hello('new'))),
      endpointKeys: new Map([['x', [{ name: 'x', owner: 'x', sha256: 'short', scopes: [] }]]]),
    };
    await expect(app.apply(bad)).rejects.toThrow('SHA-256');
    expect(await (await fetch('/hello')).json()).toBe('old');
  });

  it('builds one configuration at a time, and of those that wait only the newest', async () => {
    const { fetch, app } = await startGateway(hello('a'));
    const configurations = await Promise.all(['b', 'c', 'd'].map((answer) => configure(hello(answer))));
    expect(await Promise.all(configurations.map((next) => app.apply(next)))).toEqual([false, false, true]);
    expect(await (await fetch('/hello')).json()).toBe('d');
  });

  it('swaps one frozen object', async () => {
    const { app } = await startGateway();
    expect(Object.isFrozen(app.generation())).toBe(true);
  });
});
