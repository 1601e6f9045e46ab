import { readFileSync } from 'node:fs';
import { ConfigError } from '@rostergate/runtime/config';
import { settingsPrefix } from '../settings.ts';

export interface SettingsFile {
  /** As it was given: relative to the folder the command runs in, unless it is absolute. */
  readonly path: string;
  /** Somebody named it, so it must be there; otherwise without it every setting is at its default. */
  readonly isNamed: boolean;
}

export interface SettingsFileOptions {
  /** From `--settings`. */
  readonly settings?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const defaultSettingsFile = 'staff-proxy.json';

/** Where the settings stand: as `--settings` says, else ROSTERGATE_PROXY_SETTINGS_FILE, else in staff-proxy.json here. */
export function findSettingsFile({ settings, env }: SettingsFileOptions): SettingsFile {
  const named = settings || env[`${settingsPrefix}SETTINGS_FILE`];
  return named ? { path: named, isNamed: true } : { path: defaultSettingsFile, isNamed: false };
}

/**
 * The text of a settings file; undefined where there is none that anybody has named.
 * @throws ConfigError
 */
export function readSettingsText({
  path,
  isNamed,
}: SettingsFile): { readonly path: string; readonly text: string } | undefined {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!isNamed && code === 'ENOENT') return undefined;
    throw new ConfigError([{ where: path, field: '', detail: `It cannot be read (${code}).` }]);
  }
}
