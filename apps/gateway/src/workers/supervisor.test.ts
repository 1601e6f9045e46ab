import { describe, expect, it } from 'vitest';
import { createSupervisor, type WorkerEvent, type WorkerProcess } from './supervisor.ts';

interface FakeWorker extends WorkerProcess {
  end(exitCode: number): void;
  heard(): void;
  /** Messages to stop that it received. */
  stops: number;
}

/** Workers that the test ends, and a clock that moves with each wait. */
function supervise(count: number, bringUp: (worker: WorkerProcess) => Promise<void> = async () => {}) {
  const started: FakeWorker[] = [];
  const waits: number[] = [];
  const events: WorkerEvent[] = [];
  let nowMs = 0;
  const supervisor = createSupervisor({
    count,
    start(heard) {
      const { promise: ended, resolve } = Promise.withResolvers<{ exitCode: number; signal: null }>();
      const end = (exitCode: number) => resolve({ exitCode, signal: null });
      const worker: FakeWorker = {
        ...{ stops: 0, id: started.length + 1, pid: undefined, ended, end, heard },
        calls: {
          call: () => Promise.reject(new Error('unused')),
          notify() {
            worker.stops++;
            end(0);
          },
        },
        kill: () => end(9),
      };
      started.push(worker);
      return worker;
    },
    bringUp,
    onChange: (event) => void events.push(event),
    clock: () => nowMs,
    wait: async (ms) => {
      if (ms === othersMs) return new Promise(() => {});
      waits.push(ms);
      nowMs += ms;
      await settle();
    },
  });
  return { supervisor, started, waits, events, pass: (ms: number) => (nowMs += ms) };
}

const othersMs = 10_000;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createSupervisor', () => {
  it('starts the given number of workers, and replaces one that ends at once', async () => {
    const { supervisor, started, waits, events } = supervise(2);
    await supervisor.start();
    expect(supervisor.up().map(({ id }) => id)).toEqual([1, 2]);
    started[0]?.end(1);
    await settle();
    expect(supervisor.up().map(({ id }) => id)).toEqual([2, 3]);
    expect(waits).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['up', 'up', 'ended', 'up']);
  });

  it('replaces workers that never served with growing delays, and workers that served after a short one', async () => {
    let isBroken = false;
    const { supervisor, started, waits, pass } = supervise(1, async () => {
      if (isBroken) throw new Error('The lock is taken.');
    });
    await supervisor.start();
    isBroken = true;
    started[0]?.end(1);
    for (let i = 0; i < 30 && waits.length < 6; i++) await settle();
    expect(waits.slice(0, 6)).toEqual([200, 400, 800, 1600, 3200, 5000]);
    isBroken = false;
    for (let i = 0; i < 30 && supervisor.up().length === 0; i++) await settle();
    expect(supervisor.up()).toHaveLength(1);
    started.at(-1)?.end(1);
    await settle();
    expect(waits.at(-1)).toBe(400);
    pass(10_000);
    const before = waits.length;
    started.at(-1)?.end(1);
    await settle();
    expect(waits).toHaveLength(before);
  });

  it('rejects with the reason when no worker can serve', async () => {
    const { supervisor, events, started } = supervise(2, async ({ id }) => {
      if (id === 2) throw new Error('Port 1 is taken.');
      await new Promise(() => {});
    });
    await expect(supervisor.start()).rejects.toThrow('Port 1 is taken.');
    await settle();
    expect(events[0]).toMatchObject({ kind: 'ended', reason: 'Port 1 is taken.', isYoung: true });
    await supervisor.stop(1_000);
    await Promise.all(started.map(({ ended }) => ended));
    expect(supervisor.up()).toEqual([]);
  });

  it('kills a worker that is silent for eight ticks, and no other', async () => {
    const { supervisor, started, events } = supervise(2);
    await supervisor.start();
    for (let i = 0; i < 9; i++) {
      started[1]?.heard();
      supervisor.tick();
    }
    await settle();
    expect(events.slice(2)).toMatchObject([
      { kind: 'ended', worker: { id: 1 }, reason: 'It sent no message for 2 s.', isYoung: false },
      { kind: 'up', worker: { id: 3 } },
    ]);
    // After the machine was suspended for an hour, there is one tick.
    supervisor.tick();
    await settle();
    expect(started).toHaveLength(3);
  });

  it('allows a starting worker to be silent for longer', async () => {
    const { supervisor, started } = supervise(1, () => new Promise(() => {}));
    void supervisor.start();
    for (let i = 0; i < 120; i++) supervisor.tick();
    await settle();
    expect(started).toHaveLength(1);
    supervisor.tick();
    await settle();
    expect(started).toHaveLength(2);
  });

  it('sends serving workers a message to stop, kills the others, and starts no more', async () => {
    const { supervisor, started } = supervise(2, ({ id }) => (id === 2 ? new Promise(() => {}) : Promise.resolve()));
    void supervisor.start();
    await settle();
    await supervisor.stop(1_000);
    await settle();
    expect(started.map(({ stops }) => stops)).toEqual([1, 0]);
    expect(supervisor.up()).toEqual([]);
  });
});
