import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import type { KeyPage, KeyStoreHead } from '@rostergate/access/key-store';
import { createSharedHitLog, limitWindowMs, machineNow } from '@rostergate/access/limits';
import type { LoadedKeys } from '@rostergate/access/tokens';
import { createStatesReader, loadChecked, type ReloadState } from '@rostergate/config/reload';
import { handleStrayErrors, stopSignals } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { createSharedOutput, describeCause, type Figures } from '@rostergate/server/telemetry';
import type { UpstreamRegistry } from '@rostergate/upstream';
import type { App } from '../app.ts';
import { createConfigurationReader } from '../configuration-reader.ts';
import { createTracedApp, serveApp } from '../serve-process.ts';
import { type Configuration, renewedTls } from '../sources/read-sources.ts';
import { findServiceOrigin, keepServicesFromExit } from '../sources/service-origin.ts';
import { type Channel, createCalls } from './calls.ts';
import {
  type Agreed,
  invalidateMs,
  issuerKeysMs,
  keyStoreMs,
  type SharedState,
  type WorkerHandlers,
  type WorkerStart,
} from './protocol.ts';
import { tickMs } from './supervisor.ts';

/** How long the primary may take to reply; it may be copying the counts of many clients. */
const replyMs = 10_000;
/** Less than the timeout of a scraper: metrics of slower workers are left out. */
const figuresMs = 900;

