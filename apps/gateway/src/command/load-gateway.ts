import { withProgress } from '@rostergate/runtime/command';
import { checkGeneration, createIdleServices } from '../check-generation.ts';
import { loadConfiguration } from '../configuration.ts';
import type { Generation } from '../generation.ts';
import { requireSettingsFile } from '../settings-file.ts';
import type { Configuration } from '../sources/read-sources.ts';
import { createEditTrial } from '../sources/try-edit.ts';
import type { CommandContext } from './command-context.ts';

export interface LoadedGateway {
  readonly settingsFile: string;
  readonly configuration: Configuration;
  /** What is no fault, such as a file that may be missing. */
  readonly notes: readonly string[];
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
