import { EventEmitter } from 'node:events';
import type { Hit, HitStore, Verdict } from '../src/limits/index.ts';
import {
  type Calls,
  type CountingWorker,
  countForWorker,
  createCalls,
  createParentHitStore,
  type LateCounts,
  RoomLender,
} from '../src/workers/index.ts';

export interface NetworkWorker {
  hit(hit: Hit): Verdict | Promise<Verdict>;
  readonly store: HitStore;
  /** Ends it with all that is on its way to it; what is on its way from it is read later. */
  kill(): void;
}

/** Workers that count together, over channels that carry text and only when told to, each with a clock of its own. */
export interface WorkerNetwork {
  readonly workers: readonly NetworkWorker[];
  nowMs(): number;
  /** Messages sent so far, in both directions. */
  readonly sent: () => number;
  /** Carries the first message of one way of one channel, where there is one. */
  deliver(worker: number, way: 'up' | 'down'): Promise<void>;
  /** Carries all there is, and what that leads to. */
  deliverAll(): Promise<void>;
  pass(ms: number): Promise<void>;
}

export interface WorkerNetworkOptions {
  readonly windowMs: number;
  readonly workers: number;
  /** Where hits are counted when not by the one who lends. */
  readonly store?: HitStore;
}

export function createWorkerNetwork({ windowMs, workers: count, store }: WorkerNetworkOptions): WorkerNetwork {
  let nowMs = 1_700_000_000_000.5;
  let sent = 0;
  const timers = new Set<{ readonly atMs: number; readonly end: () => void }>();
  const wait = (ms: number) =>
    new Promise<void>((end) => {
      timers.add({ atMs: nowMs + ms, end });
    });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const lender = new RoomLender({ windowMs, clock: () => nowMs, workers: count, wait });
  const counts = store ?? lender;

  const channels = Array.from({ length: count }, (_, i) => {
    const ways = { up: [] as string[], down: [] as string[] };
    const end = (queue: string[]) =>
      Object.assign(new EventEmitter(), {
        send(message: object) {
          sent++;
          queue.push(JSON.stringify(message));
        },
      });
    const [above, below] = [end(ways.down), end(ways.up)];
    const borrower: CountingWorker = {
      recall: (key) => upper.tell('recall', key),
      late: (counts) => upper.tell('late', counts),
    };
    const upper: Calls = createCalls(above, {
      count: (request: never) => countForWorker(request, counts, lender, borrower),
      giveBack: (ended: never) => lender.takeBack(borrower, ended),
    });
    const own = createParentHitStore(
      createCalls(below, { recall: (key: string) => own.recall(key), late: (counts: LateCounts) => own.late(counts) }),
      // A clock of another process began at another time.
      { windowMs, status: () => ({ status: 'ready' }), clock: () => nowMs - 5_000 * i - 0.3, wait },
    );
    return {
      ways,
      deliver(way: 'up' | 'down') {
        const text = ways[way].shift();
        if (text !== undefined) (way === 'up' ? above : below).emit('message', JSON.parse(text));
      },
      kill() {
        ways.down.length = 0;
        above.emit('disconnect');
        below.emit('disconnect');
        lender.forget(borrower);
      },
      own,
    };
  });

  return {
    workers: channels.map(({ own, kill }) => ({ hit: (hit) => own.hit(hit), store: own, kill })),
    nowMs: () => nowMs,
    sent: () => sent,
    async deliver(worker, way) {
      await turn();
      channels[worker]?.deliver(way);
      await turn();
    },
    async deliverAll() {
      await turn();
      while (channels.some(({ ways }) => ways.up.length + ways.down.length > 0)) {
        for (const channel of channels) {
          channel.deliver('up');
          channel.deliver('down');
        }
        await turn();
      }
    },
    async pass(ms) {
      nowMs += ms;
      for (const timer of timers) {
        if (timer.atMs > nowMs) continue;
        timers.delete(timer);
        timer.end();
      }
      await turn();
    },
  };
}
