import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { handleStrayErrors, StrayError, serveGuarded, toError } from './stray-errors.ts';

function setUp() {
  const from = new EventEmitter();
  const logged: unknown[] = [];
  return { from, logged, report: (_text: string, error: unknown) => void logged.push(error) };
}

it('logs a rejected promise and does not stop the server', () => {
  const { from, logged, report } = setUp();
  let stops = 0;
  const strays = handleStrayErrors({ from, report, stop: () => stops++ });
  from.emit('unhandledRejection', 'reason');
  expect({ logged, stops, deadly: strays.deadly() }).toEqual({ logged: ['reason'], stops: 0, deadly: undefined });
});

it('stops the server for an uncaught error, and returns the first', () => {
  const { from, logged, report } = setUp();
  let stops = 0;
  const strays = handleStrayErrors({ from, report, stop: () => stops++ });
  const first = new Error('first');
  from.emit('uncaughtException', first);
  from.emit('uncaughtException', 'a text');
  expect(strays.deadly()).toBe(first);
  expect({ count: logged.length, stops }).toEqual({ count: 2, stops: 2 });
});

it('continues after an error of loaded code, and logs its place', () => {
  const from = new EventEmitter();
  const events: string[] = [];
  const stop = () => events.push('stopped');
  const findOrigin = (error: unknown) => (error === 'of a service' ? '/s/a.ts:3:7' : undefined);
  const strays = handleStrayErrors({ from, report: (text) => void events.push(text), stop, findOrigin });
  from.emit('uncaughtException', 'of a service');
  expect([strays.deadly(), ...events]).toEqual([undefined, expect.stringContaining('/s/a.ts:3:7')]);
  from.emit('uncaughtException', 'of the server');
  expect(events.at(-1)).toBe('stopped');
  expect(strays.deadly()?.message).toContain('of the server');
});

it('logs ten errors a second that do not stop the server, and the number of the others', () => {
  const from = new EventEmitter();
  const events: string[] = [];
  let nowMs = 0;
  handleStrayErrors({ from, report: (text) => void events.push(text), stop: () => undefined, clock: () => nowMs });
  for (let i = 0; i < 1_000; i++) from.emit('unhandledRejection', new Error('again'));
  expect(events).toHaveLength(10);
  nowMs = 1_000;
  from.emit('unhandledRejection', new Error('again'));
  expect(events).toHaveLength(11);
  expect(events.at(-1)).toContain('990 more errors were not logged');
});

it.each([null, undefined, Object.create(null), Symbol('a'), { toString: null }])(
  'returns an error for %o',
  (thrown) => {
    expect(toError(thrown).message).toMatch(/was thrown, which is not an Error\.$/);
  },
);

it('stops the server in order, and rejects with the error', async () => {
  const { from, report } = setUp();
  const reasons: unknown[] = [];
  const serving = serveGuarded({ from, report }, async ({ signals, release }) => {
    const stopped = new Promise((resolve) => signals.on('SIGTERM', resolve));
    release();
    reasons.push(await stopped);
  });
  from.emit('uncaughtException', new Error('the cause'));
  const error = await serving.catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(StrayError);
  expect(String(error)).toContain('the cause');
  expect(reasons).toEqual(['uncaughtException']);
});

it('removes its signal listeners when the server fails', async () => {
  const { from, report } = setUp();
  const failing = serveGuarded({ from, report }, async () => {
    throw new Error('no port');
  });
  await expect(failing).rejects.toThrow('no port');
  expect(from.listenerCount('SIGTERM')).toBe(0);
});
