import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FollowKeys } from '@rostergate/access/key-store';
import { monotonicNow } from '@rostergate/access/limits';
import { takeSecrets } from '@rostergate/config';
import { createTerminal, writeAddress } from '@rostergate/config/command';
import {
  createConfigurationSource,
  createLiveConfiguration,
  dependentStatesOf,
  type LiveConfiguration,
} from '@rostergate/config/reload';
import { listen, logCut, portSettingOf, runUntilSignalled, serveGuarded } from '@rostergate/server/lifecycle';
import { describeCause, loadTracing } from '@rostergate/server/telemetry';
import { proxyDocument } from '@rostergate/staff-spec';
import { createUpstreamRegistry } from '@rostergate/upstream';
import { createApp } from './app.ts';
import {
  type Configuration,
  type ConfigurationOptions,
  readSources,
  restartRequired,
  sizesOf,
} from './configuration/configuration.ts';
import { proxyKeyKind } from './keys/stored-staff-keys.ts';
import { type Settings, settingsPrefix } from './settings.ts';

export interface ServeOptions extends ConfigurationOptions {
  readonly version: string;
  /** Secrets are removed from it. */
  readonly env: Record<string, string | undefined>;
}

/**
 * Serves until SIGTERM or SIGINT, and applies edits of its configuration.
 * @throws ConfigError with every fault, ListenError, and StrayError after an uncaught error.
 */
export async function serve({ version, ...options }: ServeOptions): Promise<void> {
  // Hides the arguments from `ps`.
  process.title = 'rostergate-staff-proxy';
  let report = (text: string, error: unknown): void => console.error(`${text}:`, error);
  const guard = { from: process, isReloading: true, report: (text: string, error: unknown) => report(text, error) };
  await serveGuarded(guard, async ({ signals, stopped, release }) => {
    const env = takeSecrets(options.env, [`${settingsPrefix}REDIS_URL`, `${settingsPrefix}KEY_STORE_URL`]);
    const source = createConfigurationSource<Configuration>({
      settingsFile: options.settingsFile.path,
      async read(reader, wasRead) {
        const read = await readSources({ ...options, env, reader, wasRead });
        // The copy keeps them for later reads; in the process's environment all code and children could read them.
        if ('configuration' in read) takeSecrets(options.env, read.configuration.keysFile.passwordVariables);
        return read;
      },
    });
    const reading = await Promise.race([source.read(), stopped]);
    if (reading === undefined) return;
    if ('fault' in reading) throw reading.fault;
    const { configuration, sources, states } = reading;
    const fixed = await dependentStatesOf(sources, states);
    let live: LiveConfiguration<Configuration> | undefined;
    const upstreams = createUpstreamRegistry({
      clock: monotonicNow,
      random: Math.random,
      wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
      // Frequent probes cost the upstream little, and callers have no other target.
      breaker: { openMsMax: 5_000 },
    });
    const app = createApp(configuration, {
      document: proxyDocument,
      version,
      clock: monotonicNow,
      randomBytes,
      tracing: await loadTracing({ service: 'staff-proxy', version, env: process.env }),
      upstreams,
      followKeys: await loadKeyStore(configuration.settings),
      configurationStatus: () => live?.status() ?? { status: 'ready' },
    });
    const { server, hits, tokens, storedKeys, beginDrain, telemetry } = app;
    const { log } = telemetry;
    report = (text, error) => log.error({ err: describeCause(error) }, text);
    live = createLiveConfiguration({
      ...{ app, source, configuration, sources, fixed, clock: Date.now, sizesOf, restartRequired },
    });
    const { reload, close } = live;
    const running = runUntilSignalled(server, {
      signals,
      drainMs: () => app.generation().settings.drain_ms,
      onCut: logCut(log),
      beforeClose() {
        beginDrain();
        void close();
      },
    });
    await Promise.all([hits.opened(), storedKeys?.opened()]);
    const { host, port: wantedPort, upstream_url, tls_certificate_file } = configuration.settings;
    const where = { host, port: wantedPort, portSetting: portSettingOf(options.args, settingsPrefix) };
    const { address, port } = await listen(server, where).catch(async (error) => {
      tokens.close();
      await Promise.all([close(), hits.close(), storedKeys?.close()]);
      throw error;
    });
    log.info({ address, port, upstream: upstream_url.href, ...sizesOf(configuration) }, 'listening');
    writeAddress(createTerminal(process).err, { address, port, isSecure: tls_certificate_file !== '' });
    release(() => void reload('SIGHUP'));
    const { signal, cutConnections } = await running;
    await close();
    await Promise.all([hits.close(), storedKeys?.close()]);
    tokens.close();
    log.info({ signal, cut_connections: cutConnections }, 'stopped');
    await upstreams.destroy();
    await telemetry.flush();
  });
}

/** Returns what follows the key store of the settings; undefined without one. */
async function loadKeyStore(settings: Settings): Promise<FollowKeys | undefined> {
  if (settings.key_store_url === '') return undefined;
  const { createFollowKeys, openKeyStore } = await import('@rostergate/access/key-store');
  return createFollowKeys(await openKeyStore(settings, undefined, proxyKeyKind));
}
