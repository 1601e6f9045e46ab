import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadSettings } from '@rostergate/runtime/config';
import { findSettingsFile } from '../settings-file.ts';
import { environmentPrefix, settingsSchema } from '../settings-schema.ts';
import type { CommandContext } from './command-context.ts';

/** Where a gateway with this configuration reads its keys. */
export function keysFileOf(context: CommandContext, config: string | undefined): string {
  return pathOf(context, config, 'keys_file');
}

/** Where a gateway with this configuration reads its endpoints. */
export function endpointsFileOf(context: CommandContext, config: string | undefined): string {
  return pathOf(context, config, 'endpoints_file');
}

function pathOf({ env }: CommandContext, config: string | undefined, setting: 'keys_file' | 'endpoints_file'): string {
  const { path, isNamed } = findSettingsFile({ config, env });
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
