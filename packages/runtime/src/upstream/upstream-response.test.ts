import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { discard } from './upstream-response.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A body that is sent as the test says, and whether it was read to its end. */
function discarded(contentLength?: string) {
  const body = new Readable({ read() {} });
  discard({ status: 200, headers: { 'content-length': contentLength }, body });
  const isRead = async () => {
    await new Promise(setImmediate);
    return [body.readableEnded, body.destroyed];
  };
  return { body, isRead };
}

describe('an answer that nobody reads', () => {
  it.each(['12', undefined])('is read to its end when it is short, its length being %s', async (length) => {
    const { body, isRead } = discarded(length);
    body.push('[1, 2, 3, 4]');
    body.push(null);
    expect(await isRead()).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['65537', 'garbage'])('is cut off at once when its length is %s', (length) => {
    expect(discarded(length).body.destroyed).toBe(true);
  });

  it('is cut off where it turns out to be long', async () => {
    const { body, isRead } = discarded();
    body.push('x'.repeat(64 * 1024));
    expect(await isRead()).toEqual([false, false]);
    body.push('x');
    expect(await isRead()).toEqual([false, true]);
  });

  it.each(['100', undefined])('is cut off when its rest does not come soon, its length being %s', (length) => {
    const { body } = discarded(length);
    body.push('[');
    vi.advanceTimersByTime(1_000);
    expect(body.destroyed).toBe(true);
  });
});
