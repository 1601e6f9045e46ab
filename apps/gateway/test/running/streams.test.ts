import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeFolder, startGateway, until } from './gateway-process.ts';

const streams = `import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineService, z } from 'rostergate';

const ended = new URL('ended', import.meta.url);

export default defineService({
  name: 'streams', summary: 'x', parameters: z.object({}),
  responses: { 200: { stream: 'text/event-stream' }, 203: { stream: 'text/csv' } },
  handle(_input, { req, signal }) {
    async function* items<T>(item: T) {
      try {
        for (;;) {
          yield item;
          await wait(20, undefined, { signal });
        }
      } finally {
        writeFileSync(ended, '');
      }
    }
    return req.url === '/events' ? { status: 200, body: items({ data: 'x' }) } : { status: 203, body: items('a,b\\n') };
  },
});
`;

const files = (workers: number) => ({
  'settings.json': { rate_limit_enabled: false, workers, drain_ms: 4_000 },
  'endpoints.json': {
    endpoints: [
      { path: '/events', service: 'streams' },
      { path: '/csv', service: 'streams' },
    ],
  },
  'services/streams.ts': streams,
});

async function open(url: string): Promise<{ readonly response: IncomingMessage; readonly leave: () => void }> {
  const sent = request(url).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response, 'data');
  return { response, leave: () => sent.destroy() };
}

describe.each([1, 2])('a stream of a service, with %i processes', (workers) => {
  it('ends with its caller', async () => {
    const gateway = await startGateway(await makeFolder(files(workers)));
    const { response, leave } = await open(`${gateway.url}/events`);
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(existsSync(`${gateway.folder}/services/ended`)).toBe(false);
    response.on('error', () => {});
    leave();
    await until(() => existsSync(`${gateway.folder}/services/ended`));
    expect(await gateway.stop()).toBe(0);
  });

  it('ends completely on SIGTERM if it has events, and at drain_ms otherwise', async () => {
    const gateway = await startGateway(await makeFolder(files(workers)));
    const events = (await open(`${gateway.url}/events`)).response;
    const csv = (await open(`${gateway.url}/csv`)).response;
    const cut = once(csv, 'error');
    csv.resume();
    const startedMs = performance.now();
    const ended = gateway.stop();
    for await (const _ of events);
    const eventsMs = performance.now() - startedMs;
    expect(events.complete).toBe(true);
    await cut;
    expect([csv.complete, await ended]).toEqual([false, 0]);
    // The events did not wait for the deadline.
    expect(eventsMs).toBeLessThan(performance.now() - startedMs);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(3_900);
  });
});
