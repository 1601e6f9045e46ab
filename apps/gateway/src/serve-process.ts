import { type HeldSignals, listen, logCut, runUntilSignalled } from '@rostergate/runtime/lifecycle';
import {
  type ConfigurationSource,
  createLiveConfiguration,
  identityOfAll,
  type LiveConfiguration,
  type Source,
} from '@rostergate/runtime/reload';
import { loadTracing, type Telemetry } from '@rostergate/runtime/telemetry';
import type { UpstreamRegistry } from '@rostergate/runtime/upstream';
import { createApp } from './app.ts';
import { type Configuration, sizesOf } from './configuration.ts';
import { takenAtStart } from './taken-at-start.ts';
import type { Primary } from './workers/worker.ts';

/** Something an operator should know of, though nothing is wrong enough to stop. */
export interface Note {
  readonly text: string;
  /** `warn` by default. */
  readonly level?: 'warn' | 'error';
  readonly [detail: string]: unknown;
}

export interface ServingOptions {
  readonly version: string;
  readonly configuration: Configuration;
  readonly sources: readonly Source[];
  readonly source: ConfigurationSource<Configuration>;
  readonly notes: { tellTo(log: Telemetry['log']): void };
  readonly held: HeldSignals;
  /** What sets the port. */
  readonly portSetting: string;
}

export interface ServeProcessOptions extends ServingOptions {
  readonly upstreams: UpstreamRegistry;
  /** The process that keeps this one and others like it; undefined when it is the only one. */
  readonly primary: Primary | undefined;
}

/**
 * Serves in this process until it is told to stop.
 * @throws ListenError
 */
export async function serveProcess(options: ServeProcessOptions): Promise<void> {
  const { version, configuration, sources, source, notes, held, portSetting, upstreams, primary } = options;
  let live: LiveConfiguration<Configuration> | undefined;
  const app = createApp(configuration, {
    version,
    upstreams,
    tracing: await loadTracing({ service: 'gateway', version, env: process.env }),
    configurationStatus: () => live?.status() ?? { status: 'ready' },
    ...(await primary?.appOptions()),
  });
  const { server, telemetry, hits, beginDrain } = app;
  const { log } = telemetry;
  notes.tellTo(log);
  live =
    primary?.follow(app, source, configuration, sources) ??
    createLiveConfiguration({ app, source, configuration, sources, clock: Date.now, sizesOf, takenAtStart });
  const { settings, reload, close } = live;
  const running = runUntilSignalled(server, {
    signals: held.signals,
    drainMs: () => settings().drain_ms,
    onCut: logCut(log),
    beforeClose() {
      beginDrain();
      void close();
    },
  });
  await hits.opened();
  const { host, port: wantedPort } = configuration.settings;
  const { address, port } = await listen(server, { host, port: wantedPort, portSetting }).catch(async (error) => {
    await Promise.all([close(), hits.close()]);
    throw error;
  });
  if (primary === undefined) {
    log.info({ address, port, ...sizesOf(configuration) }, 'listening');
  } else {
    await primary.calls.call('up', { address, port, identity: identityOfAll(sources) });
  }
  held.release(() => void reload('SIGHUP'));
  const { signal, cutConnections } = await running;
  app.generation().close();
  await close();
  await hits.close();
  log.info({ signal, cut_connections: cutConnections }, 'stopped');
  await telemetry.flush();
  primary?.leave();
}
