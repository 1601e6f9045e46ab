import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { holdSignals } from './hold-signals.ts';

function setUp(isReloading?: boolean) {
  const from = new EventEmitter();
  const held = holdSignals(from, isReloading === undefined ? {} : { isReloading });
  const taken: unknown[] = [];
  held.signals.on('SIGTERM', (reason) => taken.push(reason));
  return { from, held, taken };
}

it('emits an early signal after the release', async () => {
  const { from, held, taken } = setUp();
  from.emit('SIGTERM', 'SIGTERM');
  await held.stopped;
  expect(taken).toEqual([]);
  held.release();
  expect(taken).toEqual(['SIGTERM']);
});

it('reloads once for early SIGHUPs, and for each later one', () => {
  const { from, held } = setUp();
  from.emit('SIGHUP');
  from.emit('SIGHUP');
  let reloads = 0;
  held.release(() => reloads++);
  expect(reloads).toBe(1);
  from.emit('SIGHUP');
  expect(reloads).toBe(2);
});

it('ignores SIGHUP without reloading, and every signal after its end', () => {
  const { from, held } = setUp(false);
  expect(from.listenerCount('SIGHUP')).toBe(0);
  held.end();
  expect(from.eventNames()).toEqual([]);
});
