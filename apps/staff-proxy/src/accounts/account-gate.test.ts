import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Slot } from './account-gate.ts';
import { type AccountGateOptions, createAccountGate } from './account-gate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

function setUp(bounds: Partial<AccountGateOptions> = {}) {
  const rejections: string[] = [];
  const waits: number[] = [];
  const gate = createAccountGate({
    concurrencyMax: 2,
    queueMax: 4,
    clock: Date.now,
    onRejected: (rejection) => rejections.push(rejection),
    onWaited: (ms) => waits.push(ms),
    ...bounds,
  });
  const entered: string[] = [];
  /** Enters the gate; rejects with the gate's error. */
  async function enter(name: string, patienceMs = 10_000, signal?: AbortSignal): Promise<Slot> {
    const slot = await gate.enter({ lane: name.slice(0, 1), signal, deadlineMs: Date.now() + patienceMs });
    entered.push(name);
    return slot;
  }
  const enterAll = (...names: string[]) => Promise.all(names.map((name) => enter(name)));
  return { gate, enter, enterAll, entered, rejections, waits };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('an account gate', () => {
  test('admits a limited number at once and the others in turn', async () => {
    const { gate, enter, enterAll, entered } = setUp();
    const [first] = await enterAll('a1', 'a2');
    const third = enter('a3');
    await settled();
    expect([entered, gate.working, gate.queued]).toEqual([['a1', 'a2'], 2, 1]);
    first?.release();
    await third;
    expect([entered, gate.working, gate.queued]).toEqual([['a1', 'a2', 'a3'], 2, 0]);
  });

  test('frees a slot once, however often it is released', async () => {
    const { gate, enterAll } = setUp();
    const [first] = await enterAll('a1', 'a2');
    for (let i = 0; i < 3; i++) first?.release();
    expect(gate.working).toBe(1);
    first?.startStreaming();
    expect([gate.working, gate.streaming]).toEqual([1, 0]);
  });

  test('does not delay a lane behind the burst of another', async () => {
    const { enter, enterAll, entered } = setUp({ concurrencyMax: 1, queueMax: 100 });
    const [slot] = await enterAll('a0');
    const burst = Array.from({ length: 50 }, (_, i) => enter(`a${i + 1}`).then((next) => next.release()));
    const other = enter('b1').then((next) => next.release());
    slot?.release();
    await other;
    expect(entered.slice(0, 3)).toEqual(['a0', 'a1', 'b1']);
    await Promise.all(burst);
  });

  test('rejects the last of the longest lane in favour of a shorter one, and new requests of the longest lane', async () => {
    const { enter, enterAll, rejections, gate } = setUp();
    await enterAll('b0', 'b0');
    const burst = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(name).catch((error: unknown) => error));
    expect(await faultOf(enter('a5'))).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    const other = enter('b1');
    expect(await burst[3]).toMatchObject({ status: 503, detail: expect.stringContaining('was not sent') });
    expect([gate.queued, rejections]).toEqual([4, ['queue_full', 'queue_full']]);
    other.catch(() => {});
  });

  test('rejects at once without a queue', async () => {
    const { enter, enterAll } = setUp({ queueMax: 0 });
    await enterAll('a1', 'a2');
    expect(await faultOf(enter('b1'))).toMatchObject({ status: 503 });
  });

  test('derives Retry-After from recent response times', async () => {
    const { enter, gate } = setUp({ concurrencyMax: 1, queueMax: 4 });
    for (let i = 0; i < 50; i++) {
      const slot = await enter('a');
      vi.setSystemTime(Date.now() + 3_000);
      slot.release();
    }
    await enter('a');
    for (let i = 0; i < 4; i++) enter('a').catch(() => {});
    expect(gate.queued).toBe(4);
    expect(await faultOf(enter('a'))).toMatchObject({ headers: { 'Retry-After': '12' } });
  });

  test('rejects a request at its deadline and removes it', async () => {
    const { gate, enter, enterAll, rejections, waits } = setUp();
    const [first] = await enterAll('a1', 'a2');
    const late = faultOf(enter('a3', 500));
    const patient = enter('a4', 5_000);
    vi.advanceTimersByTime(500);
    expect(await late).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    first?.release();
    await patient;
    vi.advanceTimersByTime(5_000);
    expect([gate.queued, rejections, waits, vi.getTimerCount()]).toEqual([0, ['waited_too_long'], [500], 0]);
  });

  test('removes a request whose caller disconnects', async () => {
    const { gate, enter, enterAll } = setUp();
    const [first] = await enterAll('a1', 'a2');
    const abort = new AbortController();
    const gone = faultOf(enter('a3', 5_000, abort.signal));
    const next = enter('a4');
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    expect(await gone).toMatchObject({ reason: 'abandoned', wasSent: false });
    first?.release();
    await next;
    vi.advanceTimersByTime(5_000);
    expect([gate.queued, gate.working, vi.getTimerCount()]).toEqual([0, 2, 0]);
    await enter('a5', 5_000, AbortSignal.abort()).catch(() => {});
    expect(gate.queued).toBe(0);
  });

  test('frees the slot of a caller that disconnects as it is admitted', async () => {
    const { gate, enter, enterAll } = setUp({ concurrencyMax: 1 });
    const [first] = await enterAll('a1');
    const abort = new AbortController();
    const taker = enter('a2', 5_000, abort.signal);
    first?.release();
    abort.abort();
    (await taker).release();
    expect([gate.working, gate.queued]).toEqual([0, 0]);
  });

  test('reserves half of the slots from slow readers', async () => {
    const { gate, enterAll, enter } = setUp({ concurrencyMax: 4, queueMax: 0 });
    for (let i = 0; i < 20; i++) (await enter(`${i % 5}`)).startStreaming();
    const [first] = await enterAll('b1', 'b2');
    expect([gate.working, gate.streaming]).toEqual([2, 20]);
    expect(await faultOf(enter('b3'))).toMatchObject({ status: 503 });
    first?.release();
    await enter('b3');
  });

  test('limits the streams of one lane without blocking others', async () => {
    const { gate, enter } = setUp();
    const streams: Slot[] = [];
    for (let i = 0; i < 8; i++) {
      const slot = await enter('a');
      slot.startStreaming();
      streams.push(slot);
    }
    const third = enter('a');
    await settled();
    expect([gate.streaming, gate.queued]).toEqual([8, 1]);
    (await enter('b1')).release();
    (await enter('b2')).release();
    streams[0]?.release();
    (await third).release();
    for (const slot of streams) slot.release();
    expect([gate.working, gate.streaming, gate.queued]).toEqual([0, 0, 0]);
  });

  test('applies new bounds at once', async () => {
    const { gate, enter, enterAll, entered } = setUp({ queueMax: 0 });
    await enterAll('a1', 'a2');
    gate.resize({ concurrencyMax: 2, queueMax: 2 });
    const waiting = [enter('a3'), enter('a4')];
    gate.resize({ concurrencyMax: 3, queueMax: 2 });
    await waiting[0];
    gate.resize({ concurrencyMax: 1, queueMax: 2 });
    expect([entered, gate.working, gate.queued]).toEqual([['a1', 'a2', 'a3'], 3, 1]);
    waiting[1]?.catch(() => {});
  });
});

