import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallSignal } from '@rostergate/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ReadSoFar, SharedStream, type SharedStreamOptions } from './shared-stream.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const chunkBytes = 16 * 1024;
const chunkOf = (i: number) => Buffer.alloc(chunkBytes, String(i % 10));

/** Shares a source of this many chunks, which stalls after `stopsAfter`. */
function start(chunks: number, more: Partial<SharedStreamOptions> = {}, stopsAfter = chunks) {
  let given = 0;
  const source = new Readable({
    highWaterMark: 1,
    read() {
      if (given === chunks) this.push(null);
      else if (given < stopsAfter) this.push(chunkOf(given++));
    },
  });
  const resumed: ReadSoFar[] = [];
  const sealed = vi.fn();
  const over = vi.fn();
  const shared = new SharedStream({
    source,
    joinBytesMax: 4 * chunkBytes,
    lagBytesMax: 16 * chunkBytes,
    patienceMs: 1_000,
    clock: Date.now,
    onSealed: sealed,
    onOver: over,
    async resume(soFar) {
      resumed.push(soFar);
      return Readable.from([whole(chunks).subarray(soFar.bytes)]);
    },
    ...more,
  });
  const open = () => shared.open() as Readable;
  return { source, shared, open, sealed, over, resumed, given: () => given };
}

const whole = (chunks: number) => Buffer.concat(Array.from({ length: chunks }, (_, i) => chunkOf(i)));

async function turns(count = 50): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

test('sends each of many readers the whole response', async () => {
  const { open, over, sealed } = start(100);
  const readers = Array.from({ length: 20 }, () => buffer(open()));
  for (const read of readers) expect((await read).equals(whole(100))).toBe(true);
  expect(over.mock.calls).toEqual([[true]]);
  expect(sealed).toHaveBeenCalledOnce();
});

test('accepts readers only while the beginning is held', async () => {
  const { open, shared, sealed, source } = start(100);
  const first = open();
  await turns();
  first.read();
  const second = open();
  expect(sealed).not.toHaveBeenCalled();
  const all = Promise.all([buffer(first), buffer(second)]);
  await turns();
  expect(sealed).toHaveBeenCalledOnce();
  expect(shared.open()).toBeUndefined();
  expect((await all)[1].equals(whole(100))).toBe(true);
  expect(source.destroyed).toBe(true);
});

test('reads no further ahead than the buffer of a stalled reader', async () => {
  const { open, given } = start(1_000);
  const reader = open();
  reader.read(0);
  await turns();
  const before = given();
  await turns();
  expect(given()).toBe(before);
  expect(before).toBeLessThan(24);
});

test('detaches a slow reader after a while, without losing a byte', async () => {
  const { open, given, resumed } = start(1_000);
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  slow.read(0);
  await turns();
  expect(given()).toBeLessThan(32);
  vi.advanceTimersByTime(999);
  await turns();
  expect(given()).toBeLessThan(32);
  vi.advanceTimersByTime(1);
  expect((await quickly).equals(whole(1_000))).toBe(true);
  // No request is sent before the slow reader has used its buffer.
  expect(resumed).toEqual([]);
  expect((await buffer(slow)).equals(whole(1_000))).toBe(true);
  expect(resumed).toHaveLength(1);
  const { bytes, digest } = resumed[0] as ReadSoFar;
  expect(digest).toEqual(createHash('sha256').update(whole(1_000).subarray(0, bytes)).digest());
});

test('adds waits up: a repeatedly slow reader is detached', async () => {
  const { open, resumed, given } = start(1_000);
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  for (let waits = 0; waits < 4; waits++) {
    await turns();
    vi.advanceTimersByTime(240);
    const before = given();
    for (let i = 0; i < 4; i++) slow.read();
    await turns();
    expect(given()).toBeGreaterThan(before);
  }
  vi.advanceTimersByTime(100);
  await quickly;
  slow.resume();
  await turns();
  expect(resumed).toHaveLength(1);
});

test('regrows the wait budget: a slightly slower reader stays', async () => {
  const { open, resumed, given } = start(1_000);
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  for (let waits = 0; waits < 20; waits++) {
    await turns();
    vi.advanceTimersByTime(240);
    for (let i = 0; i < 4; i++) slow.read();
    // No reader waits.
    vi.setSystemTime(Date.now() + 480);
  }
  expect(given()).toBeLessThan(1_000);
  slow.resume();
  await quickly;
  expect(resumed).toEqual([]);
});

test('continues without the first reader, and ends with the last', async () => {
  const { open, source, over } = start(1_000);
  const [first, second, third] = [open(), open(), open()];
  first.read(0);
  await turns(3);
  first.destroy();
  second.destroy(new Error('gone'));
  await turns();
  expect(source.destroyed).toBe(false);
  third.read(0);
  await turns();
  third.destroy();
  expect(source.destroyed).toBe(true);
  expect(over.mock.calls).toEqual([[false]]);
});

test('continues at once when a slow reader leaves', async () => {
  const { open } = start(1_000);
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  await turns();
  slow.destroy();
  expect((await quickly).length).toBe(1_000 * chunkBytes);
});

test('fails for all readers when the response breaks off', async () => {
  const { open, source, over } = start(1_000, {}, 3);
  const reads = [open(), open()].map((reader) => text(reader));
  const broken = new Error('broken');
  await turns(2);
  source.destroy(broken);
  for (const outcome of await Promise.allSettled(reads)) expect(outcome).toMatchObject({ reason: broken });
  expect(over.mock.calls).toEqual([[false]]);
});

test('fails when the source is destroyed without an error', async () => {
  const { open, source } = start(1_000, {}, 3);
  const read = text(open());
  await turns(2);
  source.destroy();
  await expect(read).rejects.toThrow('before its end');
});

test('fails only for the reader whose rest cannot be read', async () => {
  const failure = new Error('changed');
  const { open } = start(1_000, { resume: () => Promise.reject(failure) });
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  await turns();
  vi.advanceTimersByTime(1_000);
  expect((await quickly).length).toBe(1_000 * chunkBytes);
  await expect(text(slow)).rejects.toBe(failure);
});

test('cancels the request for the rest when its reader leaves', async () => {
  let signal: CallSignal | undefined;
  const resume = (_: ReadSoFar, given: CallSignal) => {
    signal = given;
    return new Promise<Readable>(() => {});
  };
  const { open } = start(1_000, { resume });
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  await turns();
  vi.advanceTimersByTime(1_000);
  await quickly;
  slow.on('data', () => {});
  await turns();
  expect(signal?.aborted).toBe(false);
  slow.destroy();
  expect(signal?.aborted).toBe(true);
});
