import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallSignal } from '@rostergate/runtime/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ReadSoFar, SharedStream, type SharedStreamOptions } from './shared-stream.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const chunkBytes = 16 * 1024;
const chunkOf = (i: number) => Buffer.alloc(chunkBytes, String(i % 10));

/** A source of so many chunks, of which it stops after some, that counts how many were asked of it. */
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

test('gives each reader the whole answer, whatever their number', async () => {
  const { open, over, sealed } = start(100);
  const readers = Array.from({ length: 20 }, () => buffer(open()));
  for (const read of readers) expect((await read).equals(whole(100))).toBe(true);
  expect(over.mock.calls).toEqual([[true]]);
  expect(sealed).toHaveBeenCalledOnce();
});

test('takes who comes while the beginning is held, and nobody later', async () => {
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

test('reads no further ahead than a reader who has stopped can hold', async () => {
  const { open, given } = start(1_000);
  const reader = open();
  reader.read(0);
  await turns();
  const before = given();
  await turns();
  expect(given()).toBe(before);
  expect(before).toBeLessThan(24);
});

test('lets others wait for a slow reader only so long, who then goes on by itself with every byte', async () => {
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
  // Nobody is asked before the slow one has come to the end of what it was given.
  expect(resumed).toEqual([]);
  expect((await buffer(slow)).equals(whole(1_000))).toBe(true);
  expect(resumed).toHaveLength(1);
  const { bytes, digest } = resumed[0] as ReadSoFar;
  expect(digest).toEqual(createHash('sha256').update(whole(1_000).subarray(0, bytes)).digest());
});

test('counts the waits together: one who is slow again and again is waited for once', async () => {
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

test('forgives a wait in twice its time: who is hardly slower than the others stays with them', async () => {
  const { open, resumed, given } = start(1_000);
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  for (let waits = 0; waits < 20; waits++) {
    await turns();
    vi.advanceTimersByTime(240);
    for (let i = 0; i < 4; i++) slow.read();
    // The others have what they want; nobody waits for anybody.
    vi.setSystemTime(Date.now() + 480);
  }
  expect(given()).toBeLessThan(1_000);
  slow.resume();
  await quickly;
  expect(resumed).toEqual([]);
});

test('goes on when the one who came first leaves, and ends with the last', async () => {
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

test('a slow reader that leaves lets the others go on at once', async () => {
  const { open } = start(1_000);
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  await turns();
  slow.destroy();
  expect((await quickly).length).toBe(1_000 * chunkBytes);
});

test('breaks off for all when the answer breaks off', async () => {
  const { open, source, over } = start(1_000, {}, 3);
  const reads = [open(), open()].map((reader) => text(reader));
  const broken = new Error('broken');
  await turns(2);
  source.destroy(broken);
  for (const outcome of await Promise.allSettled(reads)) expect(outcome).toMatchObject({ reason: broken });
  expect(over.mock.calls).toEqual([[false]]);
});

test('breaks off when the answer is cut without a word', async () => {
  const { open, source } = start(1_000, {}, 3);
  const read = text(open());
  await turns(2);
  source.destroy();
  await expect(read).rejects.toThrow('before its end');
});

test('a reader whose rest cannot be had breaks off, and no other', async () => {
  const failure = new Error('changed');
  const { open } = start(1_000, { resume: () => Promise.reject(failure) });
  const [slow, quick] = [open(), open()];
  const quickly = buffer(quick);
  await turns();
  vi.advanceTimersByTime(1_000);
  expect((await quickly).length).toBe(1_000 * chunkBytes);
  await expect(text(slow)).rejects.toBe(failure);
});

test('a reader that leaves while its rest is fetched takes the request for it along', async () => {
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
