import type { Service, Settings } from '@rostergate/endpoints';
import { ConfigError, type Environment } from '@rostergate/runtime/config';
import { toError } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createUpstreamRegistry } from '@rostergate/runtime/upstream';
import { createApp } from './app.ts';
import type { Generation } from './generation.ts';
import { createBuiltInServices, describeBuiltInServices } from './services/index.ts';
import type { Configuration } from './sources/read-sources.ts';

export interface IdleServicesOptions {
  readonly env: Environment;
  /** Whether the variables of the environment that upstreams need have to be there. */
  readonly isToServe: boolean;
}

/** Returns a factory of the built-in services, with the faults that they have when they serve. They call nothing. */
export function createIdleServices({ env, isToServe }: IdleServicesOptions) {
  return (settings: Readonly<Settings>): readonly Service[] => {
    if (!isToServe) return describeBuiltInServices();
    const upstreams = createUpstreamRegistry({ clock: monotonicNow, random: Math.random, wait: refuse });
    return createBuiltInServices({
      cryptoUpstreamUrl: settings.crypto_upstream_url,
      fetch: refuse,
      wait: refuse,
      clock: Date.now,
      http: { env, upstreams, trustedProxies: settings.trusted_proxies },
    });
  };
}

function refuse(): never {
  throw new Error('Nothing is served here.');
}

/**
 * Builds what would serve a configuration; nothing listens.
 * @throws ConfigError when it could not serve.
 */
export function checkGeneration(configuration: Configuration, version: string, settingsFile: string): Generation {
  try {
    const quiet = { ...configuration, settings: { ...configuration.settings, log_level: 'silent' as const } };
    return createApp(quiet, { version }).generation();
  } catch (error) {
    // What a schema of somebody's own service says shows only once its routes are built.
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([{ where: settingsFile, field: '', detail: toError(error).message }]);
  }
}
