import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '@rostergate/endpoints';
import { listen, runUntilSignalled } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createUpstreamRegistry } from '@rostergate/runtime/upstream';
import { Agent, fetch as undiciFetch } from 'undici';
import { type App, createApp } from './app.ts';
import { createConfigurationSource } from './reload/configuration-source.ts';
import { createLiveConfiguration, type LiveConfiguration } from './reload/live-configuration.ts';
import { sealEnvironment } from './reload/seal-environment.ts';
import { createBuiltInServices } from './services/index.ts';
import type { SettingsFile } from './settings-file.ts';

export interface ServeOptions {
  readonly version: string;
  readonly settingsFile: SettingsFile;
  /** What is secret in it is taken out. */
  readonly env: Record<string, string | undefined>;
  /** From the command line, by field name. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Where signals come from. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>;
}

/**
 * Serves until a signal says to stop, and meanwhile follows the files of its configuration.
 * @throws ConfigError with every fault, and ListenError.
 */
export async function serve({ version, settingsFile, env, args, signals = process }: ServeOptions): Promise<void> {
  const held = holdSignals(signals);
  try {
    // Once a listening server is in `ps` under its own name, no argument shows there.
    process.title = 'rostergate';
    const agent = new Agent({ connect: { timeout: 2_000 } });
    let app: App | undefined;
    const notes: string[] = [];
    const upstreams = createUpstreamRegistry({
      clock: monotonicNow,
      random: Math.random,
      wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
    });
    const sealed = await sealEnvironment(env, settingsFile.path);
    const source = createConfigurationSource({
      settingsFile: settingsFile.path,
      isSettingsFileNamed: settingsFile.isNamed,
      env: sealed,
      args,
      note: (text) => (app === undefined ? notes.push(text) : app.telemetry.log.warn(text)),
      createServices: keepWhile(
        ({ crypto_upstream_url, trusted_proxies }) => JSON.stringify([crypto_upstream_url, trusted_proxies]),
        ({ crypto_upstream_url, trusted_proxies }) =>
          createBuiltInServices({
            cryptoUpstreamUrl: crypto_upstream_url,
            fetch: (url, init) => undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>,
            clock: Date.now,
            wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
            onCryptoFailure: (error) =>
              app?.telemetry.log.warn({ error: reasonOf(error) }, 'crypto ticker unreachable'),
            http: { env: sealed, upstreams, trustedProxies: trusted_proxies },
          }),
      ),
    });
    const reading = await Promise.race([source.read(), held.stopped]);
    if (reading === undefined) return;
    if ('fault' in reading) throw reading.fault;

    const { configuration, sources } = reading;
    let live: LiveConfiguration | undefined;
    app = createApp(configuration, {
      version,
      upstreams,
      configurationStatus: () => live?.status() ?? { status: 'ready' },
    });
    const { server, telemetry, beginDrain } = app;
    for (const note of new Set(notes)) telemetry.log.warn(note);
    live = createLiveConfiguration({ app, source, configuration, sources, clock: Date.now });
    const { settings, reload, close } = live;
    const running = runUntilSignalled(server, {
      signals: held.signals,
      drainMs: () => settings().drain_ms,
      beforeClose() {
        beginDrain();
        void close();
      },
    });
    await app.hits.opened();
    const { host, port: wantedPort } = configuration.settings;
    const { address, port } = await listen(server, { host, port: wantedPort, portSetting: 'ROSTERGATE_PORT' }).catch(
      async (error) => {
        await Promise.all([close(), app?.hits.close()]);
        throw error;
      },
    );
    const { endpoints, keys, services } = configuration;
    telemetry.log.info(
      { address, port, endpoints: endpoints.length, keys: keys.length, services: services.length },
      'listening',
    );
    held.release(() => void reload('SIGHUP'));
    const { signal, cutConnections } = await running;
    await close();
    await Promise.all([app.hits.close(), agent.destroy(), upstreams.destroy()]);
    telemetry.log.info({ signal, cut_connections: cutConnections }, 'stopped');
    await telemetry.flush();
    // Whatever a service has left running has had its time.
    setTimeout(() => process.exit(), 1_000).unref();
  } finally {
    held.end();
  }
}

interface HeldSignals {
  /** Gives the signals to stop, from the release on, those that came before included. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** Resolves when a signal to stop comes. */
  readonly stopped: Promise<undefined>;
  release(reload: () => void): void;
  end(): void;
}

/** Takes signals from the first moment on: one that comes while the server starts is neither lost nor deadly. */
function holdSignals(from: Pick<EventEmitter, 'on' | 'off'>): HeldSignals {
  const signals = new EventEmitter();
  const early: string[] = [];
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  let reload: (() => void) | undefined;
  let isReloadWanted = false;
  const onStop = (name: string) => {
    stop(undefined);
    if (reload === undefined) early.push(name);
    else signals.emit(name, name);
  };
  const onHangUp = () => {
    if (reload === undefined) isReloadWanted = true;
    else reload();
  };
  const stopNames = ['SIGTERM', 'SIGINT'];
  for (const name of stopNames) from.on(name, onStop);
  from.on('SIGHUP', onHangUp);
  return {
    signals,
    stopped,
    release(how) {
      reload = how;
      for (const name of early) signals.emit(name, name);
      if (isReloadWanted) reload();
    },
    end() {
      for (const name of stopNames) from.off(name, onStop);
      from.off('SIGHUP', onHangUp);
    },
  };
}

/** Makes a value anew only when what it is made of has changed: what it remembers outlives a reload. */
function keepWhile<V>(keyOf: (settings: Readonly<Settings>) => string, make: (settings: Readonly<Settings>) => V) {
  let kept: { readonly key: string; readonly value: V } | undefined;
  return (settings: Readonly<Settings>): V => {
    const key = keyOf(settings);
    if (kept === undefined || kept.key !== key) kept = { key, value: make(settings) };
    return kept.value;
  };
}

/** What went wrong on the way out, without the address: it may hold a password. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : error instanceof Error ? error.name : 'unknown';
}
