import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/index.ts';
import { type CallHandlers, createCalls } from './calls.ts';

/** Two ends of one channel; what is sent travels as text, as between processes. */
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

describe('calls between two processes', () => {
  it('bring each answer to who asked for it, both ways at once', async () => {
    const double = ({ n }: { n: number }) => ({ n: 2 * n });
    const { left, right } = connect({ double }, { double: async (params: { n: number }) => double(params) });
    const answers = await Promise.all(
      [1, 2, 3].flatMap((n) => [left.call('double', { n }), right.call('double', { n })]),
    );
    expect(answers).toEqual([2, 2, 4, 4, 6, 6].map((n) => ({ n })));
  });

  it('throw here what was thrown there, a problem with its code and headers', async () => {
    const refuse = () => {
      throw new Problem('unavailable', 'Wait.', { headers: { 'Retry-After': '1' } });
    };
    const { left } = connect({}, { refuse, fail: () => Promise.reject(new Error('No.')) });
    await expect(left.call('refuse')).rejects.toMatchObject({
      code: 'unavailable',
      detail: 'Wait.',
      headers: { 'Retry-After': '1' },
    });
    await expect(left.call('fail')).rejects.toThrow('No.');
    await expect(left.call('nothing')).rejects.toThrow('nothing');
  });

  it('end with an error when the other side goes away, before or after the question', async () => {
    const { left, cut } = connect({}, { wait: () => new Promise(() => {}) });
    const pending = left.call('wait');
    cut();
    await expect(pending).rejects.toThrow('gone');
    await expect(left.call('wait')).rejects.toThrow('gone');
  });

  it('tell without waiting, and pass over what is no call', async () => {
    const heard = Promise.withResolvers<unknown>();
    const { left } = connect({}, { note: (params: unknown) => heard.resolve(params) });
    left.tell('note', { a: 1 });
    expect(await heard.promise).toEqual({ a: 1 });
  });
});
