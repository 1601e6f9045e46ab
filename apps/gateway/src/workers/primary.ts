import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyReader } from '@rostergate/access/key-store';
import { monotonicNow } from '@rostergate/access/limits';
import { createKeyLoader, createSharedKeyLoader } from '@rostergate/access/tokens';
import { createTerminal, writeAddress } from '@rostergate/config/command';
import { createLiveConfiguration, type FileStates, type LiveConfiguration } from '@rostergate/config/reload';
import type { Settings } from '@rostergate/endpoints';
import {
  createHealthHandlers,
  type DependencyStatus,
  ListenError,
  listen,
  stopSignals,
} from '@rostergate/server/lifecycle';
import { createTelemetry, type Figures } from '@rostergate/server/telemetry';
import type { ConfigurationReaderOptions } from '../configuration-reader.ts';
import { adminAddressOf, type ServingOptions } from '../serve-process.ts';
import { restartRequired, startedSettings } from '../settings.ts';
import { type Configuration, renewedTls, sizesOf } from '../sources/read-sources.ts';
import { lastFlushMs } from '../usage/usage.ts';
import { createCalls, NoReplyError } from './calls.ts';
import { createHitFolder } from './hit-folder.ts';
import { type Agreed, invalidateMs, type PrimaryHandlers, type SharedState } from './protocol.ts';
import { createStandby } from './standby.ts';
import { createSupervisor, tickMs, type WorkerProcess } from './supervisor.ts';

export interface PrimaryOptions extends ServingOptions, ConfigurationReaderOptions {
  /** The files of the configuration. */
  readonly files: FileStates;
}

/** A worker, with the primary's state of it. */
interface GatewayWorker extends WorkerProcess {
  /** Resolves when the worker has built its configuration; rejects when it cannot. */
  readonly ready: PromiseWithResolvers<void>;
  isReady: boolean;
  /** The number of its configuration. */
  number: number;
  /** The oldest segment of the hit log that it still reads. */
  segment: number;
  figures?: Figures;
}

/** How long a worker may take to build a configuration. */
const buildMs = 30_000;
/** How long after an edit a worker may still serve the previous configuration; then it is killed. */
const forceMs = 2_000;
/** How long it may take to notice an edit. */
const unnoticedMs = 450;
/** How long a worker may take to serve an edit that another worker has built; less after a long build. */
const swapMs = { min: 250, max: 1_000 };
const figuresMs = 500;

/**
 * Serves with worker processes behind one port. The primary handles requests only while no worker runs. It owns the
 * configuration: it reads and checks the files, passes their contents to each worker, and kills a worker that does not
 * apply an edit in time. It aggregates the metrics of the workers and replaces each worker that ends.
 */
