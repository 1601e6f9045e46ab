import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '@rostergate/config';
import { createConfigurationSchema, type Settings } from '@rostergate/endpoints/configuration';

export interface SettingsFile {
  /** As given: absolute, or relative to the working directory. */
  readonly path: string;
  /** Whether the user named the file: then it must exist; otherwise a missing file means default settings. */
  readonly isNamed: boolean;
}

export interface SettingsFileOptions {
  /** From `--config`: the file or its folder. */
  readonly config?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings from the command line, by field name. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the path of settings.json: from `--config`, else ROSTERGATE_SETTINGS_FILE, else in the working directory or its
 * folder `config`.
 */
export function findSettingsFile({ config, env }: SettingsFileOptions): SettingsFile {
  const named = config || env.ROSTERGATE_SETTINGS_FILE;
  if (named) return { path: isFolder(named) ? join(named, 'settings.json') : named, isNamed: true };
  const folder = ['', 'config'].find(hasConfiguration) ?? '';
  return { path: join(folder, 'settings.json'), isNamed: false };
}

/**
 * Does the same and requires a configuration, so that a command in the wrong folder fails. settings.json may be missing
 * if the environment or the command line names the other files.
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
        'There is no settings.json or endpoints.json here or in ./config. Pass the folder with --config, or create a configuration with: rostergate init',
    },
  ]);
}

function hasConfiguration(folder: string): boolean {
  return ['settings.json', 'endpoints.json'].some((file) => existsSync(join(folder, file)));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The prefix of a setting's environment variable. */
export const environmentPrefix = 'ROSTERGATE_';

/** The schema of settings.json: types, defaults, bounds and descriptions come from the contract. */
export const settingsSchema = createConfigurationSchema<Settings>('Settings');
