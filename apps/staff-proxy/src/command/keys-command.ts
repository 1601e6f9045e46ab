import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { RawKeyEntry, RawKeysFile } from '@rostergate/access/keys';
import {
  createFileKeyStore,
  createKeysCommand as createKeysCommandOf,
  type KeyGrants,
  type KeyStore,
  openKeyStore,
  parseNames,
  planColumn,
  planOption,
} from '@rostergate/access/keys-command';
import { ConfigError } from '@rostergate/config';
import { createSettingsFileOption } from '@rostergate/config/command';
import { type Command, Option } from 'commander';
import { readSettings } from '../configuration/read-settings.ts';
import { defaultSettingsFile, findSettingsFile, readSettingsText } from '../configuration/settings-file.ts';
import { checkKeysFile } from '../keys/keys-file.ts';
import { keysFileSchema } from '../keys/keys-file-schema.ts';
import { proxyKeyKind } from '../keys/stored-staff-keys.ts';
import type { CommandContext } from './command-context.ts';

/** `rostergate-staff-proxy keys …` manages the keys of callers. Accounts are written by hand. */
export function createKeysCommand(context: CommandContext): Command {
  const { terminal, clock, randomBytes } = context;
  return createKeysCommandOf({
    terminal,
    clock,
    random: randomBytes,
    program: 'rostergate-staff-proxy',
    server: 'proxy',
    file: 'the keys file, or in the key store if key_store_url names one',
    fileOptions: () => [createSettingsFileOption(defaultSettingsFile), keysFileOption()],
    storeOf: (given) => keysStoreOf(context, given),
    hasAudit: true,
    accepts: (fields) =>
      keysFileSchema.shape.keys.safeParse([{ name: 'a', owner: 'a', sha256: '0'.repeat(64), account: 'a', ...fields }])
        .success,
    keyPrefix: 'staff',
    grants: accountGrants,
  });
}

function keysFileOption(): Option {
  return new Option('--keys-file <path>', 'the keys file (default: keys_file of the settings, else proxy-keys.json)');
}

/**
 * Returns the key store or the keys file that a proxy with these options reads.
 * @throws ConfigError when the file does not exist or is invalid: a key needs an account of it.
 */
async function keysStoreOf(
  { env }: CommandContext,
  { settings: named, keysFile }: { readonly settings?: string; readonly keysFile?: string },
): Promise<KeyStore> {
  const settingsFile = findSettingsFile({ settings: named, env });
  const settings = readSettings({ env, args: { keys_file: keysFile }, file: readSettingsText(settingsFile) });
  const { keys_file, key_store_url, upstream_form: upstreamForm, plans, pass_through: entries } = settings;
  const path = resolve(dirname(settingsFile.path), keys_file);
  const rules = { upstreamForm, plans: Object.keys(plans), passThrough: entries.map(({ name }) => name) };
  if (!existsSync(path)) {
    const detail = 'There is no such file. Write it with the accounts for the keys, or name another with --keys-file.';
    throw new ConfigError([{ where: keys_file, field: '', detail }]);
  }
  const file = createFileKeyStore({ path, check: (text, place) => checkKeysFile(text, place, rules) });
  if (key_store_url === '') return file;
  const { accounts } = await file.list();
  const check = (text: string, place: string) =>
    checkKeysFile(JSON.stringify({ accounts, keys: (JSON.parse(text) as RawKeysFile).keys }), place, rules);
  return openKeyStore(settings, check, proxyKeyKind);
}

/** The permissions of a key: those of its account, or some of them. */
const accountGrants: KeyGrants = {
  options: [
    { flags: '--account <name>', description: 'service account of the key', isNeeded: true },
    {
      flags: '--company <key>',
      description: "company of the key, where the account serves several (default: the account's)",
    },
    { flags: '--read-only', description: 'allow reads only' },
    { flags: '--allow <operation...>', description: 'the only operations to allow, by operationId; may be repeated' },
    { flags: '--deny <operation...>', description: 'operations to deny, by operationId; may be repeated' },
    {
      flags: '--pass-through <entry...>',
      description: 'paths beyond the contract to allow, by their names in the settings; may be repeated',
    },
    {
      flags: '--keep-unknown-members',
      description: 'keep members of responses that the contract lacks (upstream_form: vendor)',
    },
    planOption,
  ],
  toFields({ account, company, readOnly, allow, deny, passThrough, keepUnknownMembers, plan }) {
    const operations = { ...namesOf('allow', allow), ...namesOf('deny', deny) };
    return {
      account,
      ...(company === undefined ? {} : { company_key: company }),
      ...(readOnly === true ? { read_only: true } : {}),
      ...(Object.keys(operations).length === 0 ? {} : { operations }),
      ...namesOf('pass_through', passThrough),
      ...(keepUnknownMembers === true ? { unknown_members: 'keep' } : {}),
      ...(plan === undefined ? {} : { plan }),
    };
  },
  toJson: ({
    account = null,
    company_key = null,
    read_only = false,
    operations = null,
    pass_through,
    unknown_members,
    plan,
  }) => ({
    account,
    company_key,
    read_only,
    operations,
    ...(pass_through === undefined ? {} : { pass_through }),
    ...(unknown_members === undefined ? {} : { unknown_members }),
    ...(plan === undefined ? {} : { plan }),
  }),
  columns: [
    { title: 'ACCOUNT', of: ({ account }) => String(account ?? '') },
    { title: 'MAY', of: describePermissions },
    planColumn,
  ],
  changes: [],
  inheritedByRotation: 'owner, account, permissions and plan',
};

function namesOf(list: 'allow' | 'deny' | 'pass_through', given: unknown): Readonly<Record<string, unknown>> {
  return given === undefined ? {} : { [list]: parseNames(given as readonly string[]) };
}

/** Returns `everything`, `read` or the operations, the entries of `pass_through`, and `+unknown members` if kept. */
function describePermissions(entry: RawKeyEntry): string {
  const { pass_through: names = [], unknown_members } = entry as {
    readonly pass_through?: readonly string[];
    readonly unknown_members?: unknown;
  };
  const more = unknown_members === 'keep' ? [...names, 'unknown members'] : names;
  return [describeOperations(entry), ...more.map((name) => `+${name}`)].join(' ');
}

function describeOperations({ read_only, operations }: RawKeyEntry): string {
  const { allow, deny } = (operations ?? {}) as {
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
  };
  if (allow !== undefined) return allow.join(' ');
  const all = read_only === true ? 'read' : 'everything';
  return deny === undefined ? all : `${all} but ${deny.join(' ')}`;
}
