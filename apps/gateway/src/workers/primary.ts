import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createHealthHandlers, type DependencyStatus, ListenError, stopSignals } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createLiveConfiguration, type FileStates, type LiveConfiguration } from '@rostergate/runtime/reload';
import { createTelemetry, type Figures } from '@rostergate/runtime/telemetry';
import { createCalls, createSupervisor, NoReplyError, tickMs, type WorkerProcess } from '@rostergate/runtime/workers';
import type { ConfigurationReaderOptions } from '../configuration-reader.ts';
import type { ServingOptions } from '../serve-process.ts';
import { takenAtStart } from '../settings.ts';
import { type Configuration, sizesOf } from '../sources/read-sources.ts';
import { createHitFolder } from './hit-folder.ts';
import { type Agreed, invalidateMs, type PrimaryHandlers, type SharedState } from './protocol.ts';
import { createStandby } from './standby.ts';

export interface PrimaryOptions extends ServingOptions, ConfigurationReaderOptions {
  /** What the configuration was read from. */
  readonly files: FileStates;
}

/** What the primary knows of a worker that has not ended. */
interface Known {
  /** Settled by the worker when it has built its configuration, or cannot. */
  readonly ready: PromiseWithResolvers<void>;
  isReady: boolean;
  /** The configuration that it serves, or would. */
  number: number;
  /** The oldest part of the log of hits that it still reads. */
  segment: number;
  figures?: Figures;
}

/** How long a worker may take to build its first configuration, or a later one. */
const buildMs = 30_000;
/** How long after an edit no process serves what was before; a process that has not built the next one by then is killed. */
const forceMs = 2_000;
/** How long an edit may go unnoticed. */
const unnoticedMs = 450;
/** How long a worker has to serve an edit that another one has built: the less, the longer that build took. */
const swapMs = { min: 250, max: 1_000 };
const figuresMs = 500;

/**
 * Serves by as many processes as the settings say, behind one port. This one answers no request while any worker
 * serves. It owns the configuration: it reads and checks the files, hands their content to each worker that it starts,
 * and kills a worker that does not take up an edit in time. It adds up what the workers measure, and starts another in
 * place of each that ends.
 */
