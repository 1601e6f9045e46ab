import { monotonicNow } from '@rostergate/access/limits';
import { ConfigError, type Environment } from '@rostergate/config';
import type { Service, Settings } from '@rostergate/endpoints';
import { toError } from '@rostergate/server/lifecycle';
import { createUpstreamRegistry } from '@rostergate/upstream';
import { createApp } from './app.ts';
import type { Generation } from './generation.ts';
import { createBuiltInServices, describeBuiltInServices } from './services/index.ts';
import type { Configuration } from './sources/read-sources.ts';

export interface IdleServicesOptions {
  readonly env: Environment;
  /** Whether the environment variables that upstreams need are required. */
  readonly isToServe: boolean;
}

/** Returns a factory of the built-in services for checks: they report the same faults and make no requests. */
export function createIdleServices({ env, isToServe }: IdleServicesOptions) {
  return (settings: Readonly<Settings>): readonly Service[] => {
    if (!isToServe) return describeBuiltInServices();
    const upstreams = createUpstreamRegistry({ clock: monotonicNow, random: Math.random, wait: fail });
    return createBuiltInServices({
      cryptoUpstreamUrl: settings.crypto_upstream_url,
      fetch: fail,
      wait: fail,
      clock: Date.now,
      http: { env, upstreams, trustedProxies: settings.trusted_proxies },
    });
  };
}

function fail(): never {
  throw new Error('The services of a check make no requests.');
}

/**
 * Builds the generation of a configuration; nothing listens.
 * @throws ConfigError if it cannot serve.
 */
export function checkGeneration(configuration: Configuration, version: string, settingsFile: string): Generation {
  try {
    const quiet = { ...configuration, settings: { ...configuration.settings, log_level: 'silent' as const } };
    return createApp(quiet, { version }).generation();
  } catch (error) {
    // Some faults in the schemas of services appear only when their routes are built.
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([{ where: settingsFile, field: '', detail: toError(error).message }]);
  }
}
