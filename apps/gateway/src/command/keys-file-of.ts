import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadSettings } from '@rostergate/runtime/config';
import type { KeysFileStoreOptions } from '@rostergate/runtime/keys';
import { readKeysFile } from '../keys-file.ts';
import { findSettingsFile } from '../settings-file.ts';
import { environmentPrefix, settingsSchema } from '../settings-schema.ts';
import type { CommandContext } from './command-context.ts';

/** The keys file that a gateway with this configuration reads. */
export function keysFileOf({ env }: CommandContext, config: string | undefined): KeysFileStoreOptions {
  const { path, isNamed } = findSettingsFile({ config, env });
  const text = readIfThere(path, isNamed);
  const file = text === undefined ? undefined : { path, text };
  const settings = loadSettings({ schema: settingsSchema, prefix: environmentPrefix, env, file });
  return { path: resolve(dirname(path), settings.keys_file), check: readKeysFile };
}

function readIfThere(path: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isNamed || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
