import type { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { FollowKeys, KeyReader } from '@rostergate/access/key-store';
import { createTerminal, writeAddress } from '@rostergate/config/command';
import {
  type ConfigurationSource,
  createLiveConfiguration,
  type FileStates,
  type LiveConfiguration,
  type ReloadState,
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
  readonly settingsFile: string;
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
  const { version, settingsFile, configuration, sources, fixed, source, notes, held, portSetting, upstreams } = options;
  let live: LiveConfiguration<Configuration> | undefined;
  const configurationStatus = () => live?.status() ?? ({ status: 'ready' } as const);
  const reloadState = () => (live as LiveConfiguration<Configuration>).state();
  const app = await createTracedApp(configuration, {
    ...{ version, upstreams, configurationStatus },
    admin: { settingsFile, reloadState },
  });
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

export interface TracedAppOptions extends AppOptions {
  /** Returns a reader of the key store that the processes of a machine share. */
  readonly openKeyReader?: () => KeyReader;
  /** For the admin API. */
  readonly admin: {
    readonly settingsFile: string;
    readonly reloadState: () => ReloadState;
  };
}

export async function createTracedApp(configuration: Configuration, options: TracedAppOptions): Promise<App> {
  const tracing = await loadTracing({ service: 'gateway', version: options.version, env: process.env });
  const settings = { ...configuration.settings, ...options.started };
  const followKeys = await loadKeyStore(settings, options.openKeyReader);
  const createAdminServer = settings.admin_port === 0 ? undefined : await loadAdmin(settings, options.admin);
  return createApp(configuration, { tracing, followKeys, createAdminServer, ...options });
}

async function loadAdmin(settings: Readonly<Settings>, { settingsFile, reloadState }: TracedAppOptions['admin']) {
  const { loadAdminServer } = await import('./admin/admin-server.ts');
  return loadAdminServer(settings, settingsFile, reloadState);
}

/** Returns what follows the key store of the settings, by default with a reader of this process; undefined without one. */
async function loadKeyStore(
  settings: Readonly<Settings>,
  openReader: TracedAppOptions['openKeyReader'],
): Promise<FollowKeys | undefined> {
  if (settings.key_store_url === '') return undefined;
  const { createFollowKeys, openKeyStore } = await import('@rostergate/access/key-store');
  return createFollowKeys(openReader?.() ?? (await openKeyStore(settings)));
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
  const { server, adminServer, telemetry, hits, usage, storedKeys, beginDrain } = app;
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
  const administering = adminServer && runUntilSignalled(adminServer, { signals, drainMs: () => settings().drain_ms });
  await Promise.all([hits.opened(), storedKeys?.opened()]);
  const address = await options.address();
  try {
    if (adminServer !== undefined) await listen(adminServer, adminAddressOf(settings()));
    const listening = await listen(server, { ...address, portSetting });
    // V8's default: with a smaller young generation, parsing a large body takes several times as long.
    setFlagsFromString('--semi-space-growth-factor=2');
    onListening(listening);
  } catch (error) {
    adminServer?.close();
    await Promise.all([close(), hits.close(), usage.close(), storedKeys?.close()]);
    throw error;
  }
  const { signal, cutConnections } = await running;
  await administering;
  app.generation().close({ ignoresHeld: true });
  await close();
  await Promise.all([hits.close(), usage.close(), storedKeys?.close()]);
  telemetry.log.info({ signal, cut_connections: cutConnections }, 'stopped');
  await telemetry.flush();
}

/** Returns where the admin API listens. */
export function adminAddressOf({ admin_host: host, admin_port: port }: Readonly<Settings>): ListenOptions {
  return { host, port, portSetting: 'admin_port' };
}
