import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadSettings } from '@rostergate/config';
import {
  environmentPrefix,
  findSettingsFile,
  requireSettingsFile,
  type SettingsFile,
  settingsSchema,
} from '../settings-file.ts';
import type { CommandContext } from './command-context.ts';

/** Returns the path of keys.json of the configuration. */
export function keysFileOf(context: CommandContext, config: string | undefined): string {
  const { env } = context;
  return pathOf(context, requireSettingsFile({ config, env }), 'keys_file');
}

/** Returns the path of endpoints.json of the configuration, which may not exist: an import may create it. */
export function endpointsFileOf(context: CommandContext, config: string | undefined): string {
  const { env } = context;
  return pathOf(context, findSettingsFile({ config, env }), 'endpoints_file');
}

/** Returns the settings of the configuration, which may not exist. */
export function settingsOf(context: CommandContext, config: string | undefined) {
  const { env } = context;
  return read(context, findSettingsFile({ config, env }));
}

function pathOf(context: CommandContext, file: SettingsFile, setting: 'keys_file' | 'endpoints_file'): string {
  return resolve(dirname(file.path), read(context, file)[setting]);
}

function read({ env }: CommandContext, { path, isNamed }: SettingsFile) {
  const text = readIfThere(path, isNamed);
  const file = text === undefined ? undefined : { path, text };
  return loadSettings({ schema: settingsSchema, prefix: environmentPrefix, env, file });
}

function readIfThere(path: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isNamed || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
