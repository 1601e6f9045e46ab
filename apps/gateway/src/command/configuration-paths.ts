import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadSettings } from '@rostergate/runtime/config';
import {
  environmentPrefix,
  findSettingsFile,
  requireSettingsFile,
  type SettingsFile,
  settingsSchema,
} from '../settings-file.ts';
import type { CommandContext } from './command-context.ts';

/** Where a gateway with this configuration reads its keys. */
export function keysFileOf(context: CommandContext, config: string | undefined): string {
  const { env } = context;
  return pathOf(context, requireSettingsFile({ config, env }), 'keys_file');
}

/** Where a gateway with this configuration reads its endpoints, or would: an import may begin them. */
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
