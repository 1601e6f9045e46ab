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

it('loads the validator one second after the server is ready, without a request', async () => {
  const { cache, resolve } = createRequire(import.meta.url);
  const path = resolve('express-openapi-validator/dist/middlewares/openapi.request.validator.js');
  const isLoaded = () => path in cache;
  // Another test in this process may have loaded it.
  delete cache[path];
  await startEdge({});
  vi.advanceTimersByTime(900);
  expect(isLoaded()).toBe(false);
  vi.advanceTimersByTime(100);
  expect(isLoaded()).toBe(true);
});

it('loads nothing for a server that never listens or closes before', () => {
  const { server, load } = prepare();
  vi.advanceTimersByTime(10_000);
  server.emit('listening');
  server.emit('close');
  vi.advanceTimersByTime(10_000);
  expect(load).not.toHaveBeenCalled();
});

it('does not catch an error of loading', () => {
  const { server, load } = prepare();
  load.mockImplementation(() => {
    throw new Error('Cannot find module');
  });
  server.emit('listening');
  expect(() => vi.advanceTimersByTime(1_000)).toThrow('Cannot find module');
});
