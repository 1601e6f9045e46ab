import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { discard } from './upstream-response.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A body that the test sends, and whether it was read to its end. */
function discarded(contentLength?: string) {
  const body = new Readable({ read() {} });
  discard({ status: 200, headers: { 'content-length': contentLength }, body });
  const isRead = async () => {
    await new Promise(setImmediate);
    return [body.readableEnded, body.destroyed];
  };
  return { body, isRead };
}

describe('a discarded response', () => {
  it.each(['12', undefined])('is read to its end when it is short, with length %s', async (length) => {
    const { body, isRead } = discarded(length);
    body.push('[1, 2, 3, 4]');
    body.push(null);
    expect(await isRead()).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['65537', 'garbage'])('is closed at once with length %s', (length) => {
    expect(discarded(length).body.destroyed).toBe(true);
  });

  it('is closed when it turns out to be long', async () => {
    const { body, isRead } = discarded();
    body.push('x'.repeat(64 * 1024));
    expect(await isRead()).toEqual([false, false]);
    body.push('x');
    expect(await isRead()).toEqual([false, true]);
  });

  it.each(['100', undefined])('is closed when its rest does not arrive soon, with length %s', (length) => {
    const { body } = discarded(length);
    body.push('[');
    vi.advanceTimersByTime(1_000);
    expect(body.destroyed).toBe(true);
  });
});
