import type { Server } from 'node:http';
import { createServer, type OpenApiDocument } from '@rostergate/runtime/contract';
import { createHealthHandlers } from '@rostergate/runtime/lifecycle';
import { createLimitMetrics, createMemoryHitStore } from '@rostergate/runtime/limits';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { UpstreamRegistry } from '@rostergate/runtime/upstream';
import { createAccountMetrics } from './account-metrics.ts';
import type { Configuration } from './configuration.ts';
import { createGeneration, type Generation, type Lasting } from './generation.ts';
import { createIssuedTokens } from './issued-tokens.ts';
import { createStandingAccounts, type StandingAccounts } from './standing-accounts.ts';

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
}

export interface App {
  /** Serves everything; does not listen yet. */
  readonly server: Server;
  /** The generation that new requests get. */
  readonly generation: () => Generation;
  /** From now on readiness says that the proxy is about to stop. */
  readonly beginDrain: () => void;
}

/** Builds the proxy without any I/O. */
export function createApp(configuration: Configuration, options: AppOptions): App {
  const { document, version, clock, randomBytes, telemetry, upstreams } = options;
  const health = createHealthHandlers({
    version,
    clock,
    startedMs: clock(),
    dependencies: { upstream: () => current.upstreamStatus(), accounts: () => current.accountsStatus() },
  });
  upstreams.countIn(telemetry.registry);
  const standing: StandingAccounts = createStandingAccounts({
    clock,
    metrics: createAccountMetrics(telemetry.registry, () => standing),
  });
  const lasting: Lasting = {
    document,
    clock,
    health,
    telemetry,
    hits: createMemoryHitStore({ windowMs: 60_000, clock }),
    onLimitDecision: createLimitMetrics(telemetry.registry, () => ({ status: 'ready' })),
    tokens: createIssuedTokens({ clock, randomBytes, lifetimeS: configuration.settings.token_lifetime_s }),
    standing,
    upstreams,
  };
  const current = createGeneration(configuration, lasting);
  return {
    server: createServer({ router: () => current.router, onRefusal: telemetry.observeRefusal }),
    generation: () => current,
    beginDrain: health.beginDrain,
  };
}
