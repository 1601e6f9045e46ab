import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '@rostergate/endpoints';
import { ConfigError } from '@rostergate/runtime/config';
import { holdSignals, ListenError, portSettingOf, StrayError, takeStrayErrors } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createConfigurationSource } from '@rostergate/runtime/reload';
import { describeCause, type Telemetry } from '@rostergate/runtime/telemetry';
import { createUpstreamRegistry } from '@rostergate/runtime/upstream';
import type { Agent } from 'undici';
import { sealEnvironment } from './reload/seal-environment.ts';
import { type Note, serveProcess } from './serve-process.ts';
import { createBuiltInServices } from './services/index.ts';
import type { SettingsFile } from './settings-file.ts';
import { environmentPrefix } from './settings-schema.ts';
import { readSources } from './sources/read-sources.ts';
import { findServiceOrigin } from './sources/service-origin.ts';
import { createModuleTrial } from './sources/try-modules.ts';

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
 * Serves until a signal says to stop, and meanwhile follows the files of its configuration: in this process, or in as
 * many as the settings want.
 * @throws ConfigError with every fault, ListenError, and StrayError when an error that nobody caught has ended it.
 */
export async function serve({ version, settingsFile, env, args, signals = process }: ServeOptions): Promise<void> {
  // Who has a channel to the process that started it may be a worker; who has none is saved the loading.
  const primary = process.connected ? (await import('./workers/worker.ts')).findPrimary() : undefined;
  const held = holdSignals(primary?.signals ?? signals);
  const notes = createNotes();
  const strays = takeStrayErrors({
    from: process,
    tell: (text, error) => notes.take({ text, level: 'error', err: describeCause(error) }),
    stop: () => held.stop('uncaughtException'),
    findOrigin: findServiceOrigin,
  });
  const client = createClient();
  const upstreams = createUpstreamRegistry({
    clock: monotonicNow,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
  });
  try {
    // Once a listening server is in `ps` under its own name, no argument shows there.
    process.title = 'rostergate';
    const sealed = await sealEnvironment(env, settingsFile.path);
    const createServices = keepWhile(
      ({ crypto_upstream_url, trusted_proxies }) => JSON.stringify([crypto_upstream_url, trusted_proxies]),
      ({ crypto_upstream_url, trusted_proxies }) =>
        createBuiltInServices({
          cryptoUpstreamUrl: crypto_upstream_url,
          fetch: client.fetch,
          clock: Date.now,
          wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
          onCryptoFailure: (error) => notes.take({ text: 'crypto ticker unreachable', error: reasonOf(error) }),
          http: { env: sealed, upstreams, trustedProxies: trusted_proxies },
        }),
    );
    const tryModules = createModuleTrial();
    const source = createConfigurationSource({
      settingsFile: settingsFile.path,
      read: (reader, wasThere) =>
        readSources({
          settingsFile: settingsFile.path,
          isSettingsFileNamed: settingsFile.isNamed,
          env: sealed,
          args,
          reader,
          wasThere,
          tryModules,
          note: (text) => notes.take({ text }),
          createServices,
        }),
    });
    const reading = await Promise.race([source.read(), held.stopped]);
    if (reading !== undefined) {
      if ('fault' in reading) throw reading.fault;
      const { configuration, sources } = reading;
      const portSetting = portSettingOf(args, environmentPrefix);
      const common = { version, configuration, sources, source, notes, held, portSetting };
      if (primary === undefined && configuration.settings.workers > 1) {
        const { servePrimary } = await import('./workers/primary.ts');
        await servePrimary({ ...common, env: sealed });
      } else {
        await serveProcess({ ...common, upstreams, primary });
      }
      // Whatever a service has left running has had its time.
      setTimeout(() => process.exit(), 1_000).unref();
    }
    const error = strays.deadly();
    if (error !== undefined) throw new StrayError(error);
  } catch (error) {
    const isForPeople = error instanceof ConfigError || error instanceof ListenError;
    if (primary !== undefined && isForPeople) {
      await primary.fail(error);
      return;
    }
    primary?.leave();
    throw error;
  } finally {
    held.end();
    await Promise.all([client.destroy(), upstreams.destroy()]);
  }
}

/** A client of the ticker service, loaded with its first request. */
function createClient() {
  let agent: Agent | undefined;
  return {
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const undici = await import('undici');
      agent ??= new undici.Agent({ connect: { timeout: 2_000 } });
      return undici.fetch(url, { ...(init as object), dispatcher: agent }) as unknown as Promise<Response>;
    },
    destroy: () => agent?.destroy(),
  };
}

/** Keeps what is noticed until somebody is there to tell, and each of that once. */
function createNotes() {
  const early = new Map<string, Note>();
  let tell = (note: Note): void => void early.set(note.text, note);
  return {
    take: (note: Note) => tell(note),
    tellTo(log: Telemetry['log']) {
      tell = ({ text, level = 'warn', ...details }) => log[level](details, text);
      for (const note of early.values()) tell(note);
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
