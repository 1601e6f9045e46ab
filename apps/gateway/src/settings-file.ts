import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

function hasConfiguration(folder: string): boolean {
  return ['settings.json', 'endpoints.json'].some((file) => existsSync(join(folder, file)));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
