import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { stopSignals } from '@rostergate/runtime/lifecycle';
import { limitWindowMs, monotonicNow } from '@rostergate/runtime/limits';
import {
  type ConfigurationSource,
  identityOfAll,
  type LiveConfiguration,
  type Source,
} from '@rostergate/runtime/reload';
import { createSharedOutput, type Figures } from '@rostergate/runtime/telemetry';
import {
  type Calls,
  type Channel,
  createCalls,
  createParentHitStore,
  type ParentHitStore,
} from '@rostergate/runtime/workers';
import type { App, AppOptions } from '../app.ts';
import type { Configuration } from '../configuration.ts';
import type { SharedState, WorkerHandlers } from './protocol.ts';

/** The primary, as one of its workers sees it. */
export interface Primary {
  /** Signals of the primary or to this process, each once: a group of processes is often told together. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** What an app counts, measures and tells in common with the other workers. */
  appOptions(): Promise<Pick<AppOptions, 'hits' | 'figuresOfAll' | 'workersStatus' | 'logDestination'>>;
  /** From now on this worker takes up what the primary wants all to take up. */
  follow(
    app: App,
    source: ConfigurationSource<Configuration>,
    configuration: Configuration,
    sources: readonly Source[],
  ): LiveConfiguration<Configuration>;
  readonly calls: Calls;
  /** Tells why this process cannot serve. */
  fail(reason: Error): Promise<void>;
  /** Lets this process end: the channel to the primary would keep it. */
  leave(): void;
}

/** The primary of this process; undefined in a process that serves by itself. */
export function findPrimary(): Primary | undefined {
  return cluster.isWorker ? createPrimary(process as Channel & EventEmitter) : undefined;
}

function createPrimary(channel: Channel & Pick<EventEmitter, 'on'>): Primary {
  const signals = new EventEmitter();
  let follower: Follower | undefined;
  let state: SharedState | undefined;
  let counts: ParentHitStore | undefined;
  const handlers: WorkerHandlers = {
    figures: () => required(follower).app.telemetry.figures(),
    state(next) {
      state = next;
    },
    prepare: ({ identity }) => required(follower).prepare(identity),
    swap: ({ isAgreed }) => required(follower).swap(isAgreed),
    recall: (key) => counts?.recall(key),
    late: (late) => counts?.late(late),
    stop: () => void signals.emit('SIGTERM', 'SIGTERM'),
  };
  const calls = createCalls(channel, handlers);
  let isToldToEnd = false;
  for (const name of stopSignals) {
    channel.on(name as 'message', () => {
      if (!isToldToEnd) signals.emit('SIGTERM', name);
      isToldToEnd = true;
    });
  }
  const shared = (): SharedState => required(state);

  return {
    signals,
    calls,
    async appOptions() {
      state = await calls.call<SharedState>('state');
      counts = createParentHitStore(calls, {
        windowMs: limitWindowMs,
        status: () => shared().limits,
        clock: monotonicNow,
        wait: (ms) => pause(ms, undefined, { ref: false }),
      });
      return {
        hits: { ...counts, use() {} },
        figuresOfAll: () => calls.call<readonly Figures[]>('figures'),
        workersStatus: () => shared().workers,
        logDestination: createSharedOutput(),
      };
    },
    follow(app, source, configuration, sources) {
      follower = new Follower(app, source, configuration, sources);
      const { live } = follower;
      return { ...live, status: () => shared().configuration };
    },
    async fail({ message }) {
      await calls.call('failed', { message });
      process.exitCode = 1;
      process.disconnect?.();
    },
    leave() {
      if (process.connected) process.disconnect?.();
    },
  };
}

/** Builds what the primary wants and swaps when it says so: all workers at one moment, or none. */
class Follower {
  readonly app: App;
  readonly live: Omit<LiveConfiguration<Configuration>, 'status'>;
  readonly #source: ConfigurationSource<Configuration>;
  #current: Configuration;
  #sources: readonly Source[];
  #decide: ((isAgreed: boolean) => void) | undefined;
  #swapped: Promise<void> = Promise.resolve();

  constructor(
    app: App,
    source: ConfigurationSource<Configuration>,
    configuration: Configuration,
    sources: readonly Source[],
  ) {
    this.app = app;
    this.#source = source;
    this.#current = configuration;
    this.#sources = sources;
    this.live = {
      settings: () => this.#current.settings,
      // When to reload is the primary's to decide.
      reload: async () => {},
      close: async () => this.#decide?.(false),
    };
  }

  async prepare(identity: string): Promise<void> {
    await this.swap(false);
    const reading = await this.#source.read(this.#sources);
    if ('fault' in reading) throw reading.fault;
    if (identityOfAll(reading.sources) !== identity) throw new Error('The files have been edited again meanwhile.');
    const { configuration, sources } = reading;
    const decided = Promise.withResolvers<boolean>();
    const built = Promise.withResolvers<void>();
    this.#decide = decided.resolve;
    this.#swapped = this.app
      .apply(configuration, () => {
        built.resolve();
        return decided.promise;
      })
      .then((isLive) => {
        built.resolve();
        if (!isLive) return;
        this.#current = configuration;
        this.#sources = sources;
        this.app.telemetry.log.level = configuration.settings.log_level;
      }, built.reject);
    await built.promise;
  }

  async swap(isAgreed: boolean): Promise<void> {
    this.#decide?.(isAgreed);
    this.#decide = undefined;
    await this.#swapped;
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The worker has not started yet.');
  return value;
}