export async function servePrimary(options: PrimaryOptions): Promise<void> {
  const { version, configuration, sources, fixed, source, notes, held, portSetting, settingsFile, env, args } = options;
  const { workers: count, log_level: logLevel } = configuration.settings;
  const telemetry = createTelemetry({ service: 'gateway', version, clock: monotonicNow, logLevel });
  const { log } = telemetry;
  notes.tellTo(log);
  const wait = (ms: number) => pause(ms, undefined, { ref: false });
  const hits = createHitFolder();
  const known = new Map<WorkerProcess, Known>();
  let agreed: Agreed = { number: 1, files: options.files };
  let current = configuration;
  let lastNumber = agreed.number;
  let port = configuration.settings.port;
  let live: LiveConfiguration<Configuration> | undefined;
  let lastReason: string | undefined;
  let isStopping = false;
  let isOpening = false;
  /** How many workers are about to take the port. */
  let listening = 0;

  const workersStatus = (): DependencyStatus => {
    const serving = supervisor.up().length;
    const facts = { serving, wanted: count };
    if (serving === 0) return { status: 'unavailable', reason: lastReason ?? 'No worker serves yet.', ...facts };
    if (serving < count) return { status: 'degraded', reason: 'Another worker is being started.', ...facts };
    return { status: 'ready', ...facts };
  };
  const configurationStatus = () => live?.status() ?? ({ status: 'ready' } as const);
  const state = (): SharedState => ({ configuration: configurationStatus(), workers: workersStatus() });
  const tellState = (): void => {
    for (const { calls } of supervisor.up()) calls.tell('state', state());
  };
  const standby = createStandby({
    health: createHealthHandlers({
      ...{ version, clock: monotonicNow, startedMs: monotonicNow() },
      dependencies: { configuration: configurationStatus, workers: workersStatus },
    }),
    randomId: randomUUID,
    portSetting,
  });
  const figures = async (): Promise<readonly Figures[]> => {
    const { metrics } = await telemetry.figures();
    const asked = supervisor.up().map(async (worker) => {
      const one = known.get(worker);
      const found = await worker.calls.call<Figures>('figures', {}, figuresMs).catch(() => one?.figures);
      if (one !== undefined && found !== undefined) one.figures = found;
      return found;
    });
    return [...(await Promise.all(asked)).filter((found) => found !== undefined), { metrics, summary: null }];
  };

  const supervisor = createSupervisor({
    count,
    clock: () => performance.now(),
    wait,
    start(heard) {
      const one: Known = { ready: Promise.withResolvers(), isReady: false, number: 0, segment: hits.segment() };
      one.ready.promise.catch(() => {});
      const handlers: PrimaryHandlers = {
        agreed() {
          one.number = agreed.number;
          return agreed;
        },
        start() {
          const from = hits.snapshot();
          one.segment = from.segment;
          return { version, settingsFile, env, args, state: state(), hits: { folder: hits.folder, from } };
        },
        ready: () => one.ready.resolve(),
        failed: ({ message }) => one.ready.reject(new ListenError(message, 'worker', undefined)),
        beat({ segment }) {
          one.segment = segment;
        },
        async invalidate(uris) {
          const others = supervisor.up().filter(({ id }) => id !== forked.id);
          await Promise.allSettled(others.map(({ calls }) => calls.call('invalidate', uris, invalidateMs)));
        },
        figures,
      };
      const forked = cluster.fork();
      const worker: WorkerProcess = {
        id: forked.id,
        pid: forked.process.pid,
        calls: createCalls(forked, handlers, heard),
        ended: once(forked, 'exit').then(([exitCode, signal]) => ({ exitCode, signal })),
        kill: () => void forked.process.kill('SIGKILL'),
      };
      known.set(worker, one);
      forked.once('disconnect', () => one.ready.reject(new NoReplyError('The worker is gone.', true)));
      void worker.ended.then(() => known.delete(worker));
      return worker;
    },
    async bringUp(worker) {
      const one = known.get(worker) as Known;
      await one.ready.promise;
      one.isReady = true;
      if (one.number !== agreed.number) await confirm(worker, one, buildMs);
      listening++;
      standby.close();
      try {
        await worker.calls.call('listen', { port }, buildMs);
      } finally {
        listening--;
      }
    },
    onChange(event) {
      const { id, pid } = event.worker;
      if (event.kind === 'up') {
        lastReason = undefined;
        log.info({ worker: id, pid }, 'worker serves');
      } else {
        const { exitCode, signal, reason, isYoung } = event;
        const isKnown = isYoung && reason !== undefined && reason === lastReason;
        if (isYoung) lastReason = reason;
        const facts = { worker: id, pid, exit_code: exitCode, signal, ...(reason === undefined ? {} : { reason }) };
        // Workers that cannot start are started again and again: one line says why.
        if (!isKnown) log.error(facts, 'worker ended, another is being started');
        void openStandby();
      }
      tellState();
    },
  });

  /** Answers in place of the workers; tries again while the system has not given the port back. */
  async function openStandby(): Promise<void> {
    const isNeeded = () => !isStopping && listening === 0 && supervisor.up().length === 0;
    if (isOpening || standby.isOpen()) return;
    isOpening = true;
    while (isNeeded()) {
      try {
        await standby.open(current, port);
        // A worker may have begun to listen meanwhile: it would not get the port.
        if (!isNeeded()) standby.close();
        break;
      } catch {
        await wait(50);
      }
    }
    isOpening = false;
  }

  async function confirm(worker: WorkerProcess, one: Known, withinMs: number): Promise<void> {
    while (one.number !== agreed.number) {
      const { number } = agreed;
      await worker.calls.call('swap', agreed, withinMs);
      one.number = number;
    }
  }

  /**
   * Every ready worker builds it. As soon as one has, it is agreed: each worker serves it when it has built it, without
   * waiting for the others, and one that does not in time is killed. Rejected when a worker cannot build it and none can.
   */
  async function apply(next: Configuration, states: () => Promise<FileStates>, noticedMs: number): Promise<void> {
    const wanted: Agreed = { number: ++lastNumber, files: await states() };
    const asked = [...known].filter(([, { isReady }]) => isReady);
    const built = asked.map(([{ calls }]) => calls.call('load', wanted, buildMs));
    try {
      await Promise.any(built);
    } catch (error) {
      const fault = (error as AggregateError).errors.find((one) => !(one instanceof NoReplyError));
      if (fault !== undefined) throw fault;
    }
    agreed = wanted;
    current = next;
    const leftMs = forceMs - unnoticedMs - (Date.now() - noticedMs);
    const withinMs = Math.min(Math.max(leftMs, swapMs.min), swapMs.max);
    const ready = [...known].filter(([, { isReady }]) => isReady);
    const confirmed = ready.map(async ([worker, one]) => {
      try {
        await confirm(worker, one, withinMs);
      } catch (error) {
        if (error instanceof NoReplyError && error.isGone) return;
        supervisor.replace(worker, `It did not take up the configuration: ${(error as Error).message}`);
      }
    });
    await Promise.all(confirmed);
  }

  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: 'advanced', args: [] });
  const ticking = setInterval(() => {
    supervisor.tick();
    hits.tidy([...known.values()].map(({ segment }) => segment));
  }, tickMs);
  try {
    const { address, port: given } = await standby.open(configuration, port);
    port = given;
    if ((await Promise.race([supervisor.start(), held.stopped.then(() => 'stopped')])) !== 'stopped') {
      live = createLiveConfiguration({
        ...{ source, configuration, sources, fixed, clock: Date.now, sizesOf, takenAtStart },
        app: { telemetry, apply },
        onOutcome: tellState,
      });
      log.info({ address, port, workers: count, ...sizesOf(configuration) }, 'listening');
      tellState();
      held.release(() => void live?.reload('SIGHUP'));
      await held.stopped;
    }
    // Another signal means: at once.
    const hurry = () => supervisor.up().forEach(({ calls }) => void calls.tell('stop'));
    for (const name of stopSignals) held.signals.on(name, hurry);
    void live?.close();
  } finally {
    isStopping = true;
    standby.close();
    const drainMs = current.settings.drain_ms;
    // Whatever is left running in this process does not keep it: services were loaded here as well.
    setTimeout(() => process.exit(), drainMs + 900).unref();
    await supervisor.stop(drainMs + 250);
    clearInterval(ticking);
    hits.remove();
  }
  log.info({ port }, 'stopped');
  await telemetry.flush();
}
