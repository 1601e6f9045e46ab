import { expect, it, onTestFinished, vi } from 'vitest';
import { createRouter } from '../contract/router.ts';
import { Problem } from '../problem/index.ts';
import { LiveConnections, type LiveRequest, type Readmit } from './live-connections.ts';

const request: LiveRequest = {
  ...{ kind: 'stream', operationId: 'getA', path: '/a', requestId: '1', owner: 'o', key: 'k' },
  ...{ rawHeaders: [], remoteAddress: undefined, endsAtMs: undefined },
};

/** Returns open connections with one that was just added, and the reasons for which it was to end. */
function start() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const live = new LiveConnections({ clock: Date.now });
  const ends: string[] = [];
  live.add(
    request,
    { bytesRead: 0, bytesWritten: 0 },
    (reason) => ends.push(reason),
    async () => undefined,
  );
  return { live, ends };
}

it.each<[string, (live: LiveConnections, known: Readmit) => Promise<void>]>([
  [
    'its key could not be checked since',
    async (live, known) => {
      await live.recheck(known);
      await live.recheck(async () => undefined);
    },
  ],
  [
    'a check against a former configuration ends later',
    async (live, known) => {
      const former = Promise.withResolvers<{ endsAtMs: undefined }>();
      await live.recheck(() => former.promise);
      await live.recheck(known);
      former.resolve({ endsAtMs: undefined });
    },
  ],
])('ends a connection when its key expires, although %s', async (_case, check) => {
  const { live, ends } = start();
  const endsAtMs = Date.now() + 1_000;
  await check(live, async () => ({ endsAtMs }));
  await vi.advanceTimersByTimeAsync(900);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(ends[0]).toBe('credential');
});

it('leaves what is known of a connection unchanged while its credential cannot be checked', async () => {
  const get = { operationId: 'getA', security: [{ key: [] }], responses: {} };
  const document = { openapi: '3.0.3', info: { title: '', version: '' }, paths: { '/a': { get } } };
  const authenticate = () => Promise.reject(new Problem('unavailable', 'Retry.'));
  const { readmit } = createRouter({ document, handlers: { getA: () => ({ status: 204 }) } }, { authenticate });
  expect(await readmit(request)).toBeUndefined();
});
