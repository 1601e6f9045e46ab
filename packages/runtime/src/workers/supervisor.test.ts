import { describe, expect, it } from 'vitest';
import { createSupervisor, type WorkerEvent, type WorkerProcess } from './supervisor.ts';

interface FakeWorker extends WorkerProcess {
  end(exitCode: number): void;
  /** How often it was told to stop. */
  told: number;
}

/** Workers that end when the test says so, and a clock that moves when somebody waits. */
function supervise(count: number, isUp: (worker: WorkerProcess) => Promise<void> = async () => {}) {
  const started: FakeWorker[] = [];
  const waits: number[] = [];
  const events: WorkerEvent['kind'][] = [];
  let nowMs = 0;
  const supervisor = createSupervisor({
    count,
    start() {
      const { promise: ended, resolve } = Promise.withResolvers<{ exitCode: number; signal: null }>();
      const end = (exitCode: number) => resolve({ exitCode, signal: null });
      const tell = () => {
        worker.told++;
        end(0);
      };
      const worker: FakeWorker = {
        told: 0,
        id: started.length + 1,
        pid: undefined,
        calls: { call: () => Promise.reject(new Error('unused')), tell },
        ended,
        kill: () => end(9),
        end,
      };
      started.push(worker);
      return worker;
    },
    isUp,
    onChange: ({ kind }) => events.push(kind),
    clock: () => nowMs,
    wait: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  });
  return { supervisor, started, waits, events, live: (ms: number) => (nowMs += ms) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a supervisor', () => {
  it('starts as many as it should, and another at once for one that ends', async () => {
    const { supervisor, started, waits, events } = supervise(2);
    await supervisor.start();
    expect(supervisor.up().map(({ id }) => id)).toEqual([1, 2]);
    started[0]?.end(1);
    await settle();
    expect(supervisor.up().map(({ id }) => id)).toEqual([2, 3]);
    expect(waits).toEqual([]);
    expect(events).toEqual(['up', 'up', 'ended', 'up']);
  });

  it('waits ever longer for those that die young, and no longer once one has lived', async () => {
    const { supervisor, started, waits, live } = supervise(1);
    await supervisor.start();
    for (let i = 0; i < 9; i++) {
      started[i]?.end(1);
      await settle();
    }
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    live(10_000);
    started[9]?.end(1);
    await settle();
    expect(waits).toHaveLength(8);
    expect(started).toHaveLength(11);
  });

  it('starts nothing when one cannot serve, and says why', async () => {
    const { supervisor, started } = supervise(2, async ({ id }) => {
      if (id === 2) throw new Error('Port 1 is taken.');
    });
    await expect(supervisor.start()).rejects.toThrow('Port 1 is taken.');
    expect((await Promise.all(started.map(({ ended }) => ended))).length).toBe(2);
    expect(supervisor.up()).toEqual([]);
  });

  it('that is stopped while it starts tells each once', async () => {
    const { supervisor, started } = supervise(2, () => new Promise(() => {}));
    const starting = supervisor.start();
    await supervisor.stop(1_000);
    await starting;
    expect(started.map(({ told }) => told)).toEqual([1, 1]);
  });

  it('tells each to stop and starts none any more', async () => {
    const { supervisor, started } = supervise(2);
    await supervisor.start();
    await supervisor.stop(1_000);
    await settle();
    expect([started.length, supervisor.up()]).toEqual([2, []]);
  });
});
