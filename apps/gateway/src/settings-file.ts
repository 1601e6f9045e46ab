import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createConfigurationSchema, type Settings } from '@rostergate/endpoints/configuration';
import { ConfigError } from '@rostergate/runtime/config';

export interface SettingsFile {
  /** As it was given: relative to the folder the command runs in, unless it is absolute. */
  readonly path: string;
  /** Somebody named it, so it must be there; otherwise without it every setting is at its default. */
  readonly isNamed: boolean;
}

export interface SettingsFileOptions {
  /** From `--config`: the file, or the folder it is in. */
  readonly config?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings from the command line, by field name. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/**
 * Where settings.json is: as `--config` says, else ROSTERGATE_SETTINGS_FILE, else in this folder or its folder `config`,
 * whichever has a configuration.
 */
export function findSettingsFile({ config, env }: SettingsFileOptions): SettingsFile {
  const named = config || env.ROSTERGATE_SETTINGS_FILE;
  if (named) return { path: isFolder(named) ? join(named, 'settings.json') : named, isNamed: true };
  const folder = ['', 'config'].find(hasConfiguration) ?? '';
  return { path: join(folder, 'settings.json'), isNamed: false };
}

/**
 * The same where there must be a configuration: whoever is in the wrong folder is told so, not shown an empty gateway.
 * Where the environment or the command line names its files, settings.json is not missed.
 * @throws ConfigError
 */
export function requireSettingsFile(options: SettingsFileOptions): SettingsFile {
  const found = findSettingsFile(options);
  const { env, args = {} } = options;
  const isElsewhere = ['endpoints_file', 'keys_file'].some(
    (name) => args[name] !== undefined || env[`ROSTERGATE_${name.toUpperCase()}`],
  );
  if (found.isNamed || isElsewhere || hasConfiguration(dirname(found.path))) return found;
  throw new ConfigError([
    {
      where: found.path,
      field: '',
      detail:
        'There is no settings.json here or in ./config, nor an endpoints.json. Name the folder with --config, or write a configuration with: rostergate init',
    },
  ]);
}

function hasConfiguration(folder: string): boolean {
  return ['settings.json', 'endpoints.json'].some((file) => existsSync(join(folder, file)));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Before the upper-case name of a setting in the environment. */
export const environmentPrefix = 'ROSTERGATE_';

/** settings.json as the contract has it: types, defaults, bounds and descriptions come from there. */
export const settingsSchema = createConfigurationSchema<Settings>('Settings');
