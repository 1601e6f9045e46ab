import { readFileSync } from 'node:fs';
import { ConfigError } from '@rostergate/config';
import { settingsPrefix } from '../settings.ts';

export interface SettingsFile {
  /** As given: absolute, or relative to the working folder. */
  readonly path: string;
  /** A named file must exist; without the default file every setting has its default. */
  readonly isNamed: boolean;
}

export interface SettingsFileOptions {
  /** From `--settings`. */
  readonly settings?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const defaultSettingsFile = 'staff-proxy.json';

/** Returns the file of `--settings`, else of ROSTERGATE_PROXY_SETTINGS_FILE, else staff-proxy.json in the working folder. */
export function findSettingsFile({ settings, env }: SettingsFileOptions): SettingsFile {
  const named = settings || env[`${settingsPrefix}SETTINGS_FILE`];
  return named ? { path: named, isNamed: true } : { path: defaultSettingsFile, isNamed: false };
}

/**
 * Returns the text of a settings file; undefined where the default file does not exist.
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
