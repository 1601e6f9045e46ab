import type { Server } from 'node:http';
import type { FollowKeys, StoredKeys } from '@rostergate/access/key-store';
import {
  type ConfiguredHitStore,
  createConfiguredHitStore,
  createLimitMetrics,
  logHitStoreStatus,
} from '@rostergate/access/limits';
import {
  createIssuerRegistry,
  createKeyLoader,
  type LoadKeys,
  logIssuerChange,
  type TokenClaims,
} from '@rostergate/access/tokens';
import { createLocalSender, createServer, type OpenApiDocument, renewTls } from '@rostergate/server';
import { applyTimeouts, timeoutsOf } from '@rostergate/server/edge';
import { createHealthHandlers, type DependencyStatus } from '@rostergate/server/lifecycle';
import { runInSlices } from '@rostergate/server/steps';
import { createTelemetry, type Telemetry, type TelemetryOptions } from '@rostergate/server/telemetry';
import type { UpstreamRegistry } from '@rostergate/upstream';
import { createAccountMetrics } from './accounts/account-metrics.ts';
import { type AccountRegistry, createAccountRegistry } from './accounts/account-registry.ts';
import { createResponseChecks } from './checks/response-checks.ts';
import type { Configuration } from './configuration/configuration.ts';
import { createGeneration, createGenerationSteps, type Generation, type ProcessDependencies } from './generation.ts';
import { createIssuedTokens, type IssuedTokens } from './keys/issued-tokens.ts';
import { toIssuer } from './keys/token-callers.ts';
import { createReadState } from './reads/read-state.ts';

export interface AppOptions {
  /** The contract of this proxy. */
  readonly document: OpenApiDocument;
  readonly version: string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** Records traces; by default they are only forwarded. */
  readonly tracing?: TelemetryOptions['tracing'];
  /** Standard output by default. */
  readonly logDestination?: NonNullable<TelemetryOptions['logDestination']>;
  /** Connections and breakers. */
  readonly upstreams: UpstreamRegistry;
  /** Fetches the public keys of issuers. */
  readonly loadKeys?: LoadKeys;
  /** Follows the key store; absent without one. */
  readonly followKeys?: FollowKeys | undefined;
  /** Whether the current configuration matches the files; `ready` by default. */
  readonly configurationStatus?: () => DependencyStatus;
}

export interface App {
  /** Does not listen yet. */
  readonly server: Server;
  /** Returns the generation for new requests. */
  readonly generation: () => Generation;
  readonly telemetry: Telemetry;
  /**
   * Replaces the configuration. The new generation is built in slices while the current one serves, one at a time;
   * requests in flight keep theirs. Rejects, changing nothing, if it cannot serve.
   */
  readonly apply: (configuration: Configuration) => Promise<void>;
  /** Open before listening; close at the end. */
  readonly hits: ConfiguredHitStore;
  /** Close at the end. */
  readonly tokens: IssuedTokens;
  /** The keys of the key store: opened before listening, closed at the end. */
  readonly storedKeys: StoredKeys | undefined;
  /** Makes readiness report that the proxy is about to stop. */
  readonly beginDrain: () => void;
}

/** Builds the proxy without any I/O. */
export function createApp(configuration: Configuration, options: AppOptions): App {
  const { document, version, clock, randomBytes, tracing, logDestination, upstreams, followKeys } = options;
  const { configurationStatus = () => ({ status: 'ready' }) } = options;
  const telemetry = createTelemetry({
    service: 'staff-proxy',
    version,
    clock,
    logLevel: configuration.settings.log_level,
    sampleEvery: () => current.settings.log_sample_every,
    countsKeys: true,
    tracing,
    ...(logDestination === undefined ? {} : { logDestination }),
  });
  const health = createHealthHandlers({
    version,
    clock,
    startedMs: clock(),
    dependencies: {
      configuration: configurationStatus,
      upstream: () => current.upstreamStatus(),
      accounts: () => current.accountsStatus(),
      limits: () => hits.status(),
      tokens: () => tokens.status(),
      issuers: () => issuers.status(),
      ...(followKeys === undefined ? {} : { key_store: () => storedKeys?.status() }),
    },
  });
  const hits = createConfiguredHitStore({
    settings: configuration.settings,
    clock,
    onChange: (status) => logHitStoreStatus(telemetry.log, status),
  });
  const storedKeys = followKeys?.({
    ...{ telemetry, clock },
    staleMsMax: () => current.settings.key_store_stale_seconds_max * 1_000,
    onChange() {},
  });
  const tokens = createIssuedTokens(configuration.settings, configuration.keysFile.keys, {
    ...{ clock, randomBytes, stored: storedKeys },
  });
  const issuers = createIssuerRegistry<TokenClaims>({
    load: options.loadKeys ?? createKeyLoader({ fetch, registry: telemetry.registry }),
    createPrincipal: (claims) => claims,
    ...{ clock: Date.now, steadyClock: clock, registry: telemetry.registry },
    onChange: logIssuerChange(telemetry.log),
  });
  upstreams.countIn(telemetry.registry);
  const accounts: AccountRegistry = createAccountRegistry({
    clock,
    metrics: createAccountMetrics(telemetry.registry, () => accounts),
    log: telemetry.log,
  });
  const dependencies: ProcessDependencies = {
    document,
    version,
    send: createLocalSender(() => server),
    clock,
    health,
    telemetry,
    hits,
    onLimitDecision: createLimitMetrics(telemetry.registry, () => hits.status()),
    tokens,
    storedKeys,
    issuers,
    accounts,
    checks: createResponseChecks(document, telemetry),
    reads: createReadState(clock, telemetry.registry),
    upstreams,
  };
  let current = createGeneration(configuration, dependencies);
  current.takeOver();
  let building: Promise<unknown> = Promise.resolve();

  async function swapIn(next: Configuration): Promise<void> {
    const built = await runInSlices(createGenerationSteps(next, dependencies));
    const previous = current;
    current = built;
    current.takeOver();
    previous.close();
    tokens.use(next.settings, next.keysFile.keys);
    issuers.use(next.settings.jwt_issuers.map(toIssuer));
    hits.use(next.settings);
    applyTimeouts(server, timeoutsOf(next.settings));
    if (configuration.tls !== undefined && next.tls !== undefined) renewTls(server, next.tls);
  }

  const server = createServer({
    router: () => current.router,
    timeouts: timeoutsOf(configuration.settings),
    tls: configuration.tls,
    onRejection: telemetry.observeRejection,
  });

  server.on('listening', () => issuers.use(current.settings.jwt_issuers.map(toIssuer)));

  return {
    server,
    telemetry,
    generation: () => current,
    apply(next) {
      const applied = building.then(() => swapIn(next));
      building = applied.catch(() => undefined);
      return applied;
    },
    hits,
    tokens,
    storedKeys,
    beginDrain: health.beginDrain,
  };
}
