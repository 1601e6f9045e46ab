import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { afterRunning, type CallHandlers, createCalls } from './calls.ts';

/** Two ends of one channel that carries text, as between processes. */
function connect(left: CallHandlers, right: CallHandlers) {
  const [a, b] = [new EventEmitter(), new EventEmitter()];
  const end = (from: EventEmitter, to: EventEmitter) =>
    Object.assign(from, {
      send: (message: object) => {
        const text = JSON.stringify(message);
        setImmediate(() => to.emit('message', JSON.parse(text)));
      },
    });
  return {
    left: createCalls(end(a, b), left),
    right: createCalls(end(b, a), right),
    cut: () => {
      a.emit('disconnect');
      b.emit('disconnect');
    },
  };
}

describe('createCalls', () => {
  it('resolves each call with its reply, in both directions at once', async () => {
    const double = ({ n }: { n: number }) => ({ n: 2 * n });
    const { left, right } = connect({ double }, { double: async (params: { n: number }) => double(params) });
    const replies = await Promise.all(
      [1, 2, 3].flatMap((n) => [left.call('double', { n }, 1_000), right.call('double', { n }, 1_000)]),
    );
    expect(replies).toEqual([2, 2, 4, 4, 6, 6].map((n) => ({ n })));
  });

  it('rejects with the error of the other side', async () => {
    const { left } = connect({}, { fail: () => Promise.reject(new Error('No.')) });
    await expect(left.call('fail', {}, 1_000)).rejects.toThrow('No.');
    await expect(left.call('nothing', {}, 1_000)).rejects.toThrow('nothing');
  });

  it('rejects when the other side is gone, before or after the call', async () => {
    const { left, cut } = connect({}, { wait: () => new Promise(() => {}) });
    const pending = left.call('wait', {}, 1_000);
    cut();
    await expect(pending).rejects.toMatchObject({ isGone: true });
    await expect(left.call('wait', {}, 1_000)).rejects.toMatchObject({ isGone: true });
  });

  it('rejects at the deadline of the call', async () => {
    const { left } = connect({}, { wait: () => new Promise(() => {}) });
    await expect(left.call('wait', {}, 8)).rejects.toMatchObject({
      isGone: false,
      message: expect.stringContaining('within 8 ms'),
    });
  });

  it('sends messages without a reply, and ignores messages that are not calls', async () => {
    const received = Promise.withResolvers<unknown>();
    const { left } = connect({}, { note: (params: unknown) => received.resolve(params) });
    left.notify('note', { a: 1 });
    left.notify('nothing');
    expect(await received.promise).toEqual({ a: 1 });
  });
});

it('afterRunning counts time in which this process was running, to one eighth of the time', () => {
  const timers: (() => void)[] = [];
  let isOver = false;
  const finish = () => {
    isOver = true;
  };
  afterRunning(800, finish, (then, ms) => {
    expect(ms).toBe(100);
    timers.push(then);
    return () => {};
  });
  for (let i = 0; i < 8; i++) {
    expect([timers.length, isOver]).toEqual([1, false]);
    timers.shift()?.();
  }
  expect(isOver).toBe(true);
});
