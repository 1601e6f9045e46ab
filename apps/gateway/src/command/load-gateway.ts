import { ConfigError } from '@rostergate/runtime/config';
import { createApp } from '../app.ts';
import { type Configuration, loadConfiguration } from '../configuration.ts';
import type { Generation } from '../generation.ts';
import { describeBuiltInServices } from '../services/index.ts';
import { findSettingsFile } from '../settings-file.ts';
import type { CommandContext } from './command-context.ts';

export interface LoadedGateway {
  readonly settingsFile: string;
  readonly configuration: Configuration;
  /** What would serve: it is built, and nothing listens. */
  readonly generation: Generation;
}

/**
 * Goes all the way that `serve` goes but for listening.
 * @throws ConfigError with every fault that would keep `serve` from starting.
 */
export async function loadGateway(context: CommandContext, config: string | undefined): Promise<LoadedGateway> {
  const { version, env } = context;
  const { path, isNamed } = findSettingsFile({ config, env });
  const configuration = await loadConfiguration({
    settingsFile: path,
    isSettingsFileNamed: isNamed,
    env,
    createServices: () => describeBuiltInServices(),
  });
  try {
    const quiet = { ...configuration, settings: { ...configuration.settings, log_level: 'silent' as const } };
    return { settingsFile: path, configuration, generation: createApp(quiet, { version }).generation() };
  } catch (error) {
    // What a schema of somebody's own service says shows only once its routes are built.
    throw new ConfigError([{ where: path, field: '', detail: error instanceof Error ? error.message : String(error) }]);
  }
}
