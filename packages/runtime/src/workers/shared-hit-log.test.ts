import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeHitStore } from '../limits/hit-store.contract.ts';
import { type Hit, isAdmittedBy, SlidingWindow, type Verdict } from '../limits/index.ts';
import { createSharedHitLog, type SharedHitLog, type SharedHitLogOptions } from './shared-hit-log.ts';

const windowMs = 60_000;
const makeFolder = () => mkdtempSync(join(tmpdir(), 'rostergate-hits-'));

/** Several processes that count in one folder, by one clock. */
function share(options: Partial<SharedHitLogOptions> = {}) {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const time = { ms: 1_000_000.5 };
  let writers = 0;
  const open = (from?: ReturnType<SharedHitLog['snapshot']>) =>
    createSharedHitLog({
      ...{ folder, windowMs, clock: () => time.ms, writer: ++writers, ...options },
      ...(from === undefined ? {} : { from }),
    });
  return { folder, time, open };
}

const isAdmitted = (store: SharedHitLog, hit: Hit) => isAdmittedBy(store.hit(hit) as Verdict);

const folders: string[] = [];
describeHitStore('two processes with a shared log', {
  numRuns: 100,
  async open() {
    const folder = makeFolder();
    folders.push(folder);
    let nowMs = 1_700_000_000_000;
    const [one, other] = [1, 2].map((writer) =>
      createSharedHitLog({ folder, windowMs, writer, clock: () => nowMs, segmentBytes: 1_280 }),
    ) as [SharedHitLog, SharedHitLog];
    let turn = 0;
    return {
      store: { ...one, hit: (hit) => (turn++ % 2 === 0 ? one : other).hit(hit) },
      nowMs: () => nowMs,
      pass: async (ms) => {
        nowMs += ms;
      },
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
});

describe('processes with a shared log', () => {
  it('decide like one window, whoever starts or ends, with more clients than are remembered', () => {
    const step = fc.record({
      by: fc.nat(2),
      key: fc.nat(7),
      route: fc.option(fc.nat(2)),
      passMs: fc.constantFrom(0, 0, 1, 7_000, 60_000),
      isReplaced: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const folder = makeFolder();
        const time = { ms: 5_000 };
        let writers = 0;
        const start = (from?: ReturnType<SharedHitLog['snapshot']>) =>
          createSharedHitLog({
            ...{ folder, windowMs, clock: () => time.ms, writer: ++writers, keysMax: 4, segmentBytes: 1_280 },
            ...(from === undefined ? {} : { from }),
          });
        const primary = start();
        const all = [start(), start(), start()];
        const alone = new SlidingWindow({ windowMs, clock: () => time.ms, keysMax: 4 });
        // The evicted are told apart by a sum of their key, and keys in the log are digests: no two here share one.
        for (const { by, key, route, passMs, isReplaced } of steps) {
          time.ms += passMs;
          const keys = route === null ? [`k${key}`] : [`k${key}`, `r${route}`];
          const hit = { keys, limits: keys.map(() => 3) };
          if (isReplaced) all[by] = start(primary.snapshot());
          const verdict = (all[by] as SharedHitLog).hit(hit);
          expect(verdict).toEqual(alone.hitAll(hit));
        }
        rmSync(folder, { recursive: true, force: true });
      }),
      { numRuns: 60 },
    );
  });

  it('count on from a snapshot, in a later segment too', () => {
    const { open, folder } = share({ segmentBytes: 640 });
    const [primary, one] = [open(), open()];
    const hit = { keys: ['a'], limits: [20] };
    for (let i = 0; i < 12; i++) expect(isAdmitted(one, hit)).toBe(true);
    expect(one.segment()).toBe(2);
    expect(readdirSync(folder)).toHaveLength(3);
    const later = open(primary.snapshot());
    expect(Array.from({ length: 10 }, () => isAdmitted(later, hit)).filter(Boolean)).toHaveLength(8);
    expect(isAdmitted(one, hit)).toBe(false);
  });

  it('count each alone, and say so, without space or without the folder', () => {
    const { open, folder } = share({ segmentBytes: 256 });
    const store = open();
    rmSync(folder, { recursive: true });
    const hit = { keys: ['a'], limits: [5] };
    expect(Array.from({ length: 8 }, () => isAdmitted(store, hit)).filter(Boolean)).toHaveLength(5);
    expect(store.status()).toMatchObject({ status: 'degraded', reason: expect.stringContaining('ENOENT') });
  });

  it('read nothing of a slot that was written in part', () => {
    const { open, folder } = share();
    const store = open();
    store.hit({ keys: ['a'], limits: [5] });
    writeFileSync(join(folder, 'hits-0'), Buffer.alloc(64), { flag: 'a' });
    store.catchUp();
    expect(store.snapshot().position).toBe(128);
  });
});