export async function servePrimary(options: PrimaryOptions): Promise<void> {
  const { version, configuration, sources, fixed, source, notes, held, portSetting, settingsFile, env, args } = options;
  const { upstreams } = options;
  const { host, workers: count, log_level: logLevel } = configuration.settings;
  const telemetry = createTelemetry({ service: 'gateway', version, clock: monotonicNow, logLevel });
  const { log } = telemetry;
  notes.logTo(log);
  const wait = (ms: number) => pause(ms, undefined, { ref: false });
  const hits = createHitFolder();
  const issuerKeys = createSharedKeyLoader({
    load: createKeyLoader({ fetch, registry: telemetry.registry }),
    clock: monotonicNow,
  });
  const keyReader = await openSharedKeyReader(configuration.settings);
  let agreed: Agreed = { number: 1, files: options.files };
  let current = configuration;
  let lastNumber = agreed.number;
  let port = configuration.settings.port;
  let live: LiveConfiguration<Configuration> | undefined;
  let lastReason: string | undefined;
  let isStopping = false;
  let isOpening = false;
  /** The number of workers that are about to listen. */
  let listening = 0;

  const workersStatus = (): DependencyStatus => {
    const serving = supervisor.up().length;
    const facts = { serving, wanted: count };
    if (serving === 0) return { status: 'unavailable', reason: lastReason ?? 'No worker is ready yet.', ...facts };
    if (serving < count) return { status: 'degraded', reason: 'A replacement worker is starting.', ...facts };
    return { status: 'ready', ...facts };
  };
  const configurationStatus = () => live?.status() ?? ({ status: 'ready' } as const);
  const state = (): SharedState => ({
    configuration: configurationStatus(),
    reload: configuration.settings.admin_port === 0 ? undefined : live?.state(),
    workers: workersStatus(),
    sickTargets: upstreams.sick(),
  });
  const sendState = (): void => {
    for (const { calls } of supervisor.up()) calls.notify('state', state());
  };
  let stopChecks = startChecks(configuration);
  upstreams.onHealth(sendState);
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
      const found = await worker.calls.call<Figures>('figures', {}, figuresMs).catch(() => worker.figures);
      if (found !== undefined) worker.figures = found;
      return found;
    });
    return [...(await Promise.all(asked)).filter((found) => found !== undefined), { metrics, summary: null }];
  };

  const supervisor = createSupervisor<GatewayWorker>({
    count,
    clock: () => performance.now(),
    wait,
    start(heard) {
      const ready = Promise.withResolvers<void>();
      ready.promise.catch(() => {});
      const handlers: PrimaryHandlers = {
        agreed() {
          worker.number = agreed.number;
          return agreed;
        },
        start() {
          const from = hits.snapshot();
          worker.segment = from.segment;
          const facts = { version, settingsFile, env, args, started: startedSettings(configuration.settings) };
          return { ...facts, tls: current.tls, state: state(), hits: { folder: hits.folder, from } };
        },
        ready: () => ready.resolve(),
        failed: ({ message }) => ready.reject(new ListenError(message, 'worker', undefined)),
        beat({ segment }) {
          worker.segment = segment;
        },
        async invalidate(uris) {
          const others = supervisor.up().filter(({ id }) => id !== forked.id);
          await Promise.allSettled(others.map(({ calls }) => calls.call('invalidate', uris, invalidateMs)));
        },
        issuerKeys,
        keyStoreHead: () => keyReader().head(),
        keyStoreChanges: (cursor) => keyReader().changesAfter(cursor),
        figures,
      };
      const forked = cluster.fork();
      const worker: GatewayWorker = {
        id: forked.id,
        pid: forked.process.pid,
        calls: createCalls(forked, handlers, heard),
        ended: once(forked, 'exit').then(([exitCode, signal]) => ({ exitCode, signal })),
        kill: () => void forked.process.kill('SIGKILL'),
        ...{ ready, isReady: false, number: 0, segment: hits.segment() },
      };
      forked.once('disconnect', () => ready.reject(new NoReplyError('The worker has disconnected.', true)));
      return worker;
    },
    async bringUp(worker) {
      await worker.ready.promise;
      worker.isReady = true;
      await confirm(worker, buildMs);
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
        // A worker that cannot start is restarted again and again: the reason is logged once.
        if (!isKnown) log.error(facts, 'worker ended; starting a replacement');
        void openStandby();
      }
      sendState();
    },
  });

  /** Opens the standby server; retries until the system has released the port. */
  async function openStandby(): Promise<void> {
    const isNeeded = () => !isStopping && listening === 0 && supervisor.up().length === 0;
    if (isOpening || standby.isOpen()) return;
    isOpening = true;
    while (isNeeded()) {
      try {
        await standby.open({ host, port, tls: current.tls });
        // Meanwhile a worker may have begun to listen, and would not get the port.
        if (!isNeeded()) standby.close();
        break;
      } catch {
        await wait(50);
      }
    }
    isOpening = false;
  }

  async function confirm(worker: GatewayWorker, withinMs: number): Promise<void> {
    while (worker.number !== agreed.number) {
      const { number } = agreed;
      await worker.calls.call('swap', agreed, withinMs);
      worker.number = number;
    }
  }

  /**
   * Has every ready worker build a configuration. The first successful build makes it the agreed one: each worker serves
   * it once it has built it, without waiting for the others, and is killed if it is late. Rejects if no worker can build
   * it.
   */
  async function apply(next: Configuration, states: () => Promise<FileStates>, noticedMs: number): Promise<void> {
    const wanted: Agreed = { number: ++lastNumber, files: await states() };
    const readyWorkers = () => supervisor.alive().filter(({ isReady }) => isReady);
    const stopNewChecks = startChecks(next);
    // Before it builds the configuration, each worker knows which of its targets are sick.
    for (const { calls } of readyWorkers()) calls.notify('state', state());
    const built = readyWorkers().map(({ calls }) => calls.call('load', wanted, buildMs));
    try {
      await Promise.any(built);
    } catch (error) {
      const fault = (error as AggregateError).errors.find((one) => !(one instanceof NoReplyError));
      if (fault !== undefined) {
        stopNewChecks();
        throw fault;
      }
    }
    agreed = wanted;
    current = { ...next, tls: renewedTls(current.tls, next.tls) };
    const leftMs = forceMs - unnoticedMs - (Date.now() - noticedMs);
    const withinMs = Math.min(Math.max(leftMs, swapMs.min), swapMs.max);
    const confirmed = readyWorkers().map(async (worker) => {
      try {
        await confirm(worker, withinMs);
      } catch (error) {
        if (error instanceof NoReplyError && error.isGone) return;
        supervisor.replace(worker, `It did not apply the configuration: ${(error as Error).message}`);
      }
    });
    await Promise.all(confirmed);
    stopChecks();
    stopChecks = stopNewChecks;
  }

  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: 'advanced', args: [] });
  const ticking = setInterval(() => {
    supervisor.tick();
    hits.tidy(supervisor.alive().map(({ segment }) => segment));
  }, tickMs);
  try {
    await requireAdminPort(configuration.settings);
    const { address, port: given } = await standby.open({ host, port, tls: configuration.tls });
    port = given;
    if ((await Promise.race([supervisor.start(), held.stopped.then(() => 'stopped')])) !== 'stopped') {
      live = createLiveConfiguration({
        ...{ source, configuration, sources, fixed, clock: Date.now, sizesOf, restartRequired },
        app: { telemetry, apply },
        onOutcome: sendState,
      });
      log.info({ address, port, workers: count, ...sizesOf(configuration) }, 'listening');
      const isSecure = configuration.settings.tls_certificate_file !== '';
      writeAddress(createTerminal(process).err, { address, port, isSecure });
      sendState();
      held.release(() => void live?.reload('SIGHUP'));
      await held.stopped;
    }
    // A second signal stops at once.
    const stopNow = () => supervisor.up().forEach(({ calls }) => void calls.notify('stop'));
    for (const name of stopSignals) held.signals.on(name, stopNow);
    void live?.close();
  } finally {
    isStopping = true;
    standby.close();
    // The workers also store their last counts.
    const drainMs = current.settings.drain_ms + (current.usage === undefined ? 0 : lastFlushMs);
    // Work that services left running in this process must not keep it alive.
    setTimeout(() => process.exit(), drainMs + 900).unref();
    await supervisor.stop(drainMs + 250);
    clearInterval(ticking);
    hits.remove();
  }
  log.info({ port }, 'stopped');
  await telemetry.flush();
}

/** Reports once that the port of the admin API is in use, rather than by each worker. @throws ListenError */
async function requireAdminPort(settings: Readonly<Settings>): Promise<void> {
  if (settings.admin_port === 0) return;
  const probe = createServer();
  await listen(probe, adminAddressOf(settings));
  probe.close();
  await once(probe, 'close');
}

/** Returns the reader of the key store for all workers, which ask for it only if the settings name one. */
async function openSharedKeyReader(settings: Readonly<Settings>): Promise<() => KeyReader> {
  if (settings.key_store_url === '') {
    return () => {
      throw new Error('There is no key store.');
    };
  }
  const { createSharedKeyReader, openKeyStore } = await import('@rostergate/access/key-store');
  const reader = createSharedKeyReader({ reader: await openKeyStore(settings), clock: monotonicNow });
  return () => reader;
}

/** Checks the health of the targets of a configuration, for all workers. Returns the function that stops it. */
function startChecks({ endpoints }: Configuration): () => void {
  const checked = endpoints.filter(
    ({ service, upstream }) => service.name === 'http' && upstream?.health !== undefined,
  );
  const opened = checked.map((endpoint) => endpoint.service.raw?.open(endpoint));
  return () => {
    for (const handler of opened) handler?.close?.();
  };
}
