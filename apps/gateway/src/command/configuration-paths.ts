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

function pathOf(
  { env }: CommandContext,
  { path, isNamed }: SettingsFile,
  setting: 'keys_file' | 'endpoints_file',
): string {
  const text = readIfThere(path, isNamed);
  const file = text === undefined ? undefined : { path, text };
  const settings = loadSettings({ schema: settingsSchema, prefix: environmentPrefix, env, file });
  return resolve(dirname(path), settings[setting]);
}

function readIfThere(path: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isNamed || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
