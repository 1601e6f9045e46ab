import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadSettings } from '@rostergate/config';
import type { Settings } from '@rostergate/endpoints/configuration';
import {
  environmentPrefix,
  findSettingsFile,
  requireSettingsFile,
  type SettingsFile,
  settingsSchema,
} from '../settings-file.ts';
import type { CommandContext } from './command-context.ts';

/** Returns the path of keys.json of the configuration, and its settings. */
export function keysFileOf(
  context: CommandContext,
  config: string | undefined,
): { readonly path: string; readonly settings: Readonly<Settings> } {
  const { settings, folder } = requiredSettingsOf(context, config);
  return { path: resolve(folder, settings.keys_file), settings };
}

/** Returns the path of endpoints.json of the configuration, which may not exist: an import may create it. */
export function endpointsFileOf(context: CommandContext, config: string | undefined): string {
  const { env } = context;
  const settingsFile = findSettingsFile({ config, env });
  return resolve(dirname(settingsFile.path), readSettingsOf(context, settingsFile).endpoints_file);
}

/** Returns the settings of the configuration, and the folder to which their paths are relative. */
export function requiredSettingsOf(
  context: CommandContext,
  config: string | undefined,
): { readonly settings: Readonly<Settings>; readonly folder: string } {
  const settingsFile = requireSettingsFile({ config, env: context.env });
  return { settings: readSettingsOf(context, settingsFile), folder: dirname(resolve(settingsFile.path)) };
}

/** Returns the settings of the configuration, which may not exist. */
export function settingsOf(context: CommandContext, config: string | undefined): Readonly<Settings> {
  const { env } = context;
  return readSettingsOf(context, findSettingsFile({ config, env }));
}

function readSettingsOf({ env }: CommandContext, { path, isNamed }: SettingsFile): Readonly<Settings> {
  const text = readIfThere(path, isNamed);
  const file = text === undefined ? undefined : { path, text };
  return loadSettings({ schema: settingsSchema, prefix: environmentPrefix, env, file }) as Readonly<Settings>;
}

function readIfThere(path: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isNamed || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
