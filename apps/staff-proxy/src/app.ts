import type { Server } from 'node:http';
import { createServer, type OpenApiDocument, renewTls } from '@rostergate/runtime/contract';
import { applyTimeouts, timeoutsOf } from '@rostergate/runtime/edge';
import { createHealthHandlers, type DependencyStatus } from '@rostergate/runtime/lifecycle';
import { createLimitCounts, createLimitMetrics, type LimitCounts, tellOfCounts } from '@rostergate/runtime/limits';
import { runInSlices } from '@rostergate/runtime/steps';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { UpstreamRegistry } from '@rostergate/runtime/upstream';
import { createAccountMetrics } from './accounts/account-metrics.ts';
import { createStandingAccounts, type StandingAccounts } from './accounts/account-registry.ts';
import { createAnswerChecks } from './checks/response-checks.ts';
import type { Configuration } from './configuration/configuration.ts';
import { createGeneration, createGenerationSteps, type Generation, type Lasting } from './generation.ts';
import { createIssuedTokens, type IssuedTokens } from './keys/issued-tokens.ts';
import { createStandingReads } from './reads/read-state.ts';

export interface AppOptions {
  /** The contract as this proxy serves it. */
  readonly document: OpenApiDocument;
  readonly version: string;
  /** Milliseconds since the epoch that never go back. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly telemetry: Telemetry;
  /** Reaches the upstream; measured and told of by readiness. */
  readonly upstreams: UpstreamRegistry;
  /** Whether what runs is what the files say; ready when absent. */
  readonly configurationStatus?: () => DependencyStatus;
}

export interface App {
  /** Serves everything; does not listen yet. */
  readonly server: Server;
  /** The generation that new requests get. */
  readonly generation: () => Generation;
  readonly telemetry: Telemetry;
  /**
   * Swaps in a new configuration, built in slices while the old one serves; requests in flight end with the old one.
   * One is built at a time. Rejects, changing nothing, if it cannot serve.
   */
  readonly apply: (configuration: Configuration) => Promise<void>;
  /** Where hits are counted: opened before listening, closed at the end. */
  readonly hits: LimitCounts;
  /** Where tokens are stored: closed at the end. */
  readonly tokens: IssuedTokens;
  /** From now on readiness says that the proxy is about to stop. */
  readonly beginDrain: () => void;
}

/** Builds the proxy without any I/O. */
export function createApp(configuration: Configuration, options: AppOptions): App {
  const { document, version, clock, randomBytes, telemetry, upstreams } = options;
  const { configurationStatus = () => ({ status: 'ready' }) } = options;
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
    },
  });
  const hits = createLimitCounts({
    settings: configuration.settings,
    clock,
    onChange: (status) => tellOfCounts(telemetry.log, status),
  });
  const tokens = createIssuedTokens(configuration.settings, configuration.keysFile.keys, { clock, randomBytes });
  upstreams.countIn(telemetry.registry);
  const standing: StandingAccounts = createStandingAccounts({
    clock,
    metrics: createAccountMetrics(telemetry.registry, () => standing),
    log: telemetry.log,
  });
  const lasting: Lasting = {
    document,
    clock,
    health,
    telemetry,
    hits,
    onLimitDecision: createLimitMetrics(telemetry.registry, () => hits.status()),
    tokens,
    standing,
    checks: createAnswerChecks(document, telemetry),
    reads: createStandingReads(clock, telemetry.registry),
    upstreams,
  };
  let current = createGeneration(configuration, lasting);
  current.takeOver();
  let building: Promise<unknown> = Promise.resolve();

  async function swapIn(next: Configuration): Promise<void> {
    const built = await runInSlices(createGenerationSteps(next, lasting));
    const previous = current;
    current = built;
    current.takeOver();
    previous.close();
    tokens.use(next.settings, next.keysFile.keys);
    hits.use(next.settings);
    applyTimeouts(server, timeoutsOf(next.settings));
    if (configuration.tls !== undefined && next.tls !== undefined) renewTls(server, next.tls);
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
    apply(next) {
      const applied = building.then(() => swapIn(next));
      building = applied.catch(() => undefined);
      return applied;
    },
    hits,
    tokens,
    beginDrain: health.beginDrain,
  };
}
