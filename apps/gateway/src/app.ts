import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FollowKeys, StoredKeys } from '@rostergate/access/key-store';
import {
  type ConfiguredHitStore,
  type ConfiguredHitStoreOptions,
  createConfiguredHitStore,
  createLimitMetrics,
  logHitStoreStatus,
  monotonicNow,
} from '@rostergate/access/limits';
import { createIssuerRegistry, createKeyLoader, type LoadKeys, logIssuerChange } from '@rostergate/access/tokens';
import { createLocalSender, createServer, LiveConnections, type Principal, renewTls } from '@rostergate/server';
import { applyTimeouts, timeoutsOf } from '@rostergate/server/edge';
import { createHealthHandlers, type DependencyStatus } from '@rostergate/server/lifecycle';
import { runInSlices } from '@rostergate/server/steps';
import {
  createLiveMetrics,
  createTallyCounter,
  createTelemetry,
  type Telemetry,
  type TelemetryOptions,
} from '@rostergate/server/telemetry';
import type { UpstreamRegistry } from '@rostergate/upstream';
import { createResponseCache } from '@rostergate/upstream/cache';
import type { CreateAdminServer } from './admin/admin-server.ts';
import { createTokenPrincipal } from './authenticate.ts';
import { createGeneration, createGenerationSteps, type Generation, type ProcessDependencies } from './generation.ts';
import { createPolicyMetrics } from './policies/policy-run.ts';
import type { StartedSettings } from './settings.ts';
import type { Configuration } from './sources/read-sources.ts';
import { createUsage, type Usage } from './usage/usage.ts';

export interface AppOptions {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Monotonic milliseconds since the epoch: for limits, durations, uptimes and the age of cached responses. */
  readonly steadyClock?: () => number;
  readonly telemetry?: Telemetry;
  readonly logDestination?: TelemetryOptions['logDestination'];
  /** Records traces; without it, trace headers are only forwarded. */
  readonly tracing?: TelemetryOptions['tracing'];
  /** Whether the running configuration is that of the files; ready when absent. */
  readonly configurationStatus?: () => DependencyStatus;
  /** Creates the in-memory counter of hits; by default one for this process. */
  readonly createMemory?: ConfiguredHitStoreOptions['createMemory'];
  /** Returns the metrics of all workers; absent in a single process. */
  readonly figuresOfAll?: TelemetryOptions['figuresOfAll'];
  /** Removes cached responses in the other workers; resolves when they are removed. */
  readonly invalidateElsewhere?: (uris: readonly string[]) => Promise<void>;
  /** The status of the workers, for readiness. */
  readonly workersStatus?: () => DependencyStatus;
  /** The upstreams of the service `http`, for metrics and readiness. */
  readonly upstreams?: UpstreamRegistry;
  /** Fetches the public keys of issuers; by default from this process. */
  readonly loadKeys?: LoadKeys;
  /** By default those of the configuration. */
  readonly started?: StartedSettings;
  /** Follows the key store; absent without one. */
  readonly followKeys?: FollowKeys | undefined;
  /** Creates the server of the admin API; absent without `admin_port`. */
  readonly createAdminServer?: CreateAdminServer | undefined;
}

export interface App {
  /** Not listening yet. */
  readonly server: Server;
  /** Serves the admin API; not listening yet. Undefined without one. */
  readonly adminServer: Server | undefined;
  readonly telemetry: Telemetry;
  /** Returns the generation that serves new requests. */
  readonly generation: () => Generation;
  /**
   * Builds a configuration in slices, while the current one serves, and swaps it in; requests in flight finish with the
   * old one. Builds run one at a time; only the newest waiting one runs. Resolves with whether this configuration went
   * live; rejects, and changes nothing, if it cannot serve. `isAgreed` is called after the build and may cancel the swap.
   */
  readonly apply: (configuration: Configuration, isAgreed?: () => Promise<boolean>) => Promise<boolean>;
  /** Removes the cached responses of these URIs, which another process has changed. */
  readonly invalidate: (uris: readonly string[]) => void;
  /** The counts of the limits: opened before listening, closed at the end. */
  readonly hits: ConfiguredHitStore;
  /** The usage of callers: stored from time to time, and closed at the end. */
  readonly usage: Pick<Usage, 'flush' | 'close'>;
  /** The keys of the key store: opened before listening, closed at the end. */
  readonly storedKeys: StoredKeys | undefined;
  /** Makes readiness report that the server is stopping, and closes WebSockets and streams. */
  readonly beginDrain: () => void;
}

