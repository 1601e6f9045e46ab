import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { StrayError, serveGuarded, takeStrayErrors, toError } from './stray-errors.ts';

function setUp() {
  const from = new EventEmitter();
  const told: unknown[] = [];
  return { from, told, tell: (_text: string, error: unknown) => void told.push(error) };
}

it('tells of a rejected promise and ends nothing', () => {
  const { from, told, tell } = setUp();
  let stops = 0;
  const strays = takeStrayErrors({ from, tell, stop: () => stops++ });
  from.emit('unhandledRejection', 'reason');
  expect({ told, stops, deadly: strays.deadly() }).toEqual({ told: ['reason'], stops: 0, deadly: undefined });
});

it('stops for an error that nobody caught, and keeps the first', () => {
  const { from, told, tell } = setUp();
  let stops = 0;
  const strays = takeStrayErrors({ from, tell, stop: () => stops++ });
  const first = new Error('first');
  from.emit('uncaughtException', first);
  from.emit('uncaughtException', 'a text');
  expect(strays.deadly()).toBe(first);
  expect({ count: told.length, stops }).toEqual({ count: 2, stops: 2 });
});

it('goes on after an error of loaded code, with its place in the log', () => {
  const from = new EventEmitter();
  const told: string[] = [];
  const stop = () => told.push('stopped');
  const findOrigin = (error: unknown) => (error === 'of a service' ? '/s/a.ts:3:7' : undefined);
  const strays = takeStrayErrors({ from, tell: (text) => void told.push(text), stop, findOrigin });
  from.emit('uncaughtException', 'of a service');
  expect([strays.deadly(), ...told]).toEqual([undefined, expect.stringContaining('/s/a.ts:3:7')]);
  from.emit('uncaughtException', 'of the server');
  expect(told.at(-1)).toBe('stopped');
  expect(strays.deadly()?.message).toContain('of the server');
});

it('logs ten errors a second of those that end nothing, and the number of the others', () => {
  const from = new EventEmitter();
  const told: string[] = [];
  let nowMs = 0;
  takeStrayErrors({ from, tell: (text) => void told.push(text), stop: () => undefined, clock: () => nowMs });
  for (let i = 0; i < 1_000; i++) from.emit('unhandledRejection', new Error('again'));
  expect(told).toHaveLength(10);
  nowMs = 1_000;
  from.emit('unhandledRejection', new Error('again'));
  expect(told).toHaveLength(11);
  expect(told.at(-1)).toContain('990 more errors were not logged');
});

it.each([null, undefined, Object.create(null), Symbol('a'), { toString: null }])('makes an error of %o', (thrown) => {
  expect(toError(thrown).message).toMatch(/was thrown, which is not an Error\.$/);
});

it('ends what serves in order, and then says by which error', async () => {
  const { from, tell } = setUp();
  const reasons: unknown[] = [];
  const serving = serveGuarded({ from, tell }, async ({ signals, release }) => {
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

it('gives signals back to the process when the serving has failed', async () => {
  const { from, tell } = setUp();
  const failing = serveGuarded({ from, tell }, async () => {
    throw new Error('no port');
  });
  await expect(failing).rejects.toThrow('no port');
  expect(from.listenerCount('SIGTERM')).toBe(0);
});