/** Serves as one of several workers, controlled by the primary, and exits. */
export async function runWorker(): Promise<void> {
  try {
    process.exit(await serveForPrimary());
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

/** Resolves with the exit code of the process. */
async function serveForPrimary(): Promise<number> {
  process.title = 'rostergate';
  const signals = new EventEmitter();
  const serving = Promise.withResolvers<Serving>();
  const address = Promise.withResolvers<{ readonly port: number }>();
  const listening = Promise.withResolvers<void>();
  let state: SharedState;
  let upstreams: UpstreamRegistry | undefined;
  let isServing = false;
  let isSignalled = false;
  const stop = (): void => {
    if (isServing) signals.emit('SIGTERM', 'SIGTERM');
    else process.exit();
  };
  const handlers: WorkerHandlers = {
    load: async (next) => (await serving.promise).load(next),
    swap: async (next) => (await serving.promise).swap(next),
    async listen(wanted) {
      address.resolve(wanted);
      await listening.promise;
    },
    invalidate: async (uris) => (await serving.promise).app.invalidate(uris),
    figures: async () => (await serving.promise).app.telemetry.figures(),
    state(next) {
      state = next;
      upstreams?.takeSick(next.sickTargets);
    },
    stop() {
      // A terminal signals the whole process group: the signal and the primary's message count as one.
      if (isSignalled) isSignalled = false;
      else stop();
    },
  };
  const calls = createCalls(process as Channel, handlers);
  for (const name of stopSignals) {
    process.once(name, () => {
      isSignalled = true;
      stop();
    });
  }
  process.on('SIGHUP', () => {});

  const start = await calls.call<WorkerStart>('start', {}, replyMs);
  state = start.state;
  const { version, started, hits: log } = start;
  // Node ends a worker whose primary has died: then the worker removes the log.
  process.once('exit', () => {
    if (!process.connected) rmSync(log.folder, { recursive: true, force: true });
  });
  const writer = cluster.worker?.id ?? process.pid;
  const hits = createSharedHitLog({ ...log, windowMs: limitWindowMs, writer, clock: machineNow });
  const beat = setInterval(() => {
    hits.catchUp();
    calls.notify('beat', { segment: hits.segment() });
  }, tickMs);
  const reader = createConfigurationReader({ ...start, isCheckedElsewhere: true });
  upstreams = reader.upstreams;
  upstreams.takeSick(state.sickTargets);
  const strays = handleStrayErrors({
    from: process,
    report: (text, error) => reader.notes.add({ text, level: 'error', err: describeCause(error) }),
    stop: () => signals.emit('SIGTERM', 'uncaughtException'),
    findOrigin: findServiceOrigin,
  });
  keepServicesFromExit();

  async function read({ files }: Agreed): Promise<Configuration> {
    const found = await loadChecked(await reader.read(createStatesReader(files, { areAccepted: true }), () => false));
    if ('faults' in found) throw new Error(found.faults.map(({ where, detail }) => `${where}: ${detail}`).join('\n'));
    return found.configuration;
  }

  try {
    // The texts, which may contain keys, are garbage-collected.
    const agreed = await read(await calls.call<Agreed>('agreed', {}, replyMs));
    const configuration = { ...agreed, tls: renewedTls(start.tls, agreed.tls) };
    const app = await createTracedApp(configuration, {
      version,
      started,
      upstreams: reader.upstreams,
      createMemory: () => hits,
      configurationStatus: () => state.configuration,
      workersStatus: () => state.workers,
      admin: { settingsFile: start.settingsFile, reloadState: () => requireState(state) },
      figuresOfAll: () =>
        calls.call<readonly Figures[]>('figures', {}, figuresMs).catch(async () => [await app.telemetry.figures()]),
      // The response to a write does not wait longer for a frozen worker, which serves no one.
      invalidateElsewhere: (uris) => calls.call<void>('invalidate', uris, 2 * invalidateMs).catch(() => {}),
      loadKeys: (source) => calls.call<LoadedKeys>('issuerKeys', source, issuerKeysMs),
      openKeyReader: () => ({
        head: () => calls.call<KeyStoreHead>('keyStoreHead', {}, keyStoreMs),
        changesAfter: (cursor) => calls.call<KeyPage>('keyStoreChanges', cursor, keyStoreMs),
        close: async () => {},
      }),
      logDestination: createSharedOutput(),
    });
    const follower = new Serving(app, configuration, read);
    serving.resolve(follower);
    await calls.call('ready', {}, replyMs);
    await serveApp(app, {
      signals,
      settings: () => ({ ...follower.configuration.settings, ...started }),
      notes: reader.notes,
      portSetting: 'ROSTERGATE_PORT',
      address: async () => ({ host: started.host, ...(await address.promise) }),
      onListening() {
        isServing = true;
        listening.resolve();
      },
    });
  } catch (error) {
    await calls.call('failed', { message: (error as Error).message }, replyMs).catch(() => {});
    return 1;
  } finally {
    clearInterval(beat);
  }
  return strays.deadly() === undefined ? 0 : 1;
}

/** @throws Problem 503 until the primary has sent its state */
function requireState({ reload }: SharedState): ReloadState {
  if (reload !== undefined) return reload;
  throw new Problem('unavailable', 'The gateway is starting. Retry in 1 s.', { headers: { 'Retry-After': '1' } });
}

/** The current configuration, and the next one while it is built. */
class Serving {
  readonly app: App;
  configuration: Configuration;
  readonly #read: (agreed: Agreed) => Promise<Configuration>;
  #number = 0;
  #next:
    | { readonly number: number; readonly decide: (isLive: boolean) => void; readonly live: Promise<boolean> }
    | undefined;

  constructor(app: App, configuration: Configuration, read: (agreed: Agreed) => Promise<Configuration>) {
    this.app = app;
    this.configuration = configuration;
    this.#read = read;
  }

  async load(next: Agreed): Promise<void> {
    this.#next?.decide(false);
    const built = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<boolean>();
    const live = this.#apply(next, () => {
      built.resolve();
      return decided.promise;
    });
    this.#next = { number: next.number, decide: decided.resolve, live };
    live.then(() => built.resolve(), built.reject);
    await built.promise;
  }

  async swap(next: Agreed): Promise<void> {
    if (next.number <= this.#number) return;
    if (this.#next?.number !== next.number) void this.load(next).catch(() => {});
    this.#next?.decide(true);
    if (!(await this.#next?.live)) throw new Error('A newer configuration replaced it.');
  }

  async #apply(next: Agreed, isAgreed: () => Promise<boolean>): Promise<boolean> {
    const configuration = await this.#read(next);
    const isLive = await this.app.apply(configuration, isAgreed);
    if (isLive) {
      this.#number = next.number;
      this.configuration = configuration;
      this.app.telemetry.log.level = configuration.settings.log_level;
    }
    return isLive;
  }
}
