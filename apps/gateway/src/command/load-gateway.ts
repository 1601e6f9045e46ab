import { withProgress } from '@rostergate/config/command';
import { checkGeneration, createIdleServices } from '../check-generation.ts';
import { loadConfiguration } from '../configuration-reader.ts';
import type { Generation } from '../generation.ts';
import { requireSettingsFile } from '../settings-file.ts';
import type { Configuration } from '../sources/read-sources.ts';
import { createEditTrial } from '../sources/try-edit.ts';
import type { CommandContext } from './command-context.ts';

export interface LoadedGateway {
  readonly settingsFile: string;
  readonly configuration: Configuration;
  /** Messages that are not faults, such as a missing optional file. */
  readonly notes: readonly string[];
  /** Built, but not listening. */
  readonly generation: Generation;
}

export interface LoadGatewayOptions {
  /** From `--config`. */
  readonly config: string | undefined;
  /**
   * Whether the environment variables that upstreams need are required. Otherwise the configuration can be described on
   * a machine without its secrets.
   */
  readonly isToServe?: boolean;
}

/**
 * Loads the gateway as `serve` does, without listening.
 * @throws ConfigError with every fault; with `isToServe`, exactly the faults that prevent `serve` from starting.
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
  const notes = new Set<string>();
  const configuration = await loadConfiguration({
    settingsFile: path,
    isSettingsFileNamed: isNamed,
    env,
    note: (text) => notes.add(text),
    tryEdit: createEditTrial({ version, isToServe }),
    createServices: createIdleServices({ env, isToServe }),
  });
  const generation = checkGeneration(configuration, version, path);
  return { settingsFile: path, configuration, notes: [...notes], generation };
}
