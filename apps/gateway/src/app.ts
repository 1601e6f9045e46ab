import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createResponseCache } from '@rostergate/runtime/cache';
import { createServer, renewTls } from '@rostergate/runtime/contract';
import { applyTimeouts, timeoutsOf } from '@rostergate/runtime/edge';
import { createHealthHandlers, type DependencyStatus } from '@rostergate/runtime/lifecycle';
import {
  createLimitCounts,
  createLimitMetrics,
  type LimitCounts,
  type LimitCountsOptions,
  monotonicNow,
  tellOfCounts,
} from '@rostergate/runtime/limits';
import { runInSlices } from '@rostergate/runtime/steps';
import { createTelemetry, type Telemetry, type TelemetryOptions } from '@rostergate/runtime/telemetry';
import type { UpstreamRegistry } from '@rostergate/runtime/upstream';
import { createGeneration, createGenerationSteps, type Generation, type Lasting } from './generation.ts';
import type { Configuration } from './sources/read-sources.ts';

export interface AppOptions {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Milliseconds since the epoch that never go back: for limits, durations, uptimes and the age of stored responses. */
  readonly steadyClock?: () => number;
  readonly telemetry?: Telemetry;
  readonly logDestination?: TelemetryOptions['logDestination'];
  /** Records traces; without it they only pass through. */
  readonly tracing?: TelemetryOptions['tracing'];
  /** Whether what runs is what the files say; ready when absent. */
  readonly configurationStatus?: () => DependencyStatus;
  /** What counts hits in memory: by default this process alone. */
  readonly createMemory?: LimitCountsOptions['createMemory'];
  /** Of all processes that serve together, this one included; absent when it is the only one. */
  readonly figuresOfAll?: TelemetryOptions['figuresOfAll'];
  /** Removes stored responses in the other processes that serve together; resolves when they are gone. */
  readonly invalidateElsewhere?: (uris: readonly string[]) => Promise<void>;
  /** How the processes that serve together are, for readiness. */
  readonly workersStatus?: () => DependencyStatus;
  /** Where the service `http` sends to; measured and told of by readiness. */
  readonly upstreams?: UpstreamRegistry;
}

export interface App {
  /** Not listening yet. */
  readonly server: Server;
  readonly telemetry: Telemetry;
  /** The generation that new requests get. */
  readonly generation: () => Generation;
  /**
   * Swaps in a new configuration, built in slices while the old one serves; requests in flight end with the old one.
   * One is built at a time; of those that wait the newest alone is. Resolves with whether this one went live, and
   * rejects, changing nothing, if it cannot serve. `isAgreed` is asked once it is built and has the last word.
   */
  readonly apply: (configuration: Configuration, isAgreed?: () => Promise<boolean>) => Promise<boolean>;
  /** Removes the stored responses of these URIs, which another process has changed. */
  readonly invalidate: (uris: readonly string[]) => void;
  /** Where hits are counted: opened before listening, closed at the end. */
  readonly hits: LimitCounts;
  /** From now on readiness says that the server is about to stop. */
  readonly beginDrain: () => void;
}

/** Puts the gateway together; never listens. */
export function createApp(configuration: Configuration, options: AppOptions): App {
  const { version, clock = Date.now, steadyClock = monotonicNow } = options;
  const { configurationStatus = () => ({ status: 'ready' }), workersStatus, figuresOfAll, upstreams } = options;
  const startedMs = steadyClock();
  const telemetry =
    options.telemetry ??
    createTelemetry({
      service: 'gateway',
      version,
      clock: steadyClock,
      startedMs,
      logLevel: configuration.settings.log_level,
      sampleEvery: () => current.settings.log_sample_every,
      tracing: options.tracing,
      countsKeys: true,
      ...(options.logDestination === undefined ? {} : { logDestination: options.logDestination }),
      ...(figuresOfAll === undefined ? {} : { figuresOfAll }),
    });
  const health = createHealthHandlers({
    version,
    clock: steadyClock,
    startedMs,
    dependencies: {
      configuration: () => ({ ...configurationStatus(), endpoints: current.endpoints.length }),
      services: () => ({
        status: 'ready',
        registered: current.services.map((service) => service.name).sort(),
        count: current.services.length,
      }),
      limits: () => hits.status(),
      ...(upstreams === undefined ? {} : { upstreams: () => upstreams.status() }),
      ...(workersStatus === undefined ? {} : { workers: workersStatus }),
    },
  });
  upstreams?.countIn(telemetry.registry);
  const { createMemory } = options;
  const hits = createLimitCounts({
    settings: configuration.settings,
    clock: steadyClock,
    ...(createMemory === undefined ? {} : { createMemory }),
    onChange: (status) => tellOfCounts(telemetry.log, status),
  });
  const cache = createResponseCache({
    clock,
    steadyClock,
    wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
  });
  const invalidate = (uris: readonly string[]): void => {
    for (const uri of uris) cache.invalidate(uri);
  };
  const lasting: Lasting = {
    clock,
    steadyClock,
    health,
    telemetry,
    hits,
    onLimitDecision: createLimitMetrics(telemetry.registry, () => hits.status()),
    cache,
    invalidate(uris) {
      invalidate(uris);
      return options.invalidateElsewhere?.(uris);
    },
  };
  let current = createGeneration(configuration, lasting);
  let newest = configuration;
  let building: Promise<unknown> = Promise.resolve();

  async function build(next: Configuration, isAgreed?: () => Promise<boolean>): Promise<boolean> {
    if (next !== newest) return false;
    const built = await runInSlices(createGenerationSteps(next, lasting));
    if (isAgreed !== undefined && !(await isAgreed())) {
      built.close();
      return false;
    }
    const previous = current;
    current = built;
    lasting.cache.retain(built.cacheScopes);
    previous.close();
    hits.use(next.settings);
    applyTimeouts(server, timeoutsOf(next.settings));
    if (configuration.tls !== undefined && next.tls !== undefined) renewTls(server, next.tls);
    return true;
  }

  const server = createServer({
    router: () => current.router,
    timeouts: timeoutsOf(configuration.settings),
    tls: configuration.tls,
    onRefusal: telemetry.observeRefusal,
  });

  return {
    server,
    telemetry,
    generation: () => current,
    apply(next, isAgreed) {
      newest = next;
      const applied = building.then(() => build(next, isAgreed));
      building = applied.catch(() => undefined);
      return applied;
    },
    invalidate,
    hits,
    beginDrain: health.beginDrain,
  };
}
