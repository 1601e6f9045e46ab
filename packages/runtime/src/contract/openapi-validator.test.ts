import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startEdge } from '../../test/start-edge.ts';
import { loadValidatorSoon } from './openapi-validator.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

function prepare() {
  const server = new EventEmitter();
  const load = vi.fn();
  loadValidatorSoon(server as never, load);
  return { server, load };
}

it('has a server load the validator without any request, once others have heard that it is ready', async () => {
  const { cache, resolve } = createRequire(import.meta.url);
  const path = resolve('express-openapi-validator/dist/middlewares/openapi.request.validator.js');
  const isThere = () => path in cache;
  // Another test may have needed it in this process.
  delete cache[path];
  await startEdge({});
  vi.advanceTimersByTime(900);
  expect(isThere()).toBe(false);
  vi.advanceTimersByTime(100);
  expect(isThere()).toBe(true);
});

it('loads nothing for a server that never listens, or has closed before', () => {
  const { server, load } = prepare();
  vi.advanceTimersByTime(10_000);
  server.emit('listening');
  server.emit('close');
  vi.advanceTimersByTime(10_000);
  expect(load).not.toHaveBeenCalled();
});

it('lets everybody see that it cannot be loaded', () => {
  const { server, load } = prepare();
  load.mockImplementation(() => {
    throw new Error('Cannot find module');
  });
  server.emit('listening');
  expect(() => vi.advanceTimersByTime(1_000)).toThrow('Cannot find module');
});
