import cluster from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '@rostergate/runtime/config';
import { type DependencyStatus, ListenError, stopSignals } from '@rostergate/runtime/lifecycle';
import { createLimitCounts, limitWindowMs, monotonicNow, tellOfCounts } from '@rostergate/runtime/limits';
import { createLiveConfiguration, identityOfAll, type LiveConfiguration } from '@rostergate/runtime/reload';
import { createTelemetry, type Figures } from '@rostergate/runtime/telemetry';
import {
  type CountingWorker,
  countForWorker,
  createCalls,
  createSupervisor,
  RoomLender,
  type WorkerProcess,
} from '@rostergate/runtime/workers';
import { type Configuration, sizesOf } from '../configuration.ts';
import type { ServingOptions } from '../serve-process.ts';
import { takenAtStart } from '../taken-at-start.ts';
import { passOnConnections } from './pass-on-connections.ts';
import type { PrimaryHandlers, SharedState, UpNotice } from './protocol.ts';

export interface PrimaryOptions extends ServingOptions {
  /** What each worker gets as its environment, with digests in place of keys. */
  readonly env: Environment;
}

/**
 * Serves by as many processes as the settings say, behind one port. This one answers no request: it counts for all, so
 * that limits hold across them, reads the files, so that all take up an edit at one moment or none does, adds up what
 * they measure, and starts another in place of each that ends.
 */
export async function servePrimary(options: PrimaryOptions): Promise<void> {
  const { version, configuration, sources, source, env, notes, held } = options;
  const { workers: count, log_level: logLevel, port: wantedPort } = configuration.settings;
  const telemetry = createTelemetry({ service: 'gateway', version, clock: monotonicNow, logLevel });
  const { log } = telemetry;
  notes.tellTo(log);
  const wait = (ms: number) => pause(ms, undefined, { ref: false });
  /** The last place in memory: none before there was one. Where Redis counts now, it lends nothing. */
  let lender: RoomLender | undefined;
  const hits = createLimitCounts({
    settings: configuration.settings,
    clock: monotonicNow,
    createMemory() {
      lender = new RoomLender({ windowMs: limitWindowMs, clock: monotonicNow, workers: count, wait });
      return lender;
    },
    onChange(status) {
      tellOfCounts(log, status);
      tellState();
    },
  });
  const notices = new Map<WorkerProcess, PromiseWithResolvers<UpNotice>>();
  let live: LiveConfiguration<Configuration> | undefined;
  let runningIdentity = identityOfAll(sources);

  const state = (): SharedState => ({
    configuration: live?.status() ?? { status: 'ready' },
    limits: hits.status(),
    workers: workersStatus(),
  });
  const workersStatus = (): DependencyStatus => {
    const serving = supervisor.up().length;
    const facts = { serving, wanted: count };
    return serving < count && live !== undefined
      ? { status: 'degraded', reason: 'Another worker is being started.', ...facts }
      : { status: 'ready', ...facts };
  };
  const tellState = (): void => {
    for (const { calls } of supervisor.up()) calls.tell('state', state());
  };
  const figures = async (): Promise<readonly Figures[]> => {
    const { metrics } = await telemetry.figures();
    const asked = supervisor.up().map(({ calls }) => calls.call<Figures>('figures').catch(() => undefined));
    const answers = await Promise.all(asked);
    return [...answers.filter((answer) => answer !== undefined), { metrics, summary: null }];
  };

  const supervisor = createSupervisor({
    count,
    clock: () => performance.now(),
    wait,
    start() {
      const notice = Promise.withResolvers<UpNotice>();
      notice.promise.catch(() => {});
      const borrower: CountingWorker = {
        recall: (key) => worker.calls.tell('recall', key),
        late: (counts) => worker.calls.tell('late', counts),
      };
      const handlers: PrimaryHandlers = {
        count: (request) => countForWorker(request, hits, lender, borrower),
        giveBack: (ended) => lender?.takeBack(borrower, ended),
        figures,
        state,
        up: notice.resolve,
        failed: ({ message }) => notice.reject(new ListenError(message, 'worker', undefined)),
      };
      const process = cluster.fork(env);
      passOnConnections(process.process, () => Object.values(cluster.workers ?? {}).some((one) => one?.isConnected()));
      const worker: WorkerProcess = {
        id: process.id,
        pid: process.process.pid,
        calls: createCalls(process, handlers),
        ended: once(process, 'exit').then(([exitCode, signal]) => ({ exitCode, signal })),
        kill: (signal) => void process.process.kill(signal),
      };
      notices.set(worker, notice);
      void worker.ended.then(() => {
        notices.delete(worker);
        lender?.forget(borrower);
      });
      return worker;
    },
    async isUp(worker) {
      const { identity } = await (notices.get(worker) as PromiseWithResolvers<UpNotice>).promise;
      // It read its files before the last edit was taken up, or after one that was not.
      if (identity !== runningIdentity) await bringUpToDate(worker);
    },
    onChange(event) {
      const { id, pid } = event.worker;
      if (event.kind === 'up') log.info({ worker: id, pid }, 'worker serves');
      else {
        const { exitCode, signal } = event;
        log.error({ worker: id, pid, exit_code: exitCode, signal }, 'worker ended, another is being started');
      }
      tellState();
    },
  });

  async function bringUpToDate({ id, calls }: WorkerProcess): Promise<void> {
    try {
      await calls.call('prepare', { identity: runningIdentity });
      await calls.call('swap', { isAgreed: true });
    } catch (error) {
      log.warn({ worker: id, reason: (error as Error).message }, 'worker serves what the files say now');
    }
  }

  /** All of them build it, and only then all swap; one that cannot stops all. One that ends meanwhile reads it anew. */
  async function apply(next: Configuration): Promise<boolean> {
    const serving = supervisor.up();
    const identity = identityOfAll(read);
    const prepared = await Promise.allSettled(serving.map(({ calls }) => calls.call('prepare', { identity })));
    const stillThere = new Set(supervisor.up());
    const failed = prepared.find((one, i) => one.status === 'rejected' && stillThere.has(serving[i] as WorkerProcess));
    const isAgreed = failed === undefined;
    await Promise.allSettled(serving.map(({ calls }) => calls.call('swap', { isAgreed })));
    if (failed?.status === 'rejected') throw failed.reason;
    runningIdentity = identity;
    hits.use(next.settings);
    return true;
  }

  let read = sources;
  cluster.setupPrimary({ serialization: 'json' });
  await hits.opened();
  try {
    if ((await Promise.race([supervisor.start(), held.stopped.then(() => 'stopped')])) !== 'stopped') {
      live = createLiveConfiguration({
        app: { telemetry, apply },
        source,
        configuration,
        sources,
        clock: Date.now,
        sizesOf,
        takenAtStart,
        onRead: (sources) => {
          read = sources;
        },
        onOutcome: tellState,
      });
      const [first] = supervisor.up();
      const { address, port } = await (notices.get(first as WorkerProcess) as PromiseWithResolvers<UpNotice>).promise;
      tellState();
      log.info({ address, port, workers: count, ...sizesOf(configuration) }, 'listening');
      held.release(() => void live?.reload('SIGHUP'));
      await held.stopped;
    }
    // Another signal means: at once.
    const hurry = () => supervisor.up().forEach(({ calls }) => void calls.tell('stop'));
    for (const name of stopSignals) held.signals.on(name, hurry);
    await live?.close();
    await supervisor.stop((live?.settings() ?? configuration.settings).drain_ms + 2_000);
  } finally {
    await hits.close();
  }
  log.info({ port: wantedPort }, 'stopped');
  await telemetry.flush();
}
