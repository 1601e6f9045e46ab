import type { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { createTerminal, writeAddress } from '@rostergate/config/command';
import {
  type ConfigurationSource,
  createLiveConfiguration,
  type FileStates,
  type LiveConfiguration,
  type Source,
} from '@rostergate/config/reload';
import type { Settings } from '@rostergate/endpoints';
import { type HeldSignals, type ListenOptions, listen, logCut, runUntilSignalled } from '@rostergate/server/lifecycle';
import { loadTracing } from '@rostergate/server/telemetry';
import type { UpstreamRegistry } from '@rostergate/upstream';
import { type App, type AppOptions, createApp } from './app.ts';
import type { Notes } from './configuration-reader.ts';
import { restartRequired } from './settings.ts';
import { type Configuration, sizesOf } from './sources/read-sources.ts';

export interface ServingOptions {
  readonly version: string;
  readonly configuration: Configuration;
  readonly sources: readonly Source[];
  readonly fixed: FileStates;
  readonly source: ConfigurationSource<Configuration>;
  readonly notes: Pick<Notes, 'logTo'>;
  readonly held: HeldSignals;
  /** The name of the setting or option that sets the port. */
  readonly portSetting: string;
  readonly upstreams: UpstreamRegistry;
}

/**
 * Serves in this process until a signal stops it.
 * @throws ListenError
 */
export async function serveProcess(options: ServingOptions): Promise<void> {
  const { version, configuration, sources, fixed, source, notes, held, portSetting, upstreams } = options;
  let live: LiveConfiguration<Configuration> | undefined;
  const configurationStatus = () => live?.status() ?? ({ status: 'ready' } as const);
  const app = await createTracedApp(configuration, { version, upstreams, configurationStatus });
  const { telemetry } = app;
  live = createLiveConfiguration({
    ...{ source, configuration, sources, fixed, clock: Date.now, sizesOf, restartRequired: restartRequired },
    app: { telemetry, apply: (next) => app.apply(next) },
  });
  const { settings, reload, close } = live;
  await serveApp(app, {
    signals: held.signals,
    settings,
    notes,
    portSetting,
    address: async () => ({ host: configuration.settings.host, port: configuration.settings.port }),
    onListening({ address, port }) {
      telemetry.log.info({ address, port, ...sizesOf(configuration) }, 'listening');
      const isSecure = configuration.settings.tls_certificate_file !== '';
      writeAddress(createTerminal(process).err, { address, port, isSecure });
      held.release(() => void reload('SIGHUP'));
    },
    close,
  });
}

export async function createTracedApp(configuration: Configuration, options: AppOptions): Promise<App> {
  const tracing = await loadTracing({ service: 'gateway', version: options.version, env: process.env });
  return createApp(configuration, { tracing, ...options });
}

export interface ServeAppOptions {
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** Returns the current settings. */
  readonly settings: () => Readonly<Settings>;
  readonly notes: Pick<Notes, 'logTo'>;
  readonly address: () => Promise<Pick<ListenOptions, 'host' | 'port'>>;
  /** The name of the setting or option that sets the port. */
  readonly portSetting: string;
  readonly onListening: (address: AddressInfo) => void;
  /** Stops reloads; called when the drain begins. */
  readonly close?: () => Promise<void>;
}

/**
 * Listens; resolves when a signal has stopped the server and all requests are answered and logged.
 * @throws ListenError
 */
export async function serveApp(app: App, options: ServeAppOptions): Promise<void> {
  const { server, telemetry, hits, usage, beginDrain } = app;
  const { signals, settings, notes, portSetting, onListening, close = async () => {} } = options;
  notes.logTo(telemetry.log);
  const running = runUntilSignalled(server, {
    signals,
    drainMs: () => settings().drain_ms,
    onCut: logCut(telemetry.log),
    beforeClose() {
      beginDrain();
      void close();
    },
  });
  await hits.opened();
  const address = await options.address();
  try {
    const listening = await listen(server, { ...address, portSetting });
    // V8's default: with a smaller young generation, parsing a large body takes several times as long.
    setFlagsFromString('--semi-space-growth-factor=2');
    onListening(listening);
  } catch (error) {
    await Promise.all([close(), hits.close(), usage.close()]);
    throw error;
  }
  const { signal, cutConnections } = await running;
  app.generation().close({ ignoresHeld: true });
  await close();
  await Promise.all([hits.close(), usage.close()]);
  telemetry.log.info({ signal, cut_connections: cutConnections }, 'stopped');
  await telemetry.flush();
}
