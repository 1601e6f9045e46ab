import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { KeysFileStoreOptions } from '@rostergate/runtime/keys';
import { readKeysFile } from '../keys-file.ts';
import { readSettings } from '../settings.ts';
import { findSettingsFile } from '../settings-file.ts';
import type { CommandContext } from './command-context.ts';

/** The keys file that a gateway with this configuration reads. */
export function keysFileOf({ env }: CommandContext, config: string | undefined): KeysFileStoreOptions {
  const { path, isNamed } = findSettingsFile({ config, env });
  const text = readIfThere(path, isNamed);
  const settings = readSettings({ env, file: text === undefined ? undefined : { path, text } });
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
