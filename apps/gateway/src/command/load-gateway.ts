import type { Service, Settings } from '@rostergate/endpoints';
import { withProgress } from '@rostergate/runtime/command';
import { ConfigError } from '@rostergate/runtime/config';
import { toError } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createUpstreamRegistry } from '@rostergate/runtime/upstream';
import { createApp } from '../app.ts';
import { type Configuration, loadConfiguration } from '../configuration.ts';
import type { Generation } from '../generation.ts';
import { createBuiltInServices, describeBuiltInServices } from '../services/index.ts';
import { requireSettingsFile } from '../settings-file.ts';
import { createModuleTrial } from '../sources/try-modules.ts';
import type { CommandContext } from './command-context.ts';

export interface LoadedGateway {
  readonly settingsFile: string;
  readonly configuration: Configuration;
  /** What would serve: it is built, and nothing listens. */
  readonly generation: Generation;
}

export interface LoadGatewayOptions {
  /** From `--config`. */
  readonly config: string | undefined;
  /**
   * Whether the variables of the environment that upstreams need have to be there. Without, the configuration is only
   * described, as on a machine that has none of its secrets.
   */
  readonly isToServe?: boolean;
}

/**
 * Goes all the way that `serve` goes but for listening.
 * @throws ConfigError with every fault; when it is to serve, exactly those that would keep `serve` from starting.
 */
export function loadGateway(context: CommandContext, options: LoadGatewayOptions): Promise<LoadedGateway> {
  const { err } = context.terminal;
  return withProgress({ output: err, text: 'Reading the configuration' }, load(context, options));
}

async function load(
  { version, env }: CommandContext,
  { config, isToServe = false }: LoadGatewayOptions,
): Promise<LoadedGateway> {
  const { path, isNamed } = requireSettingsFile({ config, env });
  const configuration = await loadConfiguration({
    settingsFile: path,
    isSettingsFileNamed: isNamed,
    env,
    tryModules: createModuleTrial(),
    createServices: (settings) => (isToServe ? createServices(settings, env) : describeBuiltInServices()),
  });
  try {
    const quiet = { ...configuration, settings: { ...configuration.settings, log_level: 'silent' as const } };
    return { settingsFile: path, configuration, generation: createApp(quiet, { version }).generation() };
  } catch (error) {
    // What a schema of somebody's own service says shows only once its routes are built.
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([{ where: path, field: '', detail: toError(error).message }]);
  }
}

/** Made as they are for serving, so that they see the same faults; nothing is asked of them. */
function createServices(settings: Readonly<Settings>, env: CommandContext['env']): readonly Service[] {
  const refuse = (): never => {
    throw new Error('Nothing is served here.');
  };
  const upstreams = createUpstreamRegistry({ clock: monotonicNow, random: Math.random, wait: refuse });
  return createBuiltInServices({
    cryptoUpstreamUrl: settings.crypto_upstream_url,
    fetch: refuse,
    wait: refuse,
    clock: Date.now,
    http: { env, upstreams, trustedProxies: settings.trusted_proxies },
  });
}