describe('a 429 of the upstream', () => {
  test('holds all requests for its Retry-After, and rejects at once those that cannot wait so long', async () => {
    const { gate, enter, entered, rejections } = setUp();
    gate.hold(4_000);
    expect(gate.heldMs).toBe(4_000);
    const patient = enter('a1', 5_000);
    expect(await faultOf(enter('a2', 4_000))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '4' },
      detail: expect.stringContaining('429'),
    });
    vi.advanceTimersByTime(3_999);
    await settled();
    expect(entered).toEqual([]);
    vi.advanceTimersByTime(1);
    await patient;
    expect([entered, rejections, gate.heldMs]).toEqual([['a1'], ['held'], 0]);
  });

  test('ends although its timer fires early by the clock', async () => {
    let behindMs = 0;
    const { gate, enter, entered } = setUp({ clock: () => Date.now() - behindMs });
    gate.hold(1_000);
    const waiting = enter('a1', 60_000);
    behindMs = 0.6;
    vi.advanceTimersByTime(1_000);
    await settled();
    expect(entered).toEqual([]);
    vi.advanceTimersByTime(1);
    await waiting;
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('rejects queued requests that cannot wait so long', async () => {
    const { gate, enter, enterAll } = setUp({ concurrencyMax: 1 });
    const [first] = await enterAll('a1');
    const short = faultOf(enter('a2', 1_000));
    const long = enter('a3', 60_000);
    gate.hold(30_000);
    first?.release();
    expect(await short).toMatchObject({ headers: { 'Retry-After': '30' } });
    vi.advanceTimersByTime(30_000);
    await long;
  });

  test('admits one request afterwards, and one more for each response', async () => {
    const { gate, enter, entered } = setUp({ concurrencyMax: 4, queueMax: 100 });
    gate.hold(1_000);
    const places: Promise<Slot>[] = Array.from({ length: 12 }, () => enter('a', 60_000));
    const counts: number[] = [];
    vi.advanceTimersByTime(1_000);
    for (let i = 0; i < 5; i++) {
      await settled();
      counts.push(entered.length);
      (await places[i])?.release();
    }
    expect(counts).toEqual([1, 3, 5, 7, 8]);
  });

  test('ends at its time, however slowly earlier responses are read', async () => {
    const { gate, enter, entered } = setUp({ concurrencyMax: 4 });
    for (const name of ['a1', 'a2']) (await enter(name)).startStreaming();
    gate.hold(1_000);
    const [first, second] = [enter('b1', 60_000), enter('b2', 60_000)];
    vi.advanceTimersByTime(1_000);
    await settled();
    expect(entered).toEqual(['a1', 'a2', 'b1']);
    (await first).release();
    await second;
    expect([gate.working, gate.streaming, gate.queued]).toEqual([1, 2, 0]);
  });

  test('holds again when repeated, once for all requests in flight', async () => {
    const { gate, enterAll } = setUp();
    const places = await enterAll('a1', 'a2');
    for (const slot of places) {
      gate.hold(undefined);
      slot.release();
    }
    const held = [gate.heldMs];
    for (let i = 0; i < 6; i++) {
      vi.advanceTimersByTime(gate.heldMs);
      const [slot] = await enterAll('a3');
      gate.hold(undefined);
      slot?.release();
      held.push(gate.heldMs);
    }
    expect(held).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    vi.advanceTimersByTime(30_000);
    const [answered] = await enterAll('a4');
    answered?.release();
    gate.hold(undefined);
    expect(gate.heldMs).toBe(1_000);
  });

  test.each([
    ['zero', 0, 250],
    ['a year', 31_536_000_000, 3_600_000],
  ])('with a Retry-After of %s is clamped', (_case, askedMs, heldMs) => {
    const { gate } = setUp();
    gate.hold(askedMs);
    expect(gate.heldMs).toBe(heldMs);
  });

  test('is not shortened by a later response', () => {
    const { gate } = setUp();
    gate.hold(10_000);
    gate.hold(1_000);
    gate.hold(undefined);
    expect(gate.heldMs).toBe(10_000);
  });
});
