import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSharedHitLog, isAdmittedBy, machineNow } from '../../src/limits/index.ts';
import type { Decided } from './hit-writer.ts';

const limits = [40, 25, 60];
const step = fc.record({
  by: fc.nat(2),
  hits: fc.array(fc.constantFrom([0], [1], [2], [0, 2], [1, 2]), { minLength: 1, maxLength: 8 }),
  event: fc.oneof(
    { arbitrary: fc.constant('none'), weight: 20 },
    { arbitrary: fc.constantFrom('reply', 'freeze'), weight: 8 },
    { arbitrary: fc.constant('kill'), weight: 1 },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A child process that counts hits. */
class Writer {
  readonly #child: ChildProcess = fork(new URL('hit-writer.ts', import.meta.url), {
    execArgv: ['--conditions=source'],
    serialization: 'advanced',
  });
  #isFrozen = false;

  async start(options: object): Promise<this> {
    this.#child.setMaxListeners(0).send(options);
    await once(this.#child, 'message');
    return this;
  }

  /** Sends hits; resolves with undefined when the process ends without a reply. */
  async decide(number: number, keys: readonly (readonly number[])[]): Promise<Decided | undefined> {
    const hits = keys.map((each) => ({ keys: each.map((k) => `key ${k}`), limits: each.map((k) => limits[k]) }));
    this.#child.send({ number, hits });
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve(undefined));
      this.#child.on('message', (decided: Decided) => decided.number === number && resolve(decided));
    });
  }

  toggle(): void {
    this.#isFrozen = !this.#isFrozen;
    this.#child.kill(this.#isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  thaw(): void {
    if (this.#isFrozen) this.toggle();
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** The decision of a process about one key; unknown when it was killed before its reply. */
interface Decision {
  readonly key: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly outcome: 'admitted' | 'rejected' | 'rejected by another key' | 'unknown';
  readonly used: number;
}

/** Runs the steps in three processes; returns all decisions. */
async function decide(steps: readonly Step[], windowMs: number): Promise<Decision[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-hits-'));
  const common = { folder, windowMs, segmentBytes: 1_600 };
  const primary = createSharedHitLog({ ...common, writer: 0, clock: machineNow });
  let started = 0;
  const startWriter = () => new Writer().start({ ...common, writer: ++started, from: primary.snapshot() });
  const writers = await Promise.all([startWriter(), startWriter(), startWriter()]);
  const replies: Promise<Decision[]>[] = [];
  try {
    for (const [number, { by, hits, event }] of steps.entries()) {
      const writer = writers[by] as Writer;
      const sentMs = machineNow();
      const reply = writer.decide(number, hits);
      replies.push(
        reply.then((decided) => {
          return hits.flatMap((keys, i) => {
            const verdict = decided?.verdicts[i];
            const [fromMs, toMs] = [decided?.fromMs ?? sentMs, decided?.toMs ?? machineNow()];
            return keys.map((key, k): Decision => {
              const state = verdict?.[k];
              if (verdict === undefined || state === undefined)
                return { key, fromMs, toMs, outcome: 'unknown', used: 0 };
              const rejected = state.isAdmitted ? 'rejected by another key' : 'rejected';
              return { key, fromMs, toMs, outcome: isAdmittedBy(verdict) ? 'admitted' : rejected, used: state.used };
            });
          });
        }),
      );
      if (event === 'freeze') writer.toggle();
      if (event === 'reply') {
        for (const each of writers) each.thaw();
        await reply;
      }
      if (event === 'kill') {
        await writer.kill();
        writers[by] = await startWriter();
      }
    }
    for (const writer of writers) writer.thaw();
    return (await Promise.all(replies)).flat();
  } finally {
    await Promise.all(writers.map((writer) => writer.kill()));
    rmSync(folder, { recursive: true });
  }
}

const trial = { numRuns: 3, endOnFailure: true };
const plans = fc.array(step, { minLength: 60, maxLength: 90 });

it('admits exactly the limit over processes that freeze and die at any time', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (steps) => {
      const decisions = await decide(steps, 60_000);
      limits.forEach((limit, key) => {
        const of = (wanted: Decision['outcome']) => decisions.filter((d) => d.key === key && d.outcome === wanted);
        const used = new Set(of('admitted').map((one) => one.used));
        // Each admitted hit has a different count, so no two processes admitted the same one.
        expect(used.size).toBe(of('admitted').length);
        expect(Math.max(0, ...used)).toBeLessThanOrEqual(limit);
        // When a hit is rejected, only hits with an unknown outcome may be missing from the limit.
        if (of('rejected').length > 0) expect(limit - used.size).toBeLessThanOrEqual(of('unknown').length);
      });
    }),
    trial,
  );
});

it('never admits more than the limit in a window, nor rejects below it, while hits expire', async () => {
  const windowMs = 150;
  await fc.assert(
    fc.asyncProperty(plans, async (steps) => {
      const decisions = await decide(steps, windowMs);
      for (const one of decisions) {
        const counted = decisions.filter(({ key, outcome }) => key === one.key && outcome === 'admitted');
        const limit = limits[one.key] as number;
        if (one.outcome === 'admitted') {
          const certain = counted.filter(({ fromMs, toMs }) => fromMs >= one.fromMs && toMs < one.fromMs + windowMs);
          expect(certain.length).toBeLessThanOrEqual(limit);
        }
        if (one.outcome === 'rejected') {
          const unknown = decisions.filter(({ key, outcome }) => key === one.key && outcome === 'unknown');
          const possible = [...counted, ...unknown].filter(
            ({ fromMs, toMs }) => fromMs <= one.toMs && toMs + windowMs + 2 > one.fromMs,
          );
          expect(possible.length).toBeGreaterThanOrEqual(limit);
        }
      }
    }),
    trial,
  );
});
