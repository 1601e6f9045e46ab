import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AccountGateOptions, createAccountGate } from './account-gate.ts';
import type { Place } from './account-places.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

function setUp(bounds: Partial<AccountGateOptions> = {}) {
  const told: string[] = [];
  const waits: number[] = [];
  const gate = createAccountGate({
    concurrencyMax: 2,
    queueMax: 4,
    clock: Date.now,
    onRefused: (refusal) => told.push(refusal),
    onWaited: (ms) => waits.push(ms),
    ...bounds,
  });
  const entered: string[] = [];
  /** What became of a visitor: a place, or the error in its stead. */
  async function visit(name: string, patienceMs = 10_000, signal?: AbortSignal): Promise<Place> {
    const place = await gate.enter({ lane: name.slice(0, 1), signal, deadlineMs: Date.now() + patienceMs });
    entered.push(name);
    return place;
  }
  const visitAll = (...names: string[]) => Promise.all(names.map((name) => visit(name)));
  return { gate, visit, visitAll, entered, told, waits };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('a gate', () => {
  test('lets so many in at once and the others in their turn', async () => {
    const { gate, visit, visitAll, entered } = setUp();
    const [first] = await visitAll('a1', 'a2');
    const third = visit('a3');
    await settled();
    expect([entered, gate.working, gate.queued]).toEqual([['a1', 'a2'], 2, 1]);
    first?.leave();
    await third;
    expect([entered, gate.working, gate.queued]).toEqual([['a1', 'a2', 'a3'], 2, 0]);
  });

  test('gives a place back once, however often it is left', async () => {
    const { gate, visitAll } = setUp();
    const [first] = await visitAll('a1', 'a2');
    for (let i = 0; i < 3; i++) first?.leave();
    expect(gate.working).toBe(1);
    first?.begin();
    expect([gate.working, gate.streaming]).toEqual([1, 0]);
  });

  test('makes nobody wait behind the burst of another', async () => {
    const { visit, visitAll, entered } = setUp({ concurrencyMax: 1, queueMax: 100 });
    const [place] = await visitAll('a0');
    const burst = Array.from({ length: 50 }, (_, i) => visit(`a${i + 1}`).then((next) => next.leave()));
    const other = visit('b1').then((next) => next.leave());
    place?.leave();
    await other;
    expect(entered.slice(0, 3)).toEqual(['a0', 'a1', 'b1']);
    await Promise.all(burst);
  });

  test('sends the last of the longest line away for one of a shorter line, and refuses the longest line itself', async () => {
    const { visit, visitAll, told, gate } = setUp();
    await visitAll('b0', 'b0');
    const burst = ['a1', 'a2', 'a3', 'a4'].map((name) => visit(name).catch((error: unknown) => error));
    expect(await faultOf(visit('a5'))).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    const other = visit('b1');
    expect(await burst[3]).toMatchObject({ status: 503, detail: expect.stringContaining('was not sent') });
    expect([gate.queued, told]).toEqual([4, ['queue_full', 'queue_full']]);
    other.catch(() => {});
  });

  test('refuses at once where no queue is wanted', async () => {
    const { visit, visitAll } = setUp({ queueMax: 0 });
    await visitAll('a1', 'a2');
    expect(await faultOf(visit('b1'))).toMatchObject({ status: 503 });
  });

  test('tells how long the queue will take by what it took of late', async () => {
    const { visit, gate } = setUp({ concurrencyMax: 1, queueMax: 4 });
    for (let i = 0; i < 50; i++) {
      const place = await visit('a');
      vi.setSystemTime(Date.now() + 3_000);
      place.leave();
    }
    await visit('a');
    for (let i = 0; i < 4; i++) visit('a').catch(() => {});
    expect(gate.queued).toBe(4);
    expect(await faultOf(visit('a'))).toMatchObject({ headers: { 'Retry-After': '12' } });
  });

  test('answers who has waited until the deadline, and forgets it', async () => {
    const { gate, visit, visitAll, told, waits } = setUp();
    const [first] = await visitAll('a1', 'a2');
    const late = faultOf(visit('a3', 500));
    const patient = visit('a4', 5_000);
    vi.advanceTimersByTime(500);
    expect(await late).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    first?.leave();
    await patient;
    vi.advanceTimersByTime(5_000);
    expect([gate.queued, told, waits, vi.getTimerCount()]).toEqual([0, ['waited_too_long'], [500], 0]);
  });

  test('loses who goes away from the queue, and keeps nothing of it', async () => {
    const { gate, visit, visitAll } = setUp();
    const [first] = await visitAll('a1', 'a2');
    const abort = new AbortController();
    const gone = faultOf(visit('a3', 5_000, abort.signal));
    const next = visit('a4');
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    expect(await gone).toMatchObject({ reason: 'abandoned', wasSent: false });
    first?.leave();
    await next;
    vi.advanceTimersByTime(5_000);
    expect([gate.queued, gate.working, vi.getTimerCount()]).toEqual([0, 2, 0]);
    await visit('a5', 5_000, AbortSignal.abort()).catch(() => {});
    expect(gate.queued).toBe(0);
  });

  test('loses no place when its taker goes away as it comes free', async () => {
    const { gate, visit, visitAll } = setUp({ concurrencyMax: 1 });
    const [first] = await visitAll('a1');
    const abort = new AbortController();
    const taker = visit('a2', 5_000, abort.signal);
    first?.leave();
    abort.abort();
    (await taker).leave();
    expect([gate.working, gate.queued]).toEqual([0, 0]);
  });

  test('keeps half of the places for requests whatever slow readers hold', async () => {
    const { gate, visitAll, visit } = setUp({ concurrencyMax: 4, queueMax: 0 });
    for (let i = 0; i < 20; i++) (await visit(`${i % 5}`)).begin();
    const [first] = await visitAll('b1', 'b2');
    expect([gate.working, gate.streaming]).toEqual([2, 20]);
    expect(await faultOf(visit('b3'))).toMatchObject({ status: 503 });
    first?.leave();
    await visit('b3');
  });

  test('bounds the answers that one slow reader has on their way, and lets nobody else wait for it', async () => {
    const { gate, visit } = setUp();
    const streams: Place[] = [];
    for (let i = 0; i < 8; i++) {
      const place = await visit('a');
      place.begin();
      streams.push(place);
    }
    const third = visit('a');
    await settled();
    expect([gate.streaming, gate.queued]).toEqual([8, 1]);
    (await visit('b1')).leave();
    (await visit('b2')).leave();
    streams[0]?.leave();
    (await third).leave();
    for (const place of streams) place.leave();
    expect([gate.working, gate.streaming, gate.queued]).toEqual([0, 0, 0]);
  });

  test('takes new bounds at once', async () => {
    const { gate, visit, visitAll, entered } = setUp({ queueMax: 0 });
    await visitAll('a1', 'a2');
    gate.resize({ concurrencyMax: 2, queueMax: 2 });
    const waiting = [visit('a3'), visit('a4')];
    gate.resize({ concurrencyMax: 3, queueMax: 2 });
    await waiting[0];
    gate.resize({ concurrencyMax: 1, queueMax: 2 });
    expect([entered, gate.working, gate.queued]).toEqual([['a1', 'a2', 'a3'], 3, 1]);
    waiting[1]?.catch(() => {});
  });
});

describe('a limit of the upstream', () => {
  test('holds everyone for as long as it says; who cannot wait so long is told at once', async () => {
    const { gate, visit, entered, told } = setUp();
    gate.hold(4_000);
    expect(gate.heldMs).toBe(4_000);
    const patient = visit('a1', 5_000);
    expect(await faultOf(visit('a2', 4_000))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '4' },
      detail: expect.stringContaining('429'),
    });
    vi.advanceTimersByTime(3_999);
    await settled();
    expect(entered).toEqual([]);
    vi.advanceTimersByTime(1);
    await patient;
    expect([entered, told, gate.heldMs]).toEqual([['a1'], ['held'], 0]);
  });

  test('ends also when its timer comes early by the clock', async () => {
    let behindMs = 0;
    const { gate, visit, entered } = setUp({ clock: () => Date.now() - behindMs });
    gate.hold(1_000);
    const waiting = visit('a1', 60_000);
    behindMs = 0.6;
    vi.advanceTimersByTime(1_000);
    await settled();
    expect(entered).toEqual([]);
    vi.advanceTimersByTime(1);
    await waiting;
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is told also to those who wait already and cannot wait so long', async () => {
    const { gate, visit, visitAll } = setUp({ concurrencyMax: 1 });
    const [first] = await visitAll('a1');
    const short = faultOf(visit('a2', 1_000));
    const long = visit('a3', 60_000);
    gate.hold(30_000);
    first?.leave();
    expect(await short).toMatchObject({ headers: { 'Retry-After': '30' } });
    vi.advanceTimersByTime(30_000);
    await long;
  });

  test('is followed by one request, and one more for each answer', async () => {
    const { gate, visit, entered } = setUp({ concurrencyMax: 4, queueMax: 100 });
    gate.hold(1_000);
    const places: Promise<Place>[] = Array.from({ length: 12 }, () => visit('a', 60_000));
    const counts: number[] = [];
    vi.advanceTimersByTime(1_000);
    for (let i = 0; i < 5; i++) {
      await settled();
      counts.push(entered.length);
      (await places[i])?.leave();
    }
    expect(counts).toEqual([1, 3, 5, 7, 8]);
  });

  test('that comes again at once holds once more, and all that were on their way count once', async () => {
    const { gate, visitAll } = setUp();
    const places = await visitAll('a1', 'a2');
    for (const place of places) {
      gate.hold(undefined);
      place.leave();
    }
    const held = [gate.heldMs];
    for (let i = 0; i < 6; i++) {
      vi.advanceTimersByTime(gate.heldMs);
      const [place] = await visitAll('a3');
      gate.hold(undefined);
      place?.leave();
      held.push(gate.heldMs);
    }
    expect(held).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    vi.advanceTimersByTime(30_000);
    const [answered] = await visitAll('a4');
    answered?.leave();
    gate.hold(undefined);
    expect(gate.heldMs).toBe(1_000);
  });

  test.each([
    ['no time at all', 0, 250],
    ['a year', 31_536_000_000, 3_600_000],
  ])('of %s is kept within bounds', (_case, askedMs, heldMs) => {
    const { gate } = setUp();
    gate.hold(askedMs);
    expect(gate.heldMs).toBe(heldMs);
  });

  test('is not made shorter by a later answer', () => {
    const { gate } = setUp();
    gate.hold(10_000);
    gate.hold(1_000);
    gate.hold(undefined);
    expect(gate.heldMs).toBe(10_000);
  });
});
