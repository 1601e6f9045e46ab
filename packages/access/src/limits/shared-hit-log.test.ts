import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HitSegment, segmentFiles } from './hit-segment.ts';
import { describeHitStore } from './hit-store.contract.ts';
import { type Hit, isAdmittedBy, SlidingWindow } from './index.ts';
import { createSharedHitLog, type SharedHitLog, type SharedHitLogOptions } from './shared-hit-log.ts';

const windowMs = 60_000;
const makeFolder = () => mkdtempSync(join(tmpdir(), 'rostergate-hits-'));

/** Opens logs for several processes in one folder, with one clock. */
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

const isAdmitted = async (store: SharedHitLog, hit: Hit) => isAdmittedBy(await store.hit(hit));

/** Sends `count` hits one after another; returns how many are admitted. */
async function admittedOf(store: SharedHitLog, hit: Hit, count: number): Promise<number> {
  let admitted = 0;
  for (let i = 0; i < count; i++) if (await isAdmitted(store, hit)) admitted++;
  return admitted;
}

const folders: string[] = [];
describeHitStore('two processes with a shared log', {
  numRuns: 100,
  async open() {
    const folder = makeFolder();
    folders.push(folder);
    let nowMs = 1_700_000_000_000;
    const [one, other] = [1, 2].map((writer) =>
      createSharedHitLog({ folder, windowMs, writer, clock: () => nowMs, segmentBytes: 160 }),
    ) as [SharedHitLog, SharedHitLog];
    let turn = 0;
    return {
      store: { ...one, hit: (hit) => (turn++ % 2 === 0 ? one : other).hit(hit) },
      nowMs: () => nowMs,
      utcMs: () => nowMs,
      pass: async (ms) => {
        nowMs += ms;
      },
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
});

describe('createSharedHitLog', () => {
  it('ends a quota at midnight in UTC by the offset of the process that began the log', async () => {
    const folder = makeFolder();
    const [midnight, startedMs] = [Date.UTC(2026, 2, 1), 5_000_000];
    let nowMs = startedMs;
    const clock = () => nowMs;
    const utcOffsetMs = midnight - 1_000 - startedMs;
    const first = createSharedHitLog({ folder, windowMs, writer: 0, clock, utcOffsetMs });
    const quota: Hit = { client: 'k', keys: ['k'], limits: [1], windows: ['month'] };
    expect(await first.hit(quota)).toEqual([{ isAdmitted: true, used: 1, resetMs: 1_000 }]);
    const second = createSharedHitLog({ folder, windowMs, writer: 1, clock, from: first.snapshot() });
    expect(await second.hit(quota)).toEqual([{ isAdmitted: false, used: 1, resetMs: 1_000 }]);
    nowMs += 1_000;
    expect(await isAdmitted(second, quota)).toBe(true);
    expect(await isAdmitted(first, quota)).toBe(false);
  });

  it('accepts as many keys as a plan has, with the longest limits, and not more', async () => {
    const folder = makeFolder();
    const log = createSharedHitLog({ folder, windowMs, writer: 4_194_304, clock: () => 0 });
    const windows = [1_000, 60_000, 3_600_000, 86_400_000, 'month', 60_000] as const;
    const keys = windows.map((_, i) => `key ${i}`);
    const limits = [...new Array(5).fill(1_000_000_000), 1_000_000];
    expect(await log.hit({ keys, limits, windows })).toHaveLength(6);
    expect(() => log.hit({ keys: [...keys, 'one more'], limits: [...limits, 1] })).toThrow(RangeError);
  });

  it('decides like one window, through starts, ends and turns of many hits, with more keys than the window holds', async () => {
    const sentHit = fc.record({ by: fc.nat(2), key: fc.nat(7), route: fc.option(fc.nat(2)) });
    const turn = fc.record({
      hits: fc.array(sentHit, { minLength: 1, maxLength: 12 }),
      passMs: fc.constantFrom(0, 0, 1, 7_000, 60_000),
      replaced: fc.option(fc.nat(2)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 30 }), async (turns) => {
        const folder = makeFolder();
        const time = { ms: 5_000 };
        let writers = 0;
        const start = (from?: ReturnType<SharedHitLog['snapshot']>) =>
          createSharedHitLog({
            ...{ folder, windowMs, clock: () => time.ms, writer: ++writers, keysMax: 4, segmentBytes: 160 },
            ...(from === undefined ? {} : { from }),
          });
        const primary = start();
        const all = [start(), start(), start()];
        const alone = new SlidingWindow({ windowMs, clock: () => time.ms, keysMax: 4 });
        // Evicted keys share slots by checksum, and keys in the log are digests; none of these keys share a slot.
        for (const { hits, passMs, replaced } of turns) {
          time.ms += passMs;
          if (replaced !== null) all[replaced] = start(primary.snapshot());
          const decisions = hits.map(({ by, key, route }) => {
            const keys = route === null ? [`k${key}`] : [`k${key}`, `r${route}`];
            const hit = { keys, limits: keys.map(() => 3) };
            return { by, hit, verdict: (all[by] as SharedHitLog).hit(hit) };
          });
          // Each process appends the hits of a turn together, in the order of the first hit of each process.
          const order = [...new Set(decisions.map(({ by }) => by))];
          for (const process of order) {
            for (const { by, hit, verdict } of decisions) {
              if (by === process) expect(await verdict).toEqual(alone.hitAll(hit));
            }
          }
        }
        rmSync(folder, { recursive: true, force: true });
      }),
      { numRuns: 60 },
    );
  });

  it('continues from a snapshot, in a later segment too', async () => {
    const { open, folder } = share({ segmentBytes: 80 });
    const [primary, one] = [open(), open()];
    const hit = { keys: ['a'], limits: [20] };
    expect(await admittedOf(one, hit, 12)).toBe(12);
    expect(one.segment()).toBe(2);
    expect(readdirSync(folder)).toHaveLength(6);
    const later = open(primary.snapshot());
    expect(await admittedOf(later, hit, 10)).toBe(8);
    expect(await isAdmitted(one, hit)).toBe(false);
  });

  it('applies a changed limit, and distinguishes a key with a line break from two keys', async () => {
    const { open } = share();
    const [one, other] = [open(), open()];
    expect(await admittedOf(one, { keys: ['a', 'b'], limits: [2, 2] }, 3)).toBe(2);
    expect(await admittedOf(one, { keys: ['a\nb'], limits: [2] }, 3)).toBe(2);
    expect(await admittedOf(one, { keys: ['a', 'b'], limits: [2, 3] }, 1)).toBe(0);
    expect(await admittedOf(one, { keys: ['a', 'b'], limits: [3, 3] }, 3)).toBe(1);
    expect(await admittedOf(other, { keys: ['b'], limits: [4] }, 3)).toBe(1);
  });

  it('decides more hits in one turn than it writes at once', async () => {
    const { open } = share();
    const [one, other] = [open(), open()];
    const hit = { keys: ['a'], limits: [5_000] };
    const verdicts = await Promise.all(Array.from({ length: 6_000 }, (_, i) => (i % 2 === 0 ? one : other).hit(hit)));
    const used = verdicts.filter(isAdmittedBy).map(([state]) => state?.used as number);
    expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 5_000 }, (_, i) => i + 1));
  });

  it('counts alone without the folder, and reports it', async () => {
    const { open, folder } = share({ segmentBytes: 32 });
    const store = open();
    rmSync(folder, { recursive: true });
    expect(await admittedOf(store, { keys: ['a'], limits: [5] }, 8)).toBe(5);
    expect(store.status()).toMatchObject({ status: 'degraded', reason: expect.stringContaining('ENOENT') });
  });

  it('ends the segment at a partial record, and loses no hit', async () => {
    const garbage = fc.uint8Array({ minLength: 1, maxLength: 47 });
    await fc.assert(
      fc.asyncProperty(fc.option(garbage), fc.integer({ min: 1, max: 6 }), fc.nat(15), async (rest, hits, cut) => {
        const folder = makeFolder();
        let writers = 0;
        const start = () => createSharedHitLog({ folder, windowMs, clock: () => 5_000, writer: ++writers });
        const [killed, one, other] = [start(), start(), start()];
        const hit = { keys: ['a'], limits: [10] };
        expect(await admittedOf(killed, hit, hits)).toBe(hits);
        const [file] = segmentFiles(folder, 0);
        const written = readFileSync(file);
        writeFileSync(file, rest ?? written.subarray(0, cut), { flag: 'a' });
        const verdicts = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? one : other).hit(hit)));
        const admitted = verdicts.filter(isAdmittedBy);
        // The following bytes may complete the record by chance, and then it counts.
        expect(10 - hits - admitted.length).toBeOneOf(rest === null ? [0, 1] : [0]);
        expect(new Set(admitted.map(([state]) => state?.used)).size).toBe(admitted.length);
        expect(await isAdmitted(start(), hit)).toBe(false);
        rmSync(folder, { recursive: true, force: true });
      }),
      { numRuns: 200 },
    );
  });
});

it('HitSegment leaves no file open when its second file cannot be opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-hits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [, definitions] = segmentFiles(folder, 0);
  mkdirSync(definitions);
  const countOpen = () => readdirSync('/proc/self/fd').length;
  const before = countOpen();
  for (let i = 0; i < 50; i++) expect(() => new HitSegment(folder, 0, 1)).toThrow('EISDIR');
  // The process may open a few other files meanwhile.
  expect(countOpen()).toBeLessThan(before + 25);
});