/** Creates the gateway; never listens. */
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
      issuers: () => issuers.status(),
      usage: () => usage.status(),
      ...(options.followKeys === undefined ? {} : { key_store: () => storedKeys?.status() }),
      ...(upstreams === undefined ? {} : { upstreams: () => upstreams.status() }),
      ...(workersStatus === undefined ? {} : { workers: workersStatus }),
    },
  });
  upstreams?.countIn(telemetry.registry);
  const { createMemory } = options;
  const hits = createConfiguredHitStore({
    settings: configuration.settings,
    clock: steadyClock,
    ...(createMemory === undefined ? {} : { createMemory }),
    onChange: (status) => logHitStoreStatus(telemetry.log, status),
  });
  const issuers = createIssuerRegistry<Principal>({
    ...{ clock, steadyClock, registry: telemetry.registry },
    load: options.loadKeys ?? createKeyLoader({ fetch, registry: telemetry.registry }),
    createPrincipal: createTokenPrincipal,
    onChange: logIssuerChange(telemetry.log),
  });
  const usage = createUsage({ clock, telemetry });
  usage.use(configuration.usage);
  const cache = createResponseCache({
    clock,
    steadyClock,
    wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
  });
  const invalidate = (uris: readonly string[]): void => {
    for (const uri of uris) cache.invalidate(uri);
  };
  const live = new LiveConnections({ clock, ...createLiveMetrics(telemetry.registry, telemetry.log) });
  const storedKeys = options.followKeys?.({
    telemetry,
    clock: steadyClock,
    staleMsMax: () => current.settings.key_store_stale_seconds_max * 1000,
    // A new function for each change, so that connections which were admitted before it and open later are checked.
    onChange: () => void live.recheck((request) => current.router.readmit(request)),
  });
  const cacheOutcomes = createTallyCounter({
    name: 'response_cache_requests_total',
    help: 'Requests to endpoints with cache_seconds, by how the cache handled them.',
    labelNames: ['result'],
    registers: [telemetry.registry],
  });
  const dependencies: ProcessDependencies = {
    clock,
    steadyClock,
    health,
    telemetry,
    hits,
    onLimitDecision: createLimitMetrics(telemetry.registry, () => hits.status()),
    onPolicyRejection: createPolicyMetrics(telemetry.registry),
    cache,
    issuers,
    storedKeys,
    keyStore: options.started ?? configuration.settings,
    live,
    usage,
    version,
    send: createLocalSender(() => server),
    onCacheOutcome: (result) => cacheOutcomes.of({ result }).inc(),
    invalidate(uris) {
      invalidate(uris);
      return options.invalidateElsewhere?.(uris);
    },
  };
  let current = createGeneration(configuration, dependencies);
  let newest = configuration;
  let building: Promise<unknown> = Promise.resolve();

  async function build(next: Configuration, isAgreed?: () => Promise<boolean>): Promise<boolean> {
    if (next !== newest) return false;
    const built = await runInSlices(createGenerationSteps(next, dependencies));
    if (isAgreed !== undefined && !(await isAgreed())) {
      built.close();
      return false;
    }
    const previous = current;
    current = built;
    cache.retain(built.cacheScopes);
    issuers.use(next.settings.jwt_issuers);
    previous.close();
    void live.recheck(built.router.readmit);
    hits.use(next.settings);
    usage.use(next.usage);
    for (const each of servers) {
      applyTimeouts(each, timeoutsOf(next.settings));
      if (configuration.tls !== undefined && next.tls !== undefined) renewTls(each, next.tls);
    }
    return true;
  }

  const server = createServer({
    router: () => current.router,
    timeouts: timeoutsOf(configuration.settings),
    tls: configuration.tls,
    onRejection: telemetry.observeRejection,
    live,
  });

  const adminServer = options.createAdminServer?.({
    ...{ configuration, telemetry, clock, steadyClock, configurationStatus, usage },
    current: () => current,
  });
  const servers = adminServer === undefined ? [server] : [server, adminServer];

  server.on('listening', () => {
    issuers.use(current.settings.jwt_issuers);
    usage.start();
  });

  return {
    server,
    adminServer,
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
    usage,
    storedKeys,
    beginDrain() {
      health.beginDrain();
      // At the end of the drain few counts are left.
      void usage.flush();
      live.drain();
    },
  };
}
