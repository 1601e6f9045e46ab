import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '@rostergate/runtime/config';
import type { KeysFileStoreOptions } from '@rostergate/runtime/keys';
import { createKeysCommand as createKeysCommandOf } from '@rostergate/runtime/keys-command';
import { type Command, Option } from 'commander';
import { readSettings } from '../configuration/read-settings.ts';
import { findSettingsFile, readSettingsText } from '../configuration/settings-file.ts';
import { checkKeysFile } from '../keys/keys-file.ts';
import { keysFileSchema } from '../keys/keys-file-schema.ts';
import { accountGrants } from './account-grants.ts';
import type { CommandContext } from './command-context.ts';
import { settingsOption } from './settings-option.ts';

/** `rostergate-staff-proxy keys …`: the keys of callers. The accounts that they stand for are written by hand. */
export function createKeysCommand(context: CommandContext): Command {
  const { terminal, clock, randomBytes } = context;
  return createKeysCommandOf({
    terminal,
    clock,
    random: randomBytes,
    program: 'rostergate-staff-proxy',
    server: 'proxy',
    file: 'the keys file',
    fileOptions: () => [settingsOption(), keysFileOption()],
    storeOf: (given) => keysStoreOf(context, given),
    accepts: (fields) =>
      keysFileSchema.shape.keys.safeParse([{ name: 'a', owner: 'a', sha256: '0'.repeat(64), account: 'a', ...fields }])
        .success,
    keyPrefix: 'staff',
    grants: accountGrants,
  });
}

function keysFileOption(): Option {
  return new Option('--keys-file <path>', 'the keys file (default: as the settings say, else proxy-keys.json here)');
}

/**
 * The keys file that a proxy with these options reads.
 * @throws ConfigError when there is none: a key needs an account to stand for.
 */
function keysStoreOf(
  { env }: CommandContext,
  { settings, keysFile }: { readonly settings?: string; readonly keysFile?: string },
): KeysFileStoreOptions {
  const settingsFile = findSettingsFile({ settings, env });
  const { keys_file, upstream_form: upstreamForm } = readSettings({
    env,
    args: { keys_file: keysFile },
    file: readSettingsText(settingsFile),
  });
  const path = resolve(dirname(settingsFile.path), keys_file);
  if (existsSync(path)) return { path, check: (text, file) => checkKeysFile(text, file, { upstreamForm }) };
  const detail =
    'There is no such file. Write it with the accounts that keys can stand for, or name another with --keys-file.';
  throw new ConfigError([{ where: keys_file, field: '', detail }]);
}
